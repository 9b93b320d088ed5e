from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from harness.errors import CaseError, ExitCode, UsageError
from harness.model import Precision
from harness.numerics.printed import hold_to_print
from harness.store.cases import load_case
from harness.store.provenance import graph_hash
from harness.store.suites import case_folders, find_suite

Put = Callable[..., Path]

SUITE = Path(__file__).parents[3] / "reference_impls"


def test_a_whole_case_is_read(put_case: Put) -> None:
    case = load_case(put_case())
    assert case.name == "toy"
    assert case.precisions == (Precision.FLOAT64, Precision.FLOAT32)
    assert case.reference == "numpy"
    assert case.timeout == 60.0
    assert [value.name for value in case.inputs] == ["x", "W", "rate", "tokens"]
    assert case.inputs[0].shape == ("n", "d")
    assert case.inputs[2].shape == ()
    assert (case.inputs[3].dtype, case.inputs[2].meaning) == ("int", "step")
    assert list(case.values) == ["first", "losses", "final", "mask", "last"]
    last = case.values["last"]
    assert last.tolerance is not None
    assert (last.shape, last.symbol, last.tolerance.rule, last.tolerance.value) == (("n", 3), "L", "ulp", 4.0)
    assert case.values["first"].nan
    assert case.values["mask"].dtype == "bool"
    assert case.identities[0].left == "first"
    assert [known.implementation for known in case.known_divergences] == ["*", "julia*"]
    assert case.published[0].values == (("0.50", "1e3", "-2"), "...")
    assert (case.published[1].decimals, case.published[1].fixture) == (2, "toy*")
    hash(case.published)


def test_a_printed_scalar_is_text(put_case: Put, toy: str) -> None:
    toy += '[[stage]]\nname = "r"\ninputs = ["x"]\nshape = []\n'
    printed = '[[published]]\nstage = "r"\nsource = "a docstring"\nvalues = '
    case = load_case(put_case(toy + printed + '"-0.2092706263573845"\n'))
    assert case.published[-1].values == "-0.2092706263573845"
    assert hold_to_print(case.published[-1].values, np.array(-0.20927062635738453)).misprints == ()
    assert len(hold_to_print(case.published[-1].values, np.array(-0.209)).misprints) == 1
    with pytest.raises(CaseError, match="'x' is not a printed number"):
        load_case(put_case(toy + printed + '"x"\n'))


def test_stages_are_sorted_and_keep_the_declared_order_where_they_can(put_case: Put, toy: str) -> None:
    assert [stage.name for stage in load_case(put_case()).stages] == ["first", "fit", "last"]
    names = [f"s{number}" for number in (5, 1, 4, 2, 3)]
    stages = "".join(
        f'[[stage]]\nname = "{name}"\ninputs = ["x"]\nshape = []\ntolerance = {{ rule = "exact" }}\n'
        for name in names
    )
    head = toy[: toy.index("[[stage]]")]
    assert [stage.name for stage in load_case(put_case(head + stages)).stages] == names


def test_a_known_divergence_may_state_elements_and_samples(put_case: Put, toy: str) -> None:
    text = toy.replace("at_most = 1e-2", 'at_most = 1e-2\nelements = [1, 4]\nsamples = ["a", "b*"]', 1)
    first, second = load_case(put_case(text)).known_divergences
    assert (first.elements, first.samples) == ((1, 4), ("a", "b*"))
    assert (second.elements, second.samples) == (None, ("*",))
    assert [first.is_of_sample(name) for name in ("a", "b1", "c")] == [True, True, False]


def test_an_input_may_count_repetitions(put_case: Put, toy: str) -> None:
    assert load_case(put_case()).repetitions == ()
    text = toy.replace('dtype = "int" }', 'dtype = "int", role = "repetitions" }')
    case = load_case(put_case(text))
    assert case.repetitions == ("tokens",)
    assert graph_hash(case) == graph_hash(load_case(put_case()))


@pytest.mark.parametrize("folder", sorted(SUITE.glob("*/case.toml")), ids=lambda path: path.parent.name)
def test_every_case_of_the_repository_is_sound(folder: Path) -> None:
    case = load_case(folder.parent)
    known = {value.name for value in case.inputs}
    for stage in case.stages:
        assert known.issuperset(stage.inputs)
        known |= {value.name for value in stage.outputs}


# What is replaced by what; what the line that is named reads; words of the message; words of the advice.
WRONG = {
    "toml syntax": ('title = "Toy"', 'title = "Toy', "title", "is not TOML", "correct the syntax"),
    "syntax at the end": (
        "decimals = 2\nfixture = ",
        "decimals = [\nfixture = ",
        "fixture =",
        "is not TOML",
        "",
    ),
    "table twice": ("[[identity]]", "[inputs]", "[inputs]", "is not TOML: Cannot declare", ""),
    "unknown key": (
        'title = "Toy"',
        'titel = "Toy"',
        "titel",
        "unknown key 'titel' in case",
        "did you mean 'title'",
    ),
    "unknown key far off": (
        'symbol = "L"',
        "zzz = 1",
        "zzz",
        "unknown key 'zzz' in stage[1]",
        "known keys: name,",
    ),
    "unknown section": (
        "[[identity]]",
        "[[identities]]",
        "[[identities]]",
        "unknown key 'identities'",
        "'identity'",
    ),
    "unknown key in a tolerance": (
        'value = 4, reason = "one',
        'value = 4, raeson = "one',
        "raeson",
        "unknown key 'raeson' in stage[1].tolerance",
        "did you mean 'reason'",
    ),
    "unknown key of an output": (
        '{ name = "final", shape',
        '{ name = "final", shap = 3, shape',
        '"final"',
        "unknown key 'shap' in stage[3].outputs[2]",
        "did you mean 'shape'",
    ),
    "shape beside outputs": (
        "outputs = [",
        'shape = ["n"]\noutputs = [',
        'shape = ["n"]',
        "unknown key 'shape'",
        "",
    ),
    "unknown key of an input": (
        'meaning = "step"',
        'mean = "step"',
        "step",
        "unknown key 'mean' in inputs.rate",
        "",
    ),
    "missing section": ("[inputs]", "[identity_]", None, "unknown key 'identity_'", ""),
    "missing key": ('origin = "made up"\n', "", "[case]", "'origin' is missing from case", "add 'origin'"),
    "stage without inputs": (
        'inputs = ["x", "W"]\n',
        "",
        None,
        "'inputs' is missing from stage[2]",
        "add 'inputs'",
    ),
    "stage without shape": (
        'shape = ["n", "d"]\nmeaning',
        "meaning",
        None,
        "'shape' is missing from stage[2]",
        "",
    ),
    "wrong type": (
        "nan = true",
        'nan = "yes"',
        "yes",
        "stage[2].nan: expected true or false, got text",
        "type",
    ),
    "wrong type of a name": (
        'name = "first"',
        "name = 1",
        "name = 1",
        "expected text, got a whole number",
        "",
    ),
    "wrong type of a size": ('["n", 3]', '["n", 3.5]', "3.5", "stage[1].shape[2]: expected", ""),
    "input that is no shape": (
        'W = ["d", "d"]',
        'W = "d"',
        'W = "d"',
        "inputs.W: expected a table, got text",
        "",
    ),
    "stage that is no list": ("[[stage]]", "[stage]", None, "is not TOML: Cannot", ""),
    "unknown dtype": (
        'dtype = "bool"',
        'dtype = "boolean"',
        "boolean",
        "'boolean'",
        "use one of: bool, complex, float, int",
    ),
    "unknown rule": (
        'rule = "absolute"',
        'rule = "close"',
        "close",
        "'close'",
        "absolute, derived, exact, relative, ulp",
    ),
    "unknown precision": (
        '"float32"]',
        '"float8"]',
        "float8",
        "'float8'",
        "use one of: float64, float32, float16, bfloat16",
    ),
    "precision twice": (
        '"float32"]',
        '"float64"]',
        "precisions",
        "at least one precision, each once",
        "float64",
    ),
    "no precision": ('["float64", "float32"]', "[]", "precisions", "at least one precision", "float64"),
    "empty title": ('title = "Toy"', 'title = " "', "title", "'title' is empty", "a few words"),
    "other name": (
        'name = "toy"',
        'name = "toi"',
        "toi",
        "the case is called 'toi', its folder 'toy'",
        "same name",
    ),
    "bad fixture name": (
        'fixture = "toy"\n',
        'fixture = "../toy"\n',
        "../toy",
        "cannot be a name",
        "letters",
    ),
    "timeout of zero": ("[inputs]", "timeout = 0\n[inputs]", "timeout", "seconds above 0", ""),
    "endless timeout": ("[inputs]", "timeout = inf\n[inputs]", "timeout", "seconds above 0", ""),
    "bad reference": (
        "[inputs]",
        'reference = "a b"\n[inputs]',
        "a b",
        "not the name of an implementation",
        "numpy",
    ),
    "stage name": (
        'name = "first"',
        'name = "1st"',
        "1st",
        "'1st' cannot be a name in every language",
        "letter",
    ),
    "stage name of R": ('name = "first"', 'name = "a.b"', "a.b", "cannot be a name", "letters"),
    "stage name of Julia": ('name = "first"', 'name = "∂L"', "∂L", "cannot be a name", "letters"),
    "output name": ('name = "final"', 'name = "_final"', "_final", "cannot be a name", "letters"),
    "input name": ('W = ["d", "d"]', '"W-Q" = ["d", "d"]', "W-Q", "cannot be a name", "letters"),
    "reserved in Python": ('name = "first"', 'name = "lambda"', "lambda", "reserved word", "another name"),
    "reserved in R": ('name = "first"', 'name = "function"', "function", "reserved word", "another name"),
    "reserved in Julia": ('W = ["d", "d"]', 'end = ["d", "d"]', "end", "reserved word", "another name"),
    "unknown role": (
        'dtype = "int" }',
        'dtype = "int", role = "epochs" }',
        "role",
        "inputs.tokens.role is 'epochs'",
        "repetitions",
    ),
    "repetitions that are no integer": (
        'meaning = "step" }',
        'meaning = "step", role = "repetitions" }',
        "role",
        "'rate' counts repetitions, but is float",
        'dtype = "int"',
    ),
    "role of an output": (
        'shape = ["n"], dtype = "bool",',
        'shape = ["n"], dtype = "bool", role = "repetitions",',
        "role",
        "unknown key 'role' in stage[3].outputs[3]",
        "known keys",
    ),
    "negative size": ('shape = ["n", 3]', 'shape = ["n", -3]', "-3", "a size cannot be -3", "0 or more"),
    "bad symbol": ('x = ["n", "d"]', 'x = ["n", "d k"]', "d k", "'d k' is not a symbol for a size", "d_k"),
    "bad symbol of an output": ('["epochs"]', '["2n"]', "2n", "'2n' is not a symbol", ""),
    "input twice": ('W = ["d", "d"]', 'x = ["d", "d"]', None, "is not TOML: Cannot overwrite", ""),
    "stage twice": (
        'name = "first"',
        'name = "last"',
        None,
        "'last' is used twice: it is already that of a stage",
        "",
    ),
    "stage called as an input": (
        'name = "first"',
        'name = "x"',
        'name = "x"',
        "already that of an input",
        "",
    ),
    "output twice": ('name = "final"', 'name = "losses"', None, "'losses' is used twice", "differently"),
    "output called as a stage": ('name = "final"', 'name = "first"', None, "'first' is used twice", ""),
    "output called as an input": (
        'name = "final"',
        'name = "W"',
        'name = "W"',
        "already that of an input",
        "",
    ),
    "unknown input": (
        'inputs = ["x", "W"]',
        'inputs = ["x", "V"]',
        '"V"',
        "stage 'first' takes 'V', which is no input and no stage's output",
        "there are: x, W, rate, tokens, last, first, losses, final, mask",
    ),
    "stage of several outputs as an input": (
        '["first", "losses"]',
        '["first", "fit"]',
        None,
        "takes 'fit'",
        "losses",
    ),
    "own output": (
        '["x", "W"]',
        '["x", "first"]',
        '["x", "first"]',
        "in a circle: first -> first",
        "not need it",
    ),
    "circle": ('["x", "W"]', '["x", "last"]', None, "in a circle: ", "not need it"),
    "no tolerance": (
        'nan = true\ntolerance = { rule = "exact" }',
        'dtype = "int"',
        None,
        "'first' has no tolerance",
        "rule =",
    ),
    "output without tolerance": (
        ', tolerance = { rule = "exact" } }',
        " }",
        '"mask"',
        "'mask' has no tolerance",
        "",
    ),
    "no value": ('"ulp", value = 4,', '"ulp",', None, "the rule 'ulp' needs a value", "0 means exact"),
    "no reason": (', reason = "one product"', "", None, "the rule 'ulp' needs a reason", "reason ="),
    "blank reason": ('"one product"', '" "', None, "the rule 'ulp' needs a reason", "reason ="),
    "negative value": ("value = 4", "value = -4", "-4", "a tolerance cannot be -4.0", "0 or above"),
    "NaN": ("value = 4", "value = nan", "nan", "a tolerance cannot be nan", "0 or above"),
    "infinity": ("value = 4", "value = inf", "inf", "a tolerance cannot be inf", "0 or above"),
    "too large": ("value = 4", "value = 1" + "0" * 400, "000", "number out of range", ""),
    "exact with a value": (
        'dtype = "bool", tolerance = { rule = "exact" }',
        'dtype = "bool", tolerance = { rule = "exact", value = 1 }',
        "value = 1 }",
        "the rule 'exact' takes no value",
        "remove it",
    ),
    "exact and measured": (
        'dtype = "bool", tolerance = { rule = "exact" }',
        'dtype = "bool", tolerance = { rule = "exact", basis = "measured" }',
        "measured",
        "the rule 'exact' takes no basis",
        "remove it",
    ),
    "wider of what is exact": (
        'dtype = "bool", tolerance = { rule = "exact" }',
        'dtype = "bool", tolerance = { rule = "exact", wider = { samples = "a", value = 1, reason = "b" } }',
        "wider",
        "the rule 'exact' takes no wider",
        "remove it",
    ),
    "wider that is not": (
        'reason = "one product"',
        'reason = "one product", wider = { samples = "long", value = 4, reason = "grows" }',
        "wider",
        "4.0 is not wider than 4.0",
        "a larger number",
    ),
    "wider for ever": (
        'reason = "one product"',
        'reason = "one product", wider = { samples = "long", value = inf, reason = "grows" }',
        "wider",
        "inf is not wider than 4.0",
        "a larger number",
    ),
    "wider without a reason": (
        'reason = "one product"',
        'reason = "one product", wider = { samples = "long", value = 5, reason = " " }',
        "wider",
        "'reason' is empty",
        "say it",
    ),
    "curve of a matrix": (
        "nan = true\n",
        'nan = true\nshow = "curve"\n',
        'show = "curve"',
        "'first' has 2 dimensions, and cannot be shown as a curve",
        "one dimension",
    ),
    "labels of what is not shown": (
        "nan = true\n",
        'nan = true\nlabels = "corpus/1"\n',
        'labels = "corpus/1"',
        "'first' is not shown",
        "heatmap",
    ),
    "tolerant bool": (
        'dtype = "bool", tolerance = { rule = "exact" }',
        'dtype = "bool", tolerance = { rule = "ulp", value = 1, reason = "x" }',
        '"mask"',
        "'mask' is true or false",
        "exact",
    ),
    "bool with NaN": (
        'dtype = "bool",',
        'dtype = "bool", nan = true,',
        '"mask"',
        "is bool, which has no NaN",
        "",
    ),
    "no output": ("outputs = [\n", "outputs = []\nx_ = [\n", None, "unknown key 'x_'", ""),
    "identity of nothing": (
        'right = "final"',
        'right = "finale"',
        "finale",
        "no stage's output 'finale'",
        "final,",
    ),
    "identity of an input": ('right = "final"', 'right = "x"', 'right = "x"', "no stage's output 'x'", ""),
    "identity with itself": ('right = "final"', 'right = "first"', 'right = "first"', "against itself", ""),
    "identity of two shapes": ('right = "final"', 'right = "losses"', "[[identity]]", "[n, d]", "one shape"),
    "identity without reason": (', reason = "algebra"', "", None, "needs a reason", ""),
    "identity without id": ('id = "same"', 'id = ""', 'id = ""', "'id' is empty", ""),
    "divergence of nothing": (
        'identity = "same"',
        'identity = "sam"',
        '"sam"',
        "no identity 'sam'",
        "are: same",
    ),
    "divergence of no stage": (
        'stage = "last"\nimpl',
        'stage = "lost"\nimpl',
        "lost",
        "no stage's output 'lost'",
        "",
    ),
    "divergence of several": (
        'stage = "last"\nimpl',
        'stage = "fit"\nimpl',
        "fit",
        "several outputs",
        "losses, final",
    ),
    "divergence of both": (
        'stage = "last"\nimpl',
        'stage = "last"\nidentity = "same"\nimpl',
        None,
        "either",
        "both",
    ),
    "divergence of no size": ("at_most = 1e-2\n", "", None, "'at_most' is missing", 'measure = "norm"'),
    "divergence of no least size": ("at_least = 1e-4\n", "", None, "'at_least' is missing", "at_least = "),
    "divergence of no measure": ('measure = "norm"\n', "", None, "'measure' is missing", "at_least = "),
    "divergence of another measure": ('"norm"', '"ulp"', 'measure = "ulp"', "ulp", "norm"),
    "divergence of a negative size": ("= 1e-4", "= -1e-4", "= -1e-4", "cannot be -0.0001 large", "0 or"),
    "divergence of any size": ("= 1e-2", "= inf", "= inf", "cannot be inf large", "0 or above"),
    "divergence from zero": (
        "= 1e-4",
        "= 0",
        "at_least = 0",
        "0 to 0.01 covers nearly everything",
        "above 0",
    ),
    "divergence of a range too wide": ("= 1e-2", "= 1e9", "= 1e-4", "covers nearly everything", "1e12"),
    "divergence of nothing at all": (
        "at_least = 1e-4\nat_most = 1e-2",
        "at_least = 0\nat_most = 0",
        "at_most = 0",
        "nothing is at least 0 and at most 0",
        "larger",
    ),
    "divergence of an empty range": (
        "= 1e-2",
        "= 1e-5",
        "= 1e-5",
        "nothing is at least 0.0001 and at most 1e-05",
        "larger",
    ),
    "divergence of no element": (
        "at_most = 1e-2",
        "at_most = 1e-2\nelements = [0, 4]",
        "elements",
        "known divergence 'not-same': nothing is in 0 to 4 elements",
        "[1, 4]",
    ),
    "divergence of fewer elements than at least": (
        "at_most = 1e-2",
        "at_most = 1e-2\nelements = [4, 3]",
        "elements",
        "nothing is in 4 to 3 elements",
        "the least and the most",
    ),
    "divergence of one number of elements": (
        "at_most = 1e-2",
        "at_most = 1e-2\nelements = [4]",
        "elements",
        "",
        "",
    ),
    "divergence of half an element": ("at_most = 1e-2", "at_most = 1e-2\nelements = [1.5, 2]", "1.5", "", ""),
    "divergence of no sample": (
        "at_most = 1e-2",
        "at_most = 1e-2\nsamples = []",
        "samples",
        "known divergence 'not-same' names no sample",
        "leave 'samples' out",
    ),
    "divergence of a sample without a name": (
        "at_most = 1e-2",
        'at_most = 1e-2\nsamples = ["s", " "]',
        "samples",
        "names no sample",
        "write the names",
    ),
    "identity that cannot be derived": (
        'rule = "relative", value = 1e-9, reason = "algebra"',
        'rule = "derived"',
        'rule = "derived"',
        "that of 'first' is stated",
        "state it",
    ),
    "divergence of neither": ('identity = "same"\n', "", None, "either an identity or a stage", "both"),
    "divergence twice": ('id = "off"', 'id = "not-same"', None, "'not-same' is there twice", ""),
    "divergence covered twice": (
        'stage = "last"\nimplementation = "julia*"',
        'identity = "same"',
        None,
        "the same",
        "",
    ),
    "divergence without cause": ('cause = "a quirk"\n', 'cause = ""\n', 'cause = ""', "'cause' is empty", ""),
    "divergence without evidence": ('evidence = "1e-3"\n', "", None, "'evidence' is missing", ""),
    "printed of nothing": (
        'stage = "last"\nsource',
        'stage = "lost"\nsource',
        "lost",
        "no stage's output 'lost'",
        "",
    ),
    "printed as a number": (
        '"0.50", "1e3"',
        '0.50, "1e3"',
        "0.50,",
        "0.5 has lost the digits",
        'text: "0.50"',
    ),
    "printed as a word": ('"0.50", "1e3"', '"half", "1e3"', "half", "'half' is not a printed number", ""),
    "printed too flat": (
        '[["0.50", "1e3", "-2"], "..."]',
        '["0.5", "1"]',
        '"0.5"',
        "where a list is due",
        "",
    ),
    "printed too deep": (
        '["NaN", "1.0", "..."]',
        '[["1"], "..."]',
        "[[",
        "more dimensions than the value",
        "",
    ),
    "printed too many": ('"1e3", "-2"]', '"1e3", "-2", "4"]', None, "4 items for a dimension of 3", "elide"),
    "printed too few": ('"1e3", "-2"]', '"1e3"]', None, "2 items for a dimension of 3", "elide"),
    "elided twice": ('["NaN", "1.0", "..."]', '["...", "1.0", "..."]', None, "'...' stands twice", ""),
    "nothing printed": ('["NaN", "1.0", "..."]', '["..."]', '["..."]', "holds no number", "at least one"),
    "negative decimals": ("decimals = 2", "decimals = -2", "-2", "'decimals' must be 0 or above", ""),
    "decimals of a float32": (
        "decimals = 2",
        "decimals = 2\nfloat32 = true",
        "decimals",
        "beside 'float32'",
        "",
    ),
    "one source twice": (
        'stage = "losses"\nsource = "a paper"\nvalues = ["NaN", "1.0", "..."]',
        'stage = "last"\nsource = "a book"\nvalues = [["1", "2", "3"]]',
        None,
        "two printed values of 'last' have one source",
        "which of them",
    ),
}


@pytest.mark.parametrize(("old", "new", "where", "message", "advice"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_refused_with_its_line(
    put_case: Put, toy: str, old: str, new: str, where: str | None, message: str, advice: str
) -> None:
    assert old in toy
    text = toy.replace(old, new, 1)
    folder = put_case(text)
    with pytest.raises(CaseError) as caught:
        load_case(folder)
    error = caught.value
    assert message in error.message
    assert advice in error.advice
    assert error.path == folder / "case.toml"
    assert error.exit_code is ExitCode.USAGE
    if where is not None:
        assert error.line is not None
        assert where in text.split("\n")[error.line - 1]


LINES = {
    "stage without inputs": ('inputs = ["x", "W"]\n', "", 21),
    "no tolerance": ('nan = true\ntolerance = { rule = "exact" }', 'dtype = "int"', 21),
    "no value": ('"ulp", value = 4,', '"ulp",', 19),
    "stage twice": ('name = "first"', 'name = "last"', 22),
    "output twice": ('name = "final"', 'name = "losses"', 34),
    "circle": ('["x", "W"]', '["x", "last"]', 16),
    "divergence twice": ('id = "off"', 'id = "not-same"', 55),
    "printed too many": ('"1e3", "-2"]', '"1e3", "-2", "4"]', 68),
}


@pytest.mark.parametrize(("old", "new", "line"), LINES.values(), ids=LINES)
def test_lines_that_no_text_tells_apart(put_case: Put, toy: str, old: str, new: str, line: int) -> None:
    with pytest.raises(CaseError) as caught:
        load_case(put_case(toy.replace(old, new, 1)))
    assert caught.value.line == line


def test_a_circle_is_named_in_the_order_of_its_data(put_case: Put, toy: str) -> None:
    with pytest.raises(CaseError) as caught:
        load_case(put_case(toy.replace('["x", "W"]', '["x", "last"]')))
    assert caught.value.message in {
        "the stages go in a circle: last -> first -> last",
        "the stages go in a circle: first -> last -> first",
        "the stages go in a circle: first -> fit -> last -> first",
        "the stages go in a circle: fit -> last -> first -> fit",
        "the stages go in a circle: last -> first -> fit -> last",
    }


def test_identities_are_told_apart(put_case: Put, toy: str) -> None:
    twice = '[[identity]]\nid = "same"\nleft = "first"\nright = "final"\ntolerance = { rule = "exact" }\n\n'
    with pytest.raises(CaseError, match="the identity 'same' is there twice"):
        load_case(put_case(toy.replace("[[known", twice + "[[known", 1)))
    other = twice.replace('"same"', '"other"').replace('"first"', '"?"').replace('"final"', '"first"')
    other = other.replace('"?"', '"final"')
    with pytest.raises(CaseError, match="'same' and 'other' hold the same two values"):
        load_case(put_case(toy.replace("[[known", other + "[[known", 1)))


def test_a_case_needs_a_stage(put_case: Put, toy: str) -> None:
    text = "stage = []\n" + toy[: toy.index("[[stage]]")]
    with pytest.raises(CaseError, match="the case has no stage") as caught:
        load_case(put_case(text))
    assert caught.value.line == 1
    with pytest.raises(CaseError, match="'stage' is missing from the file"):
        load_case(put_case(text.removeprefix("stage = []\n")))
    with pytest.raises(CaseError, match="stage 'fit' has no output"):
        load_case(put_case(toy[: toy.index("outputs = [")] + "outputs = []\n"))


def test_what_cannot_be_read(put_case: Put, suite: Path) -> None:
    with pytest.raises(CaseError, match=r"there is no case\.toml here"):
        load_case(suite / "nothing")
    folder = put_case()
    (folder / "case.toml").write_bytes(b"[case]\nname = '\xff'\n")
    with pytest.raises(CaseError, match="is not UTF-8") as caught:
        load_case(folder)
    assert caught.value.line == 2
    (folder / "case.toml").write_text("x = " + "[" * 5000 + "]" * 5000, encoding="utf-8")
    with pytest.raises(CaseError, match="nested too deeply"):
        load_case(folder)
    (folder / "case.toml").write_text("x = " + "9" * 5000, encoding="utf-8")
    with pytest.raises(CaseError, match="is not TOML"):
        load_case(folder)
    (folder / "case.toml").write_text("", encoding="utf-8")
    with pytest.raises(CaseError, match="'case' is missing from the file"):
        load_case(folder)


def test_windows_line_ends_are_fine(put_case: Put, toy: str) -> None:
    folder = put_case()
    (folder / "case.toml").write_bytes(toy.replace("\n", "\r\n").encode())
    assert len(load_case(folder).stages) == 3


def test_the_suite_is_the_nearest_one_upward(tmp_path: Path) -> None:
    for folder in ("reference_impls/four_word", "fixtures", "inner/deep"):
        (tmp_path / folder).mkdir(parents=True)
    assert find_suite(tmp_path / "inner" / "deep") == tmp_path / "reference_impls"
    assert find_suite(tmp_path) == tmp_path / "reference_impls"
    (tmp_path / "inner" / "reference_impls").mkdir()
    assert find_suite(tmp_path / "inner" / "deep") == tmp_path / "reference_impls"
    (tmp_path / "inner" / "fixtures").mkdir()
    assert find_suite(tmp_path / "inner" / "deep") == tmp_path / "inner" / "reference_impls"


def test_no_suite_upward(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no suite here") as caught:
        find_suite(tmp_path)
    assert "--suite" in caught.value.advice


def test_case_folders(put_case: Put, suite: Path) -> None:
    put_case()
    for name in ("b", "a", "fixtures"):
        (suite / name).mkdir()
    (suite / "a" / "case.toml").touch()
    (suite / "README.md").touch()
    assert case_folders(suite) == (suite / "a", suite / "toy")
    with pytest.raises(UsageError, match="does not exist"):
        case_folders(suite / "nothing")
    with pytest.raises(UsageError, match="is not a folder"):
        case_folders(suite / "README.md")
    with pytest.raises(UsageError, match="is a case, not a suite"):
        case_folders(suite / "toy")
