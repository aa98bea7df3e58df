#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wrong commands of docs/messages.md: each prints what the page shows, and
ends with its status.

    messages.py VENTUS PAGE EXAMPLES [--update]

The files that they use are blocks of the page that begin with "FILE:"; those of
EXAMPLES are there, too.  --update writes what is printed into the page, to be read
before it is committed."""
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, PAGE, EXAMPLES = sys.argv[1:4]


def blocks(text):
    """(start, end, text) of each fenced block."""
    return [(m.start(1), m.end(1), m[1])
            for m in re.finditer(r'^```\n(.*?)^```$', text, re.M | re.S)]


def put_files(folder, text):
    for _, _, block in blocks(text):
        name, _, rest = block.partition(':\n')
        if re.fullmatch(r'[\w.]+', name):
            (folder / name).write_text(rest, encoding='utf-8')


def run(folder, block):
    """The block as it ought to be."""
    shown = []
    for line in block.splitlines():
        if not line.startswith('$ ventus'):
            continue
        p = subprocess.run([VENTUS, *shlex.split(line)[2:]], cwd=folder,
                           check=False, capture_output=True, text=True,
                           timeout=100)
        shown += [line, *(p.stdout + p.stderr).splitlines(),
                  f'(status {p.returncode})']
    return '\n'.join(shown) + '\n'


def main():
    page = Path(PAGE)
    text = page.read_text(encoding='utf-8')
    made, at, wrong, count = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in Path(EXAMPLES).glob('*.s'):
            shutil.copy(source, folder)
        put_files(folder, text)
        for start, end, block in blocks(text):
            made.append(text[at:start])
            at = end
            if block.startswith('$ ventus'):
                wanted, block = block, run(folder, block)
                count += block.count('$ ventus')
                if wanted != block:
                    print(f'the page:\n{wanted}--- printed:\n{block}')
                    wrong += 1
            made.append(block)
    if '--update' in sys.argv:
        page.write_text(''.join(made) + text[at:], encoding='utf-8')
    elif wrong or count < 60:
        sys.exit(f'{wrong} blocks differ, of {count} commands')
    print(f'{count} commands')


if __name__ == '__main__':
    main()
