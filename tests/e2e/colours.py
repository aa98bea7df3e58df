#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Messages have colours on a terminal, unless NO_COLOR is set or TERM is dumb.

    colours.py VENTUS [with-cc]
"""
import os
import sys
import tempfile
from pathlib import Path

import terminal

VENTUS = sys.argv[1]
SOURCES = {'as': ('wrong.s', '\tfrob x1, x2\n'), 'cc': ('wrong.cl', 'y;\n')}


def on_terminal(folder, command, file, **environment):
    """What the command writes on standard error, a terminal."""
    env = {k: v for k, v in os.environ.items() if k not in ('NO_COLOR', 'TERM')}
    status, text = terminal.run([VENTUS, command, file], cwd=folder,
                                env={**env, **environment})
    if status != 1 or b'error' not in text:
        sys.exit(f'{command}: status {status}, {text!r}')
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
