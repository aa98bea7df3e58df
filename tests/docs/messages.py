#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of a page: each prints what the page shows, and ends with its status,
which a page shows if it is not 0 or with --status.

    messages.py VENTUS PAGE EXAMPLES [--least N] [--status] [--update]

The files that they use are blocks of the page that begin with "FILE:"; those of
EXAMPLES are there, too.  There are at least N commands.  --update writes what is
printed into the page, to be read before it is committed."""
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, PAGE, EXAMPLES = sys.argv[1:4]
MORE = sys.argv[4:]
LEAST = int(MORE[MORE.index('--least') + 1]) if '--least' in MORE else 1


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
        # Places of files and times of the host are those of this run.
        text = (p.stdout + p.stderr).replace(f'{folder.resolve()}/', '')
        shown += [line, *text.splitlines()]
        if p.returncode or '--status' in MORE:
            shown.append(f'(status {p.returncode})')
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
    if '--update' in MORE:
        page.write_text(''.join(made) + text[at:], encoding='utf-8')
    elif wrong or count < LEAST:
        sys.exit(f'{wrong} blocks differ, of {count} commands')
    print(f'{count} commands')


if __name__ == '__main__':
    main()
