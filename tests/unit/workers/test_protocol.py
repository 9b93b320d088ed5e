"""Frames: what is written is what is read, and nothing else is."""

from __future__ import annotations

import io
import json

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.workers import protocol
from harness.workers.protocol import BFLOAT16, FrameError

NUMPY_DTYPES = [name for name in protocol.DTYPES if name != "bfloat16"]


def there_and_back(header: dict[str, object], arrays: list[np.ndarray]) -> tuple[object, list[np.ndarray]]:
    stream = io.BytesIO(b"".join(protocol.frame(header, arrays)))
    received, descriptors = protocol.parse(stream.readline())

    def fill(view: memoryview) -> None:
        assert stream.readinto(view) == len(view)

    results = protocol.receive(descriptors, fill)
    assert stream.read() == b""
    return received, results


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray:
    dtype = np.dtype(draw(st.sampled_from(NUMPY_DTYPES)))
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
    size = int(np.prod(shape)) * dtype.itemsize
    raw = draw(st.binary(min_size=size, max_size=size))
    if dtype.kind == "b":
        raw = bytes(byte & 1 for byte in raw)
    array = np.frombuffer(bytearray(raw), dtype=dtype).reshape(shape)
    match draw(st.sampled_from(["C", "F", "T", "strided", "swapped"])):
        case "F":
            return np.asfortranarray(array).reshape(shape)
        case "T":
            return array.T
        case "strided" if array.ndim:
            return array[::-1]
        case "swapped":
            return array.byteswap().view(dtype.newbyteorder(">"))
    return array


@given(st.lists(arrays(), max_size=3))
def test_every_bit_arrives(sent: list[np.ndarray]) -> None:
    _, received = there_and_back({"id": 1}, sent)
    for before, after in zip(sent, received, strict=True):
        assert same(before.astype(before.dtype.newbyteorder("=")), after)
        assert after.flags.writeable
        assert after.flags.owndata or after.base is not None


def test_every_bfloat16_arrives() -> None:
    sent = np.arange(2**16, dtype=np.uint16).view(BFLOAT16).reshape(256, 256)
    _, (received,) = there_and_back({"id": 1}, [sent])
    assert same(sent, received)


@given(st.text(), st.floats(allow_nan=False), st.integers())
def test_text_of_any_kind_is_one_line(text: str, number: float, whole: int) -> None:
    header = {"id": whole, "error": {"message": text, "seconds": number}}
    assert there_and_back(header, [])[0] == header
    assert b"".join(protocol.frame(header)).count(b"\n") == 1


def test_column_order_is_sent_as_it_lies() -> None:
    array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    line, data = protocol.frame({}, [array])
    assert json.loads(line)["arrays"] == [{"dtype": "float64", "shape": [2, 3], "order": "F"}]
    assert bytes(data) == array.tobytes(order="F")
    assert np.shares_memory(np.frombuffer(data, dtype=np.uint8), array)


@pytest.mark.parametrize(
    "array",
    [
        np.array(["text"]),
        np.array([None]),
        np.array(["2020-01-01"], dtype="M8[D]"),
        np.zeros(2, np.longdouble),
    ],
    ids=["text", "object", "date", "longdouble"],
)
def test_a_dtype_without_a_form_is_refused(array: np.ndarray) -> None:
    if array.dtype == np.float64:
        pytest.skip("long double is a double here")
    with pytest.raises(FrameError, match=str(array.dtype).replace("[", r"\[")):
        protocol.frame({}, [array])


def described(**changes: object) -> bytes:
    item = {"dtype": "float64", "shape": [2], "order": "C"} | changes
    return json.dumps({"id": 1, "arrays": [item]}).encode()


BAD_LINES = {
    "junk": b"hello world\n",
    "half a line": b'{"id":1,"resu',
    "no object": b"[1]\n",
    "not UTF-8": b'{"id":"\xff"}\n',
    "nested": b"[" * 200_000,
    "no list": b'{"arrays":{"dtype":"float64"}}',
    "no descriptor": b'{"arrays":[3]}',
    "a key too few": b'{"arrays":[{"dtype":"float64","shape":[2]}]}',
    "a key too many": described(strides=[8]),
    "unknown dtype": described(dtype="float128"),
    "dtype is no text": described(dtype=["float64"]),
    "unknown order": described(order="K"),
    "shape is no list": described(shape=2),
    "negative": described(shape=[-1]),
    "negative twice": described(shape=[-2, -3]),
    "absurd": described(shape=[2**40 + 1]),
    "absurd product": described(shape=[2**20, 2**18]),
    "fraction": described(shape=[1.5]),
    "a truth": described(shape=[True]),
    "too deep": described(shape=[1] * 33),
}


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES)
def test_what_is_no_frame_is_refused(line: bytes) -> None:
    with pytest.raises(FrameError) as caught:
        protocol.parse(line)
    assert len(str(caught.value)) < 400


def test_arrays_may_not_be_absurd_together() -> None:
    item = {"dtype": "uint8", "shape": [2**39], "order": "C"}
    assert protocol.parse(json.dumps({"arrays": [item, item]}).encode())[1][1].nbytes == 2**39
    with pytest.raises(FrameError, match="bytes"):
        protocol.parse(json.dumps({"arrays": [item, item, item]}).encode())


def test_a_boolean_is_one_byte_of_zero_or_one() -> None:
    _, descriptors = protocol.parse(described(dtype="bool"))

    def fill(view: memoryview) -> None:
        view[:] = b"\x01\x02"

    with pytest.raises(FrameError, match="boolean"):
        protocol.receive(descriptors, fill)
