#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Messages have colours on a terminal, unless NO_COLOR is set or TERM is dumb.

    colours.py VENTUS [with-cc]
"""
import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS = sys.argv[1]
SOURCES = {'as': ('wrong.s', '\tfrob x1, x2\n'), 'cc': ('wrong.cl', 'y;\n')}


def on_terminal(folder, command, file, **environment):
    """What the command writes on standard error, a terminal."""
    ours, theirs = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k not in ('NO_COLOR', 'TERM')}
    p = subprocess.Popen([VENTUS, command, file], cwd=folder, stderr=theirs,
                         env={**env, **environment})
    os.close(theirs)
    text = b''
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other side is closed
            part = b''
        if not part:
            break
        text += part
    os.close(ours)
    if p.wait(timeout=60) != 1 or b'error' not in text:
        sys.exit(f'{command}: status {p.returncode}, {text!r}')
    return b'\033[' in text


def main():
    with tempfile.TemporaryDirectory() as folder:
        for command in ['as'] + ['cc'] * ('with-cc' in sys.argv):
            file, text = SOURCES[command]
            (Path(folder) / file).write_text(text)
            for wanted, environment in (
                    (True, {}), (True, {'TERM': 'xterm', 'NO_COLOR': ''}),
                    (False, {'TERM': 'xterm', 'NO_COLOR': '1'}),
                    (False, {'TERM': 'dumb'})):
                if on_terminal(folder, command, file, **environment) != wanted:
                    sys.exit(f'{command}: {environment}: '
                             f'{"no " * wanted}colours')


if __name__ == '__main__':
    main()
