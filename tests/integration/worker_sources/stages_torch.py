import ctypes
import os
import signal
import subprocess
import sys
import time

import torch


def identity(x):
    assert isinstance(x, torch.Tensor)
    return x


def shapes(a, b):
    return a, b


def none_in():
    return 2.5


def noise(x):
    print("printed noise")
    os.write(1, b"written noise\n")
    ctypes.CDLL(None).puts(b"C noise")
    subprocess.run(["echo", "echoed noise"], check=True)
    sys.stdin.close()
    return x


def boom(x):
    raise ValueError("it went\n  wrong")  # line of boom


def deep(x):
    return deep(x)


def text(x):
    return "four"


def nothing(x):
    pass


def lonely(x):
    return (x,)


def raised(x):
    return x + 1


def overflow(x):
    return torch.exp(x * 1000)


def grandchild(x):
    return subprocess.Popen(["sleep", "600"]).pid


def hang(x):
    while True:
        time.sleep(0.1)


def quits(x):
    print("last words", flush=True)
    os._exit(3)


def killed(x):
    os.kill(os.getpid(), signal.SIGKILL)


def wrong_arity(x, y, z=1):
    return x


not_a_function = 3
