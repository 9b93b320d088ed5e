"""What a printed value is computed from: whether another version, another file or a reader may change it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache

import msgspec

from harness.documents.model import Chunk
from harness.findings.frame_columns import without_columns
from harness.findings.parts import parts_of
from harness.findings.rounding import ITERATES
from harness.findings.sizes_shown import shows_sizes_alone
from harness.findings.slices import statements_behind
from harness.findings.steady import BASE_NAMES, DATA_NAMES, LANGUAGE, VALUES
from harness.findings.versions import packages as imports
from harness.sessions.statements import python_statements


class Ground(IntEnum):
    """How firm the ground of a printed value is, the firmest first."""

    LANGUAGE = 0
    """The document's own code, arithmetic and text of the language, ordinary functions of NumPy."""
    VALUES = 1
    """Files beside the document, packages that hold and move values: seldom another from one version on."""
    FITS = 2
    """What iterates to a tolerance, or decomposes: its last digits and its signs are free."""
    BEYOND = 3
    """Data that a package ships, and what it computes: another in another version."""
    READER = 4
    """What a reader types, and what comes over the network."""


class Source(msgspec.Struct, frozen=True):
    """How firm the ground of a value is, and what makes it so; nothing of the language itself."""

    ground: Ground
    why: str = ""


_ASKS = re.compile(
    r"(?<![\w.])(?:raw_)?input\(|\breadline\((?!\s*f)|\bgetpass\b|\bmenu\(|\bfile\.choose\(|[\"']stdin[\"']|\bstdin\b"
    r"|\binteract(?:ive)?\b|\bipywidgets\b|\bwidgets\.\w+\("
)
_NETWORK = re.compile(
    r"\brequests\.|\burlopen\(|\burlretrieve\(|\bdownload\w*\(|\burllib\.request\b"
    r"|\bhttr::|\bGET\(|\bcurl\b"
)
_ADDRESS = re.compile(r"[(=,\[]\s*[\"'](?:https?|ftp)://")
_FETCHES = re.compile(
    r"\b\w*(?:read|open|load|get|fetch|connect|scrape|source|browse|import|pull|request|crawl|url|CSV)\w*!?\(|\bCSV\.",
    re.IGNORECASE,
)
"""What may take an address to ask the network for it; a text that is an address asks for nothing."""
SHIPPED = {
    "python": re.compile(
        r"\b(?:load|fetch)_(?!txt|ext|module|dotenv|state_dict|workbook)\w+\(|\bload_dataset\(|\bget_rdataset\("
        r"|\b(?:corpus|vega_datasets|torchvision|from_pretrained)\b|\bdatasets?\.\w+|\bimport\s+datasets?\b"
    ),
    "r": re.compile(r"\bdata\(|\b[A-Za-z]\w+::[a-z]\w+(?!\w*\()"),
    "julia": re.compile(r"\bdataset\("),
}
"""What brings data that a package ships."""
_OWN_DATA = re.compile(
    r"\bdata\(\s*([\"']?)(?P<loaded>[\w.]+)\1\s*(?:,\s*package\s*=\s*[\"']datasets[\"']\s*)?\)"
    r"|\bdatasets::(?P<named>[\w.]+)"
)
"""What names one of R's own sets of data."""
_INTROSPECTS = re.compile(
    r"\b(?:dir|vars|globals|locals|hasattr|getattr|callable|issubclass|hash|id)\(|__(?:dict|doc|class|mro|code|"
    r"sizeof|bases|slots|module|annotations|closure|defaults)__|\b(?:inspect|tracemalloc|keyword)\.|\.flags\b"
    r"|\b(?:may_share_memory|shares_memory|can_cast|issubdtype|result_type|finfo|iinfo|strides|nbytes|itemsize)\b"
    r"|\bmethodswith\(|\bmethods\(|\bfieldnames\(|\bsubtypes\(|\bnames\(\w*::|\bls\(|\bapropos\("
    r"|(?<!envir = )(?<!envir=)\benvironment\("
    r"|\bpickle\.dumps|\bzlib\.|\bgzip\.|\bmarshal\.|\bunicodedata\.|\bre\.(?:sub|split)\([^\n]*[*?]"
)
_READS = re.compile(
    r"\bopen\(|\bread_\w+\(|\bread\.\w+\(|\b(?:load|gen)\w*txt\(|\bnp\.load\(|\breadlines?\(|\breadRDS\(|\breadLines\("
    r"|(?<![\w.])load\(|\bscan\(|\bCSV\.\w+\(|\breaddlm\(|\bfromfile\(|\bpickle\.load\(|\bjson\.load\(|\bfread\("
    r"|\bimread\(|\bread(?:line)?\(|\bsource\("
)
_ESTIMATES = re.compile(
    r"\b(?:g?lm|aov|anova|nls|loess|lowess|arima|predict|smooth\.spline|density|hclust|dist|\w+[._]test|TukeyHSD"
    r"|curve_fit|lstsq|polyfit|OLS|ols|ttest_\w+|mannwhitneyu|linregress|spearmanr|pearsonr|gaussian_kde)\("
)
_DIRECT = re.compile(
    r"\b(?:lm|aov|anova|predict|(?:t|var|cor|prop|binom|chisq|bartlett|kruskal|shapiro)\.test)\("
)
"""Estimates of R's own that no iteration makes: no version and no machine leaves more than last digits."""
_INTEGRALS = re.compile(r"\b(?:scipy\.)?(?:integrate\.)?(?:n|dbl|tpl)?quad\(")
"""What integrates by fixed rules, which no start and no tolerance leaves more than last digits."""
_PLOTS = re.compile(
    r"(?m)^(?:q?plot|hist|barplot|boxplot|lines|points|abline|legend|par|pairs|curve|text|axis)\(.*\)[ \t]*$"
)
"""Lines that draw, and change nothing that they are given."""
_DRAWS = re.compile(r"\b(?:ggplot|qplot|geom_\w+|grid\.arrange)\(")
"""What a statement of R calls that makes a picture."""
_ATTACHES = re.compile(r"(?m)^[ \t]*(?:suppress\w+\()?(?:library|require)\(.*$|^[ \t]*(?:using|import)\b.*$")
_FORMULA = re.compile(r"(?:\b[\w.]+\s*)?~\s*[\w.]+(?:\s*[+*:|]\s*[\w.]+)*")
"""R's formulas, whose names are those of columns."""
_CALLED = re.compile(r"(?<![\w.$@:])([A-Za-z.][\w.]*!?)\.?\(")
_MACRO = re.compile(r"(?<!\w)@(?!show|assert|time)(\w+)")
_READ_NAME = re.compile(r"(?<![\w.$@:\"'])([A-Za-z][\w.]*)(?![\w.]*\s*(?:\(|=(?!=)|::))")
_STRING = re.compile(r"\"\"\"[\s\S]*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_COMMENT = re.compile(r"#[^\n]*")


def asks_in(cone: Sequence[Chunk], shown: str) -> bool:
    """Whether code asks a reader for what it computes with, be it that the error of that is caught.

    Parameters
    ----------
    cone : sequence of Chunk
        A chunk after those that it depends on.
    shown : str
        The part of its code that is looked at.
    """
    return _ASKS.search(_COMMENT.sub("", statements_behind(cone, shown))) is not None


def source_of(
    chunks: Sequence[Chunk],
    cone: Sequence[Chunk],
    packages: Iterable[str],
    shown: str,
    *,
    same: frozenset[str] = frozenset(),
) -> Source:
    """Return the weakest of all grounds that a value is computed from.

    Parameters
    ----------
    chunks : sequence of Chunk
        Those of the document.
    cone : sequence of Chunk
        The chunk that shows the value, after those that it depends on.
    packages : iterable of str
        The packages that these use, or find attached.
    shown : str
        The part of its code that shows the value.
    same : frozenset of str
        Packages of which the author's version is known to be the one that is here.
    """
    language = cone[-1].language
    code = statements_behind(cone, shown)
    above = "\n".join(
        part.code for part in chunks if part.language == language and part.index <= cone[-1].index
    )
    # No fit has another size.
    sized = shows_sizes_alone(*(_COMMENT.sub("", text) for text in (shown, code)))
    return _source(code, above, language, tuple(sorted(packages)), same, fits=not sized)


@lru_cache(maxsize=4096)
def _source(
    code: str, above: str, language: str, packages: tuple[str, ...], same: frozenset[str], *, fits: bool
) -> Source:
    plain = _COMMENT.sub("", code)
    if _ASKS.search(plain):
        return Source(Ground.READER, "it depends on what a reader types")
    if _NETWORK.search(plain) or (_ADDRESS.search(plain) and _FETCHES.search(plain)):
        return Source(Ground.READER, "it depends on what the network gives")
    used = called_packages(code, above, language, packages)
    foreign = [name for name in used if name not in LANGUAGE[language] | VALUES[language]]
    outside = [name for name in foreign if name not in same]
    shipped = SHIPPED.get(language)
    if shipped is not None and shipped.search(without_own_data(plain, language)) and (outside or not foreign):
        return Source(
            Ground.BEYOND, "it is computed from data that a package brings, which change with its version"
        )
    if outside:
        listed = ", ".join(outside[:3])
        return Source(
            Ground.BEYOND, f"it depends on {listed}, of which the author may have had another version"
        )
    if _INTROSPECTS.search(plain):
        return Source(Ground.BEYOND, "what a language says of its own objects depends on the version")
    if fits and (
        ITERATES.search(_INTEGRALS.sub("(", plain) if language == "python" else plain)
        or _ESTIMATES.search(_DIRECT.sub("(", plain) if language == "r" else plain)
    ):
        return Source(Ground.FITS, "what is fitted or decomposed depends on the version and the machine")
    holding = [name for name in used if name in foreign or (name in VALUES[language] and name not in same)]
    if holding:
        listed = ", ".join(holding[:3])
        return Source(
            Ground.VALUES, f"it depends on {listed}, of which the author may have had another version"
        )
    if _READS.search(plain):
        return Source(Ground.VALUES, "it is computed from a file, which may be another than the author's")
    return Source(Ground.LANGUAGE)


def without_own_data(code: str, language: str) -> str:
    """Return code of R without what loads data that come with R and have not changed; other code as it is.

    Parameters
    ----------
    code, language : str
        Some statements, and what they are written in.
    """
    if language != "r":
        return code
    return _OWN_DATA.sub(
        lambda found: "" if (found["loaded"] or found["named"]) in DATA_NAMES["r"] else found[0], code
    )


def called_packages(code: str, above: str, language: str, packages: Iterable[str]) -> tuple[str, ...]:
    """Return the packages that code may use: of Python those it imports, of others none where it calls none.

    Parameters
    ----------
    code : str
        Some statements.
    above : str
        The code of the document down to them.
    language : str
        The language.
    packages : iterable of str
        Those that are attached, or of Python those that the code uses.
    """
    if language == "python":
        imported = imports(code, language)
        return tuple(name for name in packages if name in imported)
    if not calls_the_language_alone(code, above, language):
        return tuple(packages)
    plain = _COMMENT.sub("", _STRING.sub('""', code))
    qualified = set(re.findall(r"\b([A-Za-z][\w.]*)::", plain))
    return tuple(name for name in packages if name in qualified)


def calls_the_language_alone(code: str, above: str, language: str) -> bool:
    """Whether code of R or Julia calls nothing but the language's own functions and the document's.

    Parameters
    ----------
    code : str
        Some statements.
    above : str
        The code of the document down to them.
    language : str
        ``r`` or ``julia``.
    """
    # Other packages bring data of the same names.
    steady = LANGUAGE[language] | VALUES[language]
    loaded = without_own_data(code, language) if set(imports(above, language)) <= steady else code
    bare = _COMMENT.sub("", _STRING.sub('""', _ATTACHES.sub("", loaded)))
    plain = _FORMULA.sub("", _PLOTS.sub("", without_pictures(bare) if language == "r" else bare))
    known = BASE_NAMES[language] | _defined(above, language)
    # Julia calls a function for each element where a point stands behind its name.
    called = (name.removesuffix(".") if language == "julia" else name for name in _CALLED.findall(plain))
    foreign = {name for name in called if name not in known}
    bare = without_columns(plain) if language == "r" else plain
    read = {name for name in _READ_NAME.findall(bare) if name not in known | DATA_NAMES[language]}
    # A pipe of R's gives what stands before it to what is called behind it, in all its versions.
    macros = set(_MACRO.findall(plain)) if language == "julia" else set()
    return not (foreign or macros - known or (language == "r" and read - known))


def without_pictures(code: str) -> str:
    """Return code of R without the statements that make a picture, which prints nothing.

    Parameters
    ----------
    code : str
        Some statements; where they cannot be read, they stay.
    """
    lines = code.split("\n")
    for part in reversed(parts_of(code, "r") or ()):
        if _DRAWS.search("\n".join(lines[part.line - 1 : part.end_line])):
            del lines[part.line - 1 : part.end_line]
    return "\n".join(lines)


def _defined(code: str, language: str) -> frozenset[str]:
    """The names that code of R or Julia sets, the arguments of its functions and its loops' variables."""
    plain = _COMMENT.sub("", _STRING.sub('""', code))
    names = set(re.findall(r"([^\W\d][\w.!]*)[^\n=<>]*?(?:<<?-|=(?!=))", plain))
    names |= set(re.findall(r"->>?\s*([\w.]+)", plain))
    names |= set(re.findall(r"\bfor\s*\(?\s*([\w.]+)", plain))
    for group in re.findall(r"\bfunction\s*[\w!]*\s*\(([^()]*)\)|\(([^()]*)\)\s*(?:->|=)", plain):
        names |= set(re.findall(r"[^\W\d][\w.]*", " ".join(group)))
    names |= set(re.findall(r"\b(?:function|struct|macro|type)\s+([\w!]+)", plain))
    names |= set(re.findall(r"(?<![\w.])([A-Za-z][\w.]*)\s*=(?!=)", plain))
    return frozenset(names)


@lru_cache(maxsize=4096)
def own_texts(code: str, language: str) -> str:
    """Return the texts that a document's code gives of its own, in small letters.

    Parameters
    ----------
    code, language : str
        A statement with all that it depends on. Of R and Julia the names are texts too: they name columns.
    """
    strings = " ".join(_STRING.findall(code))
    if language == "python":
        keywords = " ".join(re.findall(r"[(,]\s*([^\W\d]\w*)\s*=(?!=)", code))
        defined = " ".join(name for statement in python_statements(0, code) for name in statement.sets)
        return f"{strings} {keywords} {defined}".lower()
    return f"{strings} {_COMMENT.sub('', _STRING.sub('', code))}".lower()
