"""What the worker that runs programs is checked with; no more than Python itself is needed.

It is started hundreds of times: what takes longer to import than all else is imported where it is needed, or
done without.
"""
# ruff: noqa: PTH123, PTH208

import os
import struct
import sys
import time

inputs, outputs, stage = sys.argv[1:4]
given = sorted(os.listdir(inputs))
name = stage.partition("_of_")[0]


def put(data, file=f"{stage}.npy"):
    """Write an output's file."""
    with open(f"{outputs}/{file}", "wb") as taken:
        taken.write(data)


def read(number):
    """The bytes of an input's file."""
    with open(f"{inputs}/{given[number]}", "rb") as file:
        return file.read()


def write(dtype, data):
    """Write one number as a file of NumPy's format."""
    header = repr({"descr": dtype, "fortran_order": False, "shape": ()}).ljust(117) + "\n"
    put(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def corner(data):
    """Dtype and bytes of the last element of a matrix's first row."""
    import ast

    first = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:first].decode())
    rows, columns = header["shape"]
    size = (len(data) - first) // (rows * columns)
    return header["descr"], data[first + (columns - 1) * size : first + columns * size]


if name == "boom":
    sys.exit("it went wrong")
if name == "noise":
    print("printed noise " * 10)
if name == "reads":
    sys.stdin.readline()
if name == "sleeps":
    time.sleep(0.2)
while name == "hangs":
    time.sleep(0.1)

if name == "text":
    put(b"four")
elif name == "two":
    put(read(1), f"{stage}_b.npy")
    put(read(0), f"{stage}_a.npy")
elif name == "constant":
    write("<f8", struct.pack("<d", 2.5))
elif name == "corner":
    write(*corner(read(0)))
elif name == "picky":
    sys.exit("this program computes nothing")
else:
    put(read(0))
