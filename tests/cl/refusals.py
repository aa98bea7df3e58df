#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: refusals.py VENTUS PROGRAM PAGE SRC_CL [--update]

What the log says of refused calls: PROGRAM (refusals.c) makes them, and PAGE has a
line for each, with the entry, the code and the words.  The sources have words for
each refusal, and no expressions of C.
"""
import re
import subprocess
import sys
from pathlib import Path

VENTUS, PROGRAM, PAGE, SOURCES = sys.argv[1:5]
LEAST = 60
# Codes that say all: a handle that is none, no memory.  `code`: the caller's.
PLAIN = re.compile(r'CL_INVALID_(PLATFORM|DEVICE|CONTEXT|COMMAND_QUEUE|MEM_OBJECT|'
                   r'SAMPLER|PROGRAM|KERNEL|EVENT)|CL_OUT_OF_HOST_MEMORY|code')


def refused():
    p = subprocess.run([VENTUS, 'run', '--log-api', '--', PROGRAM],
                       capture_output=True, text=True, check=True)
    lines = re.findall(r'^(cl\w+)\(.*?\) = (CL_(?!SUCCESS)\w+.*)$', p.stderr, re.M)
    # Addresses are those of this run.
    return [f'{entry}: ' + re.sub(r'\b0x[0-9a-f]{7,}', '0x...', rest)
            for entry, rest in lines]


def check_sources():
    wrong = []
    for path in sorted(Path(SOURCES).glob('*.c')):
        text = path.read_text(encoding='utf-8')
        for found in re.finditer(r'CL_REQUIRE\(((?:[^;])*?),\s*(\w+)\);', text):
            if not PLAIN.fullmatch(found[2]):
                line = text[:found.start()].count('\n') + 1
                wrong.append(f'{path.name}:{line}: {found[2]} without words')
    return wrong


page = Path(PAGE).read_text(encoding='utf-8')
block = re.search(r'```\n(cl\w+: (?:.*\n)*?)```', page)
now = refused()
if '--update' in sys.argv:
    Path(PAGE).write_text(page[:block.start(1)] + '\n'.join(now) + '\n' +
                          page[block.end(1):], encoding='utf-8')
    sys.exit()
wrong = check_sources()
shown = block[1].splitlines()
for old, new in zip(shown, now):
    if old != new:
        wrong.append(f'the page: {old}\n printed: {new}')
if len(shown) != len(now):
    wrong.append(f'{len(shown)} calls on the page, {len(now)} refused')
# A code alone says neither what was found nor what is allowed.
wrong += [f'no words: {line}' for line in now if line.count(': ') < 2]
wrong += [f'an expression of C: {line}' for line in now
          if re.search(r'&&|\|\||->|==', line)]
if len(now) < LEAST:
    wrong.append(f'{len(now)} calls, expected {LEAST}')
print(*wrong, f'{len(now)} calls, {len(wrong)} errors', sep='\n')
sys.exit(bool(wrong))
