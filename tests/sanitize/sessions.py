#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sessions of a page: each is run, and prints what the page shows.

    sessions.py VENTUS HOST USES KERNELS PAGE [--update]

--update writes what is printed into the page, to be read before it is committed.  Machine instructions and their places change with the compiler, so they are left
out of the comparison, and so are lines of the host program.  Of `ventus debug` standard output is compared."""
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, HOST, USES, KERNELS, PAGE = sys.argv[1:6]
UPDATE = '--update' in sys.argv[6:]


def plain(text):
    text = re.sub(r'\+0x[0-9a-f]+ ', '+N ', text)
    text = re.sub(r'\((host|uses)\.c:\d+\)', r'(\1.c:N)', text)
    text = re.sub(r' at pc 0x[0-9a-f]+ \(.*?\), work', ' at pc N, work', text)
    text = re.sub(r'^( +at .*\)): .*$', r'\1', text, flags=re.M)
    return text.rstrip()


def in_debugger(text):
    """What GDB shows, without addresses of code."""
    return re.sub(r'\b0x8000[0-9a-f]{4}\b', '0xN', text).rstrip()


def sessions(text):
    """[(command, output)]: indented blocks that begin with a dollar."""
    found = []
    open_ = False
    for line in text.splitlines():
        if line.startswith('    $ '):
            found.append((line[6:], []))
            open_ = True
        elif open_ and (line.startswith('    ') or not line):
            found[-1][1].append(line[4:])
        else:
            open_ = False
    return [(command, '\n'.join(output).rstrip()) for command, output in found]


def indented(command, output):
    lines = [f'$ {command}', *output.rstrip().splitlines()]
    return ''.join(f'    {line}'.rstrip() + '\n' for line in lines)


def main():
    text, wrong = Path(PAGE).read_text(encoding='utf-8'), 0
    with tempfile.TemporaryDirectory() as folder:
        for source in Path(KERNELS).iterdir():
            shutil.copy(source, folder)
        shutil.copy(HOST, Path(folder) / 'host')
        shutil.copy(USES, Path(folder) / 'uses')
        for command, wanted in sessions(text):
            words = shlex.split(command)
            assert words[0] == 'ventus', command
            if words[1] == 'debug' and not shutil.which('gdb-multiarch'):
                continue
            p = subprocess.run([VENTUS, *words[1:]], cwd=folder, check=False,
                               capture_output=True, text=True)
            if words[1] == 'debug':
                found, plain_of = p.stdout, in_debugger
            else:
                found, plain_of = p.stderr + p.stdout, plain
            if plain_of(found) != plain_of(wanted):
                print(f'$ {command}\n{p.stderr}{p.stdout}--- the page:\n{wanted}')
                text = text.replace(indented(command, wanted),
                                    indented(command, found))
                wrong += 1
    if UPDATE:
        Path(PAGE).write_text(text, encoding='utf-8')
    elif wrong or not sessions(text):
        sys.exit(f'{wrong} of {len(sessions(text))} sessions differ')
    print(f'{len(sessions(text))} sessions')


if __name__ == '__main__':
    main()
