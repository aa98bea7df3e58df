#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of a page: each prints what the page shows, and ends with its status,
which a page shows if it is not 0 or with --status.

    messages.py VENTUS PAGE EXAMPLES [--least N] [--status] [--update]
                [--program NAME]

A command may go on behind a backslash, and may end with "> FILE".  Commands outside of
such blocks, which nothing would run, are refused: indented lines that begin with "$".
The files that they use are blocks of the page that begin with "FILE:"; those of
EXAMPLES are there, too, for each FILE.spvasm the module FILE.spv, and for each FILE.c, a program of
hosts, FILE.  There are at least N commands.  --update writes what is
printed into the page, to be read before it is committed.  --program: commands begin
with this name, others are left out."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, PAGE, EXAMPLES = (str(Path(word).resolve()) for word in sys.argv[1:4])
MORE = sys.argv[4:]
PROGRAM = MORE[MORE.index('--program') + 1] if '--program' in MORE else 'ventus'
LEAST = int(MORE[MORE.index('--least') + 1]) if '--least' in MORE else 1


def blocks(text):
    """(start, end, text) of each fenced block that names no language."""
    return [(m.start(2), m.end(2), m[2]) for m in
            re.finditer(r'^```(.*)\n((?:.*\n)*?)```$', text, re.M) if not m[1]]


def assemble(path):
    if not shutil.which('spirv-as') or not shutil.which('llvm-spirv-15'):
        print('skipped: no spirv-as or llvm-spirv-15 (scripts/setup installs '
              'them)')
        sys.exit(77)
    subprocess.run(['spirv-as', '--target-env', 'spv1.0', '-o',
                    path.with_suffix('.spv'), path], check=True)


def build(path):
    """Compiles a program of the host: sanitized, if the libraries that it loads are."""
    subprocess.run(['cc', *os.environ.get('HOST_CFLAGS', '').split(), '-Wall', '-Werror',
                    '-o', path.with_suffix(''), path, '-lOpenCL'], check=True)


def put_files(folder, text):
    for _, _, block in blocks(text):
        name, _, rest = block.partition(':\n')
        if re.fullmatch(r'[\w.]+', name):
            (folder / name).write_text(rest, encoding='utf-8')
        if name.endswith('.spvasm'):
            assemble(folder / name)
        if name.endswith('.c'):
            build(folder / name)


def commands(block):
    """The lines of each command of a block, as they are."""
    return re.findall(rf'^\$ {re.escape(PROGRAM)} (?:.*\\\n)*.*', block, re.M)


def run(folder, block):
    """The block as it ought to be."""
    shown = []
    for command in commands(block):
        words = shlex.split(command.replace('\\\n', ' '))[2:]
        to = words.pop() if len(words) > 1 and words[-2] == '>' else None
        if to:
            words.pop()
        # An example may leave its objects to the end of its process.
        leaks = {'ASAN_OPTIONS': 'detect_leaks=0'} if words[-1].startswith('./') else {}
        p = subprocess.run([VENTUS, *words], cwd=folder, env={**os.environ, **leaks},
                           check=False, capture_output=True, text=True)
        if to:
            (folder / to).write_text(p.stdout, encoding='utf-8')
        # Places of files and times of the host are those of this run.
        text = ('' if to else p.stdout) + p.stderr
        text = text.replace(f'{folder.resolve()}/', '')
        shown += [*command.splitlines(), *text.splitlines()]
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
            if block.startswith(f'$ {PROGRAM} '):
                wanted, block = block, run(folder, block)
                count += len(commands(block))
                if wanted != block:
                    print(f'the page:\n{wanted}--- printed:\n{block}')
                    wrong += 1
            made.append(block)
    for line in re.findall(r'^ +\$ .*', text, re.M):
        print(f'a command that no test runs: {line}')
        wrong += 1
    if '--update' in MORE:
        page.write_text(''.join(made) + text[at:], encoding='utf-8')
    elif wrong or count < LEAST:
        sys.exit(f'{wrong} errors, {count} commands')
    print(f'{count} commands')


if __name__ == '__main__':
    main()
