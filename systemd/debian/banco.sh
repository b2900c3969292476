#!/bin/sh
# The program as it stood when this process began: a newer one beside it changes nothing here.
set -eu
program=$(readlink -e "$0")
program=${program%/system/banco}
# Nor does it write there, not even as root: what is not in the signed list is a change.
export PYTHONPATH="$program" PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1
# Blocked until banco can hold them: while Python itself starts, Ctrl-C can be lost or end in a traceback.
exec env --block-signal=INT,TERM,HUP /usr/bin/python3 -P -m console "$@"
