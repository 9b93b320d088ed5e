#!/bin/sh
# sh apart.sh PROGRAM...: become the program, with requests on descriptor 3 and replies on descriptor 4.
# What it and its children print on descriptor 1 goes to descriptor 2, and descriptor 0 has nothing to read.
exec 3<&0 4>&1 </dev/null >&2
# On Linux, it ends with the harness.
if setpriv --pdeathsig KILL true 2>/dev/null; then
  exec setpriv --pdeathsig KILL "$@"
fi
exec "$@"
