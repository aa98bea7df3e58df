#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of the reference that programs know: commands, keys, instructions, C API.

    generate.py VENTUS INCLUDE OUT
"""
import re
import subprocess
import sys
from pathlib import Path

VENTUS, INCLUDE, OUT = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


def ventus(*args):
    return subprocess.run([VENTUS, *args], check=True, capture_output=True,
                          text=True).stdout


def block(text):
    return '```\n' + text.rstrip() + '\n```\n'


def commands():
    text = ventus('--help')
    names = re.findall(r'^  (\w+) +\S', text, re.M)
    parts = ['# Commands\n\nThe help text of each command.  The manual pages '
             'have more: `man ventus-exec`.\n', block(text)]
    for name in names:
        parts += [f'## ventus {name}\n', block(ventus(name, '--help'))]
    return '\n'.join(parts)


def keys():
    return ('# Keys of a device\n\nAll settings, with the values of the preset '
            '`default`.  A line of a device file, or `--set KEY=VALUE`; '
            '`ventus info PRESET` prints the values of a preset.\n\n' +
            block(ventus('info', '--config')))


def instructions():
    names = re.findall(r'^\s*(\S+)', ventus('isa'), re.M)
    parts = ['# Instructions\n\nOne page for each instruction, as `ventus isa '
             'NAME` prints it.\n']
    for name in names:
        p = subprocess.run([VENTUS, 'isa', name], check=False,
                           capture_output=True, text=True)
        if p.returncode == 0 and p.stdout.startswith('NAME'):
            parts += [f'## {name}\n', block(p.stdout)]
    return '\n'.join(parts)


def c_api():
    parts = ['# C API\n\nThe public headers, `#include <ventus/NAME.h>`; '
             '`libventus` has what they declare.\n']
    for path in sorted(INCLUDE.glob('*.h')):
        text = path.read_text(encoding='utf-8')
        text = text.replace('/* SPDX-License-Identifier: Apache-2.0 */\n', '')
        parts += [f'## {path.name}\n',
                  '```c\n' + text.strip() + '\n```\n']
    return '\n'.join(parts)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for name, make in (('commands', commands), ('keys', keys),
                       ('isa', instructions), ('c-api', c_api)):
        (OUT / f'{name}.md').write_text(make(), encoding='utf-8')


if __name__ == '__main__':
    main()
