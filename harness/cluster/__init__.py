"""A run on the machines of a Dask cluster."""
