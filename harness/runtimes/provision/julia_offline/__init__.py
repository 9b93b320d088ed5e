"""A private Julia 1.5.3 from Debian 11's packages, with juliacall, where no Julia server is reached."""
