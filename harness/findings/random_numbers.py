"""Where code draws random numbers, seeds a generator, reads a clock or the machine: found in its text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache

from harness.sessions.statements import python_statements
from harness.workers.pylab_names import PYLAB

_DRAWS = {
    "python": re.compile(
        r"\b(?:np|numpy)\.random\.(?!seed|default_rng|RandomState|Generator|get_state|set_state"
        r"|SeedSequence)\w+"
        r"|\brandom\.(?:random|randint|uniform|gauss|choice|choices|sample|shuffle|normalvariate|randrange|"
        r"betavariate|expovariate|getrandbits|rand|randn|normal|permutation)\b"
        r"|\btorch\.(?:rand|randn|randint|randperm|normal|bernoulli|multinomial)(?:_like)?\b"
        r"|\btorch\.nn\.(?!functional|Module|Sequential)[A-Z]\w+\(|\bnn\.(?:Linear|Lazy\w+|Bilinear|Embedding\w*"
        r"|Conv\w+|Parameter|LSTM\w*|GRU\w*|RNN\w*|MultiheadAttention|Transformer\w*|\w*Dropout\w*)\("
        r"|\binit\.\w+_\(|\.(?:normal|uniform|bernoulli|exponential|cauchy|geometric|log_normal|random)_\("
        r"|\b(?:F|functional)\.(?:\w*dropout\w*|gumbel_softmax)\("
        r"|\b(?:default_rng|RandomState|Generator)\(\s*\)"
        r"|\b(?:randn|randint|randrange|uniform|shuffle|permutation|train_test_split|bootstrap)\(|\.rvs\(|\.sample\("
    ),
    "r": re.compile(
        r"\b(?:rnorm|runif|rbinom|rpois|rexp|rgamma|rbeta|rt|rchisq|rweibull|rlogis|rcauchy|rgeom"
        r"|rmultinom|"
        r"sample|sample\.int|sample_n|sample_frac|slice_sample|kmeans|jitter|rmvnorm|mvrnorm|torch_randn?|"
        r"torch_randint|nn_linear|nn_embedding|randomForest)\("
    ),
    "julia": re.compile(
        r"\b(?:rand|randn|randexp|randperm|shuffle!?|randstring|randsubseq|bitrand|sample)\("
    ),
}
_SEEDS = {
    "python": re.compile(
        r"\bseed\(\s*[^)\s]|manual_seed\w*\(|default_rng\(\s*[^)\s]|RandomState\(\s*[^)\s]"
        r"|random_state\s*=\s*\d"
        r"|seed_everything\(|\bseed\s*=\s*\d|PCG64\(\s*\d|random\.Random\(\s*\d"
    ),
    "r": re.compile(r"\bset\.seed\(|torch_manual_seed\(|RNGkind\("),
    "julia": re.compile(r"\bseed!\(|MersenneTwister\(\s*\d|Xoshiro\(\s*\d|StableRNG\("),
}
_CLOCK = re.compile(
    r"\btime\.(?:time|perf_counter|monotonic|process_time|ctime|localtime|gmtime)\w*\("
    r"|(?<![\w.])(?:time|perf_counter|monotonic|process_time)\(\)"
    r"|\bdatetime\.(?:now|today|utcnow)\(|\bdate\.today\(|\bdt\.datetime\.now"
    r"|\bdatetime\.datetime\.(?:now|today)"
    r"|\b(?:datetime64|Timestamp|to_datetime)\(\s*['\"](?:now|today)['\"]"
    r"|\bSys\.(?:time|Date)\(|\bdate\(\)|\bproc\.time\(|\bsystem\.time\(|\bnow\(|\btoday\(|\bTimestamp\.now"
    r"|@time\b|@timed\b|@elapsed\b|@btime\b|@benchmark\b|@allocated\b|^\s*%%?(?:time|timeit|prun"
    r"|lprun|mprun|"
    r"memit|snakeviz)\b|\btimeit\b|\bmicrobenchmark\(|\bbench::mark\(|\bmark\(|\btic\(|\btoc\(|\btime_ns\("
    # SQL's own
    r"|\b(?:date|time|datetime|julianday)\(\s*['\"]now['\"]|\bCURRENT_(?:TIMESTAMP|DATE|TIME)\b",
    re.MULTILINE,
)
_PRINTS_TIME = re.compile(r"@(?:time|btime|showtime)\b|^[ \t]*%%?time\b", re.MULTILINE)
"""What prints how long code took, and gives what that code gives."""
_TEMPORARY = re.compile(
    r"\btempfile\b|\btempdir\b|\bmkd?s?temp\b|\bmktempdir?\b|\buuid[14]?\b|\bgetpid\b"
    r"|\bSys\.getpid\b|(?<![\w.])id\("
    r"|\bobjectid\(|\bobj_addr\(|\bobj_addrs\(|\btracemem\(|\bpointer\w*\(|\.data_ptr\("
    r"|(?<![\w.])hash\(|\blobstr::"
    r"|\bUUID|\bref\("
)
_OF_A_SHELL = (
    r"(?:^|^[\w ,]+=)\s*!+\s*(?!(?:TRUE|FALSE|[TF]|true|false)\b|[\w.$:]+[(\[]"
    r"|\([\w.$\[\], ]+(?:[<>&|]|[=!]=|%in%))\S"
)
"""A command of the shell in IPython, and no negation of R's or Julia's."""
_NEGATED = re.compile(r"(?P<before>^|=)[ \t]*!+", re.MULTILINE)
_OWN_STREAM = re.compile(r"^[^\n]*\brandom_state\s*=\s*\d[^\n]*$", re.MULTILINE)
_MACHINE = re.compile(
    r"__version__|\bsys\.argv\b|\bcommandArgs\(|\bARGS\b|\bsessionInfo\(|\bsession_info\(|\bR\.version\b|\bR\.Version\(|\bversioninfo\("
    r"|\bVERSION\b|\bsys\."
    r"(?:version\w*|platform|executable|path|maxsize|getsizeof|getrefcount)\b|(?<![\w.])platform\.\w+\("
    r"|\bgetsizeof\(|\b(?:itemsize|nbytes|iinfo|sizeof)\b"
    r"|\bobject\.size\(|\bobject_size\(|\bobj_size\(|\bsummarysize\(|\bmem_used\(|\bcpu_count\(|\bdetectCores\("
    r"|\bos\.(?:getcwd|"
    r"environ|uname|getenv|listdir)|\bgetwd\(|\bpwd\(|\bSys\.(?:info|getenv|[gs]etlocale)\b"
    r"|\binstalled\.packages\(|(?<![^\W_])is_?(?:macos|osx|apple|linux|windows|unix|bsd)\("
    r"|\bpackageVersion\(|\bgetRversion\(|\bget_num_threads\(|\b(?:nthreads|threadid)\(|\bvarinfo\("
    r"|memory_usage|\bmemory_info"
    r"|\.info\(|(?<![\w.])\.(?:Platform|Machine)\b|\.version\b|\btype(?:max|min)\(U?Int\)"
    r"|\btraceback\.|\binspect\.\w|\bdis\.|\bast\.(?:dump|parse)\(|\bsignature\("
    r"|\bsearch\(\)|\blibPaths\(|\bcitation\(|\bdata_dir\b|\bls\(|\bmethods\("
    r"|\bsearchpaths\(|\bgc\(|\b(?:is)?interactive\(\)|@__(?:LINE|FILE|DIR|MODULE)__"
    r"|\bdisplaysize\(|\b(?:LOAD|DEPOT)_PATH\b|\bJLOptions\b|\bnames\((?:Base|Core|Main)\)|\bBINDIR\b"
    r"|\b(?:cuda|mps|xpu)\.(?!manual_seed|synchronize|amp)\w+\(|\bdevice_count\(|\bis_available\(|\bshow_config\(|\bnp\.info\(|\bhelp\(|\bdir\("
    r"|\bSys\.(?:CPU|WORD|KERNEL"
    r"|MACHINE)\w*|\blist\.files\(|\breaddir\(|^\s*%%?\w|^[\w ,]+=\s*%\s*\w|^\s*\?\??\w|\bwho\b"
    rf"|{_OF_A_SHELL}",
    re.MULTILINE,
)


_PLACE = re.compile(
    # where it runs: its time zone and language, its files, its processors
    r"\bfromtimestamp\(|\bastimezone\(|\blocaltime\(|\bmktime\(|\btzlocal\b|\btime\.tz(?:name|set)\b|\blocale\.\w+\("
    r"|\b(?:as\.POSIX[cl]t|strptime)\((?![^\n]*\btz\s*=)|\bSys\.(?:timezone|getlocale|getenv|info)\("
    r"|\bi?glob\(|\.rglob\(|\biterdir\(|\bscandir\(|\bos\.(?:walk|stat|listdir|getcwd|getlogin|getenv|environ|uname)\b"
    r"|\bos\.path\.(?:exists|isfile|isdir|getsize|getmtime|expanduser|abspath|realpath)\("
    r"|\.(?:exists|is_file|is_dir|cwd|home|expanduser|resolve|stat)\(\s*\)|\bshutil\.(?:which|disk_usage)\("
    r"|\b(?:file|dir)\.(?:exists|info|size|mtime|copy|create|remove|rename|append|access)\(|\bunlink\(|\blist\.(?:files|dirs)\(|\bnormalizePath\(|\bpath\.expand\("
    r"|\b(?:isfile|isdir|ispath|filesize|readdir|walkdir|homedir|gethostname|getwd|pwd)\("
    r"|\bcpu_count\(|\bdetectCores\(|\bdevice_count\(|\bis_available\(|\bpsutil\.|\bgetrusage\(|\bgetpass\b"
    r"|@__(?:LINE|FILE|DIR)__"
    r"|\bactive_count\(|\bget_ident\(|\bplatform\.\w+\(|\bsubprocess\.\w+\(|\bos\.(?:system|popen)\("
    r"|\bsys\.(?:getrecursionlimit|byteorder|\w*encoding|hash_info|int_info|modules|flags|implementation|hexversion)\b"
    r"|\b(?:strftime|strptime|format)\([^\n]*%[AaBbcxXpZ]|\b(?:weekdays|months)\("
    r"|\bgc\.(?:collect|get_\w+)\(|\blong(?:double|complex)\b|\bfloat128\b"
    # the length of an hour's zone, of a machine's word, of what a process may stack
    r"|\.timestamp\(\)|\bISOdatetime\(|\{[^{}\n]*:n\}|\bcalcsize\(|\.to(?:bytes|string)\(\s*\)"
    r"|\bRecursionError\b|\bStackOverflowError\b|\bexpressions?\s*=\s*\d"
    rf"|{_OF_A_SHELL}",
    re.MULTILINE,
)
_OWN_DRAWS = re.compile(
    r"(?<![\w.])random\.(?:random|randint|uniform|gauss|choices?|sample|shuffle|normalvariate|randrange|betavariate"
    r"|expovariate|getrandbits)\("
)
_OWN_SEEDS = re.compile(
    r"(?<![\w.])random\.seed\(\s*[^)\s]|\bfrom\s+(?:numpy\s+import\s+[^\n]*\brandom\b|random\s+import)"
    r"|\bimport\s+numpy\.random\s+as\s+random\b|\bseed_everything\(|\bimport\s+\*|%pylab"
)
_AT_ONCE = re.compile(
    r"\bthreading\b|\bThread(?:PoolExecutor)?\(|\bmultiprocessing\b|\bconcurrent\.futures\b|\basyncio\b"
    r"|@(?:threads|spawn|async|distributed)\b|\bmclapply\("
)
_COMMENT = re.compile(
    r"(\"\"\"[\s\S]*?\"\"\"|\'\'\'[\s\S]*?\'\'\'|\"(?:\\.|[^\"\\\n])*\"|\'(?:\\.|[^\'\\\n])*\')|#[^\n]*"
)
"""A text, and what is none and behind a mark."""
_GENERATOR = re.compile(r"\b(?:default_rng|RandomState|Generator|random\.Random|check_random_state)\(")
_SAYS = re.compile(
    r"\bexcept\b|\btry\(|\btryCatch\(|\bcatch\b|\bstr\(|\bsummary\(|\bhelp\(|__doc__|\btraceback\b|\brepr\("
    r"|\bis (?!None\b)|\bid\(|\bdis\."
)
_ALL_OF_RANDOM = re.compile(r"\bfrom\s+numpy\.random\s+import\s+\*")
_UNSET = re.compile(
    r"\b(?:np|numpy|torch)\.(?:empty|new_empty)(?:_like)?\(|\btorch\.\w*Tensor\(\s*\d|\bundef\b|\bsimilar\("
)


_FILLED = re.compile(r"\w\[[^\]\n]*\]\s*[-+*/.]?=(?!=)|\bout\s*=|\.fill_?\(")
_ASSIGNED = re.compile(r"[ \t]*([^\W\d]\w*)\s*=(?!=)")
_DEFINITION = re.compile(
    r"^(?:([\w.]+)\s*(?:<-|=)\s*function\b|(?:function|struct|mutable struct|macro)\s+([\w!]+)"
    r"|([\w!]+)\([^=]*\)\s*=(?!=))"
)


@cache
def _of_pylab() -> frozenset[str]:
    """NumPy's functions that draw, as pylab brings them by their bare names."""
    import numpy as np

    return frozenset(
        name
        for name in np.random.__all__
        if name.islower() and not name.endswith(("seed", "state", "rng")) and name not in np.__all__
    ) | {"random"}


def draw_in(code: str, language: str) -> int | None:
    """Return the line, counted from 1, of the first draw from a random generator; None if there is none."""
    return _line(_DRAWS.get(language), code)


def seeds(code: str, language: str) -> bool:
    """Whether code seeds a generator."""
    pattern = _SEEDS.get(language)
    return pattern is not None and pattern.search(without_comments(code)) is not None


def clock_in(code: str) -> int | None:
    """Return the line, counted from 1, that reads a clock."""
    return _line(_CLOCK, code)


def clock_given_by(code: str) -> int | None:
    """Return the line, counted from 1, that gives what a clock reads, and does not only print it."""
    return _line(_CLOCK, _PRINTS_TIME.sub("", code))


def passing_in(code: str) -> int | None:
    """Return the line, counted from 1, that asks for an address, an id or a temporary path."""
    return _line(_TEMPORARY, code)


def draw_here(code: str, language: str, drawing: Collection[tuple[str, str]] = ()) -> int | None:
    """Return the line, counted from 1, of the first draw outside of definitions; None if there is none.

    Parameters
    ----------
    code, language : str
        The code of a chunk.
    drawing : collection of (str, str)
        Languages and names of functions that draw.
    """
    inside = _definition_lines(code, language)
    names = [re.escape(name) for known, name in drawing if known == language]
    calls = re.compile(rf"(?<![\w.])(?:{'|'.join(names)})\(") if names else None
    for place, line in enumerate(without_comments(code).split("\n"), 1):
        drawn = draw_in(line, language) is not None or (calls is not None and calls.search(line))
        if place not in inside and drawn:
            return place
    return None


def drawing_definitions(code: str, language: str) -> frozenset[str]:
    """Return the names of the functions and classes in code, and of pylab, that draw random numbers."""
    lines = code.split("\n")
    brought = language == "python" and "import" in code and _ALL_OF_RANDOM.search(code) is not None
    brought = brought or (language == "python" and "pylab" in code and PYLAB.search(code) is not None)
    return (_of_pylab() if brought else frozenset()) | frozenset(
        name
        for name, first, last in definitions(code, language)
        if draw_in("\n".join(lines[first - 1 : last]), language) is not None
    )


def _definition_lines(code: str, language: str) -> set[int]:
    return {place for _, first, last in definitions(code, language) for place in range(first, last + 1)}


def definitions(code: str, language: str) -> Iterator[tuple[str, int, int]]:
    """Yield the name, the first and the last line of each definition.

    Parameters
    ----------
    code, language : str
        The code of a chunk; where a definition ends in R and Julia, the indentation tells.
    """
    if language == "python":
        for statement in python_statements(0, code):
            if statement.kind == "definition":
                yield next(iter(statement.sets)), statement.line, statement.end_line
        return
    lines = code.split("\n")
    for place, line in enumerate(lines, 1):
        match = _DEFINITION.match(line)
        if match is not None:
            last = place
            while last < len(lines) and (not lines[last].strip() or lines[last][:1] in " \t"):
                last += 1
            yield next(group for group in match.groups() if group), place, last


def unset_in(code: str) -> int | None:
    """Return the line, counted from 1, that takes memory which nothing is written to in this code."""
    if _FILLED.search(code):
        return None
    for match in _UNSET.finditer(without_comments(code)):
        begun = code.rfind("\n", 0, match.start()) + 1
        named = _ASSIGNED.match(code, begun)
        if named is None or not re.search(rf"(?m)^\s*{named[1]}\s*=(?!=)", code[match.end() :]):
            return code.count("\n", 0, match.start()) + 1
    return None


def without_own_streams(code: str) -> str:
    """Return code without the lines that draw from a stream of their own, by a seed that is given there.

    Parameters
    ----------
    code : str
        Code that may call pandas, SciPy or scikit-learn: with ``random_state`` they leave other streams.
    """
    return _OWN_STREAM.sub("", code)


def machine_in(code: str) -> int | None:
    """Return the line, counted from 1, that asks for a version, a size in memory, or the machine."""
    return _line(_MACHINE, code)


def without_negations(code: str, language: str) -> str:
    """Return code without what IPython alone takes for a command of the shell: in R and Julia it negates."""
    return code if language == "python" else _NEGATED.sub(r"\g<before>", code)


def place_in(code: str) -> int | None:
    """Return the line, counted from 1, that asks for the time zone, for files, or for the machine."""
    return _line(_PLACE, code)


def runs_at_once(code: str) -> bool:
    """Whether code starts threads, processes or tasks that run at the same time."""
    return _AT_ONCE.search(without_comments(code)) is not None


def draws_pythons_own(code: str) -> int | None:
    """Return the line, counted from 1, that draws from the generator of Python's module ``random``."""
    return _line(_OWN_DRAWS, code)


def seeds_pythons_own(code: str) -> bool:
    """Whether code seeds the generator of Python's module ``random``, or takes names out of that module."""
    return _OWN_SEEDS.search(without_comments(code)) is not None


def generator_in(code: str) -> int | None:
    """Return the line, counted from 1, that makes an object which draws random numbers."""
    return _line(_GENERATOR, code)


def says(code: str) -> bool:
    """Whether code shows what its language says: of an error, a structure, an object, or of identity."""
    return _SAYS.search(without_comments(code)) is not None


def _line(pattern: re.Pattern[str] | None, code: str) -> int | None:
    match = pattern.search(without_comments(code)) if pattern is not None else None
    return code.count("\n", 0, match.start()) + 1 if match is not None else None


@lru_cache(maxsize=4096)
def without_comments(code: str) -> str:
    """Return code without its comments; every character that is left stays where it was."""
    if "#" not in code:
        return code
    return _COMMENT.sub(lambda found: found[1] or " " * len(found[0]), code)
