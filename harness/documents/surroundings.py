"""What an error says is missing here: a package, a file, the network, a program, a version."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from harness.sessions.session import CodeError

Lack = Literal["package", "file", "network", "magic", "machine", "limit", "version", "input"]


class Missing(msgspec.Struct, frozen=True):
    """What is missing, by its kind and its name, and as a sentence."""

    kind: Lack
    name: str
    said: str


_Q = "[\"'`‘’“”]?"
_PACKAGES = (
    re.compile(rf"No module named {_Q}(?P<name>[\w.]+)"),
    re.compile(rf"there is no package called {_Q}(?P<name>[\w.]+)"),
    re.compile(
        rf"[Pp]ackage {_Q}(?P<name>[\w.]+){_Q} (?:not found|could not be loaded|is required|required)"
    ),
    re.compile(rf"[Tt]he package {_Q}(?P<name>[\w.]+){_Q} is required"),
    re.compile(r"unable to install packages?(?P<name>)|could not load library \"libgit2"),
    re.compile(r"`Import (?P<name>[\w.-]+)` failed|usable engine; tried using: '(?P<other>\w+)'"),
    re.compile(r"(?P<name>[\w.]+) not found, please install|\bto install the (?P<other>[\w.-]+) package"),
    re.compile(r"\b(?:pip3?|conda) install (?:-\S+ )*(?P<name>[A-Za-z][\w.-]*)"),
    re.compile(rf"(?P<name>[\w.]+) is not installed|[Pp]lease install {_Q}(?P<other>[\w.]+)"),
    re.compile(r"requires? (?:the )?(?:optional dependency )?['\"](?P<name>[\w.]+)['\"]"),
    re.compile(r"Missing optional dependency '(?P<name>[\w.]+)'"),
    re.compile(r"dependency [‘'](?P<name>[\w.]+)[’'] (?:is )?not available"),
)
_PART = re.compile(rf"No module named {_Q}(?P<name>(?P<top>\w+)\.[\w.]+)")
"""Python names the first part that it lacks: what stands before it is there."""
_FILES = re.compile(
    r"FileNotFoundError|No such file or directory|cannot open (?:the )?(?:file|compressed file|connection)"
    r"|SystemError: opening file|does not exist in current working directory|is not a file|no such file"
    r"|file(?:s)? (?:was|were)? ?not found|File .* does not exist|cannot find the file|Unable to open file"
    r"|NotADirectoryError|Unable to (?:find|locate) (?:the )?file|OSError: .*not found"
    r"|data set .* not found|['‘][^'’\n]*[./][^'’\n]*['’] does not exist"
    r"|No root directory found|is_existing_file|cannot change working directory"
    r"|could not open file|cannot open ['\"][^'\"\n]*['\"]: not a file",
    re.IGNORECASE,
)
_WRITES = r"\b(?:write\w*|save\w*|ggsave|dput|dump|sink|cat|file|pdf|png)(?:\.\w+)?\([^\n]*"
_FILE_NAME = re.compile(r"['\"`‘“]([^'\"`’”\n]+\.\w+|[^'\"`’”\n]*/[^'\"`’”\n]*)['\"`’”]")
_NETWORK = re.compile(
    r"cannot open URL|Temporary failure in name resolution|Could not resolve|Network is unreachable"
    r"|Max retries"
    r"|URLError|ConnectionError|Connection refused|getaddrinfo|Name or service not known|HTTPError"
    r"|SSLError|DNSError"
    r"|cannot open the connection to 'http|Failed to connect|URL using bad/illegal|ProxyError"
    r"|Timeout was reached"
    r"|stand-in needs a file of word vectors"
    r"|'(?:curl|wget)' call had nonzero exit status|download from '[^']*' failed|cannot download all files"
    r"|unable to access index|LocalEntryNotFoundError|OfflineModeIsEnabled|gaierror|could not download"
)
_MACHINE = re.compile(
    r"\bCUDA\b|NVIDIA driver|nvidia-smi|no GPU|GPU is not|\bcuda\b|MPS (?:device|backend)"
    r"|no display name|DISPLAY"
    r"|Read-only file system|Permission denied|Operation not permitted|command not found"
    r"|is not recognized as"
    r"|Bad CPU type|No space left|PermissionError|could not find (?:program|executable)|ffmpeg"
    r"|pandoc version"
    r"|TclError|cannot connect to X|unable to start (?:.*device|data (?:viewer|editor))"
    r"|LaTeX failed|X11 (?:is not available|font)|rgl"
)
_INPUT = re.compile(
    r"it waits for a reader|EOFError: EOF when reading|StdinNotImplementedError|raw_input|interactive session"
)
_VERSION = re.compile(
    r"Missing parentheses in call to 'print'|module '[\w.]+' has no attribute"
    r"|has no attribute '__version__'"
    r"|cannot import name|is deprecated|was deprecated|has been deprecated|is defunct|has been removed"
    r"|was removed|no longer supported|unexpected keyword argument|got an unexpected keyword"
    r"|is not a recognized"
    r"|is not an exported object|unused argument|has been renamed|must use keyword"
    r"|takes \d+ positional arguments"
    r"|expected a keyword argument|name '(?:xrange|unicode|raw_input|basestring|long|reduce|unichr"
    r"|execfile|reload|cmp)'"
    r" is not defined|inhomogeneous (?:shape|part)|leading zeros in decimal|invalid (?:token"
    r"|decimal literal)"
    r"|unsupported pickle|invalid hexadecimal|dtype string is deprecated|out of bounds for u?int"
    r"|object has no attribute"
    r"|no method matching|no field|extra token|deprecated|type \w+ has no field"
    r"|objects? not exported|not exported by"
    r"|'(?:dict_\w+|map|filter|zip|range)'(?: object)?|for >>: 'builtin_function|as an integer"
    r"|No function contains argument|could not find function|undefined columns|namespace:.*has no"
    r"|multiple values for argument|syntax: |UndefVarError|ParseError|LoadError: syntax|UndefKeywordError"
    r"|boolean index did not match|only integers, slices|arrays used as indices must be"
    r"|exec\b.*syntax|inconsistent use of tabs|NotImplementedError|namespace .* is (?:already )?loaded, but"
)
_MODE = re.compile(r"^[ \t]*([\]?;]|(?:\([^)\n]*\) )?pkg>|help\?>|shell>)[ \t]*[A-Za-z@][^\n]*", re.MULTILINE)
_MODES = {
    "]": "Julia's package prompt was not run: it needs the network",
    "?": "Julia's help prompt was not run",
    ";": "Julia's shell prompt was not run",
}
_TYPED = re.compile(
    r"^(?:cat|cd|cp|head|less|ls|man|mkdir|mv|pip3?|conda|rm|tail|time(?:it)?|whos?)"
    r" (?!(?:in|is|and|or|if|not) )[\w./~-][^=\n]*$",
    re.MULTILINE,
)
"""A command that a notebook takes without a mark."""
_NAME = re.compile(
    r"object ['‘]([^'’]+)['’] not found|name '([^']+)' is not defined"
    r"|UndefVarError: `?(@?(?:[^\W\d]|∂)[\w!∂]*)`? not defined"
    r"|could not find function \"([^\"]+)\""
)


def missing_here(error: CodeError, code: str = "", language: str = "") -> Missing | None:
    """Say what an error is the lack of; None if it may be the code's own.

    Parameters
    ----------
    error : CodeError
        The error.
    code, language : str
        The code that raised it, and its language, to tell magics, a prompt's modes and file names.
    """
    text = error.message
    if error.kind in ("time", "ended"):
        return Missing("limit", "", text.removeprefix("stopped: "))
    if language == "julia" and error.kind == "syntax" and (mode := _MODE.search(code)):
        opened = {"p": "]", "(": "]", "h": "?", "s": ";"}.get(mode[1][0], mode[1])
        return Missing("magic", mode[0].strip(), _MODES[opened])
    if error.kind == "syntax" and (magic := re.search(r"^\s*(?:%%?|!|\?)\w[^\n]*", code, re.MULTILINE)):
        return Missing("magic", magic[0].strip(), "IPython's magics were not run here")
    if language == "python" and error.kind == "syntax" and (typed := _TYPED.search(code)):
        said = f"IPython takes `{typed[0].strip()}` for a command, which was not run here"
        return Missing("magic", typed[0].strip(), said)
    if "'get_ipython' is not defined" in text:
        return Missing("magic", "get_ipython()", "IPython's magics were not run here")
    if magic := re.search(r"[Mm]agic function `?(%+\w+)`? not found", text):
        return Missing("magic", magic[1], f"the magic {magic[1]} is not installed")
    if (part := _PART.search(text)) is not None:
        return Missing("version", part["name"], f"{part['name']} is not in the {part['top']} that is here")
    for pattern in _PACKAGES:
        match = pattern.search(text)
        if match is not None:
            name = next((group for group in match.groups() if group), "")
            # A dot is a part of the names of R, and stands before a submodule of Python.
            name = name.rstrip(".") if language == "r" else name.split(".")[0]
            said = f"{name} is not installed" if name else "packages cannot be installed without a network"
            return Missing("package", name, said)
    if _NETWORK.search(text):
        return Missing("network", "", "it needs the network, which the sandbox does not have")
    if _FILES.search(text):
        named = _FILE_NAME.search(text) or _FILE_NAME.search(code)
        name = named[1].removeprefix("/document/") if named is not None else ""
        if language == "r" and (
            "for writing" in text or (name and re.search(_WRITES + re.escape(name), code) is not None)
        ):
            said = f"{name or 'a file'} is written here, and what lies beside the document is only read"
            return Missing("machine", "", said)
        return Missing("file", name, f"{name or 'a file that it reads'} is not beside the document")
    if _INPUT.search(text):
        return Missing("input", "", "it asks for input")
    if _MACHINE.search(text):
        return Missing(
            "machine", "", f"this machine or the sandbox does not allow it: {text.splitlines()[0][:160]}"
        )
    return None


def blames_version(error: CodeError) -> bool:
    """Whether another version of the language or of a package may be the reason for an error."""
    return _VERSION.search(error.message) is not None


def undefined_name(error: CodeError) -> str:
    """Return the name that an error says is not defined; empty if it says nothing of the kind."""
    match = _NAME.search(error.message)
    return next((group for group in match.groups() if group), "") if match is not None else ""
