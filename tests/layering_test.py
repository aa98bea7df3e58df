#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""layering.py must refuse what it is there to refuse.

    layering_test.py [CC [NM]]
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ARROWS = '''# Architecture
## Folders and arrows
| folder | purpose | uses | state |
|---|---|---|---|
| `src/base/` | memory | - | here |
| `src/isa/` | tables | base | here |
| `src/asm/` | assembler | isa | planned |
| `src/dev/` | driver | base | here |
| `src/model/` | machine | base | here |
## Next
| `src/other/` | not part of it | asm | here |
'''
CASES = [  # file, line, what layering.py says of it ('' = nothing)
    ('src/asm/a.c', '#include "base/arena.h"', ''),
    ('src/asm/a.c', '#include <ventus/isa_ops.h>', ''),
    ('src/asm/a.c', '#include <stdio.h>', ''),
    ('src/isa/a.h', '#include "asm/a.h"', 'isa may not include asm'),
    ('src/isa/a.h', '#  include <ventus/asm.h>',
     'isa may not include <ventus/asm.h>'),
    ('src/isa/a.c', '#include "a.h"', "\"a.h\": name the module's folder"),
    ('src/isa/a.c', '#include <llvm-c/Core.h>',
     'only src/cc/llvm/ may include llvm-c'),
    ('src/isa/CMakeLists.txt', 'ventus_module(isa SOURCES a.c DEPS base asm)',
     'isa may not depend on asm'),
    ('src/isa/CMakeLists.txt', 'ventus_module(isa SOURCES a.c DEPS base)', ''),
    ('src/new/a.c', '', 'not in docs/architecture.md'),
    ('include/ventus/asm.h', '#include <ventus/isa.h>', ''),
    ('include/ventus/isa.h', '#include <ventus/asm.h>',
     'isa may not include <ventus/asm.h>'),
    ('include/ventus/isa.h', '#include "base/buf.h"',
     'a public header includes "base/buf.h"'),
    ('tools/ventus/as.c', '#include "asm/a.h"', ''),
    ('tools/ventus/as.c', 'if (dev_setting(e->dev, "engine"))',
     'asks which engine it is: dev_can() knows what it is capable of'),
    ('src/asm/a.c', 'if (v[CONFIG_engine])',
     'asks which engine it is: dev_can() knows what it is capable of'),
    ('src/dev/engines.c', 'value[CONFIG_engine]', ''),
    ('src/asm/a.c', '    ok = pthread_create(&id, NULL, f, NULL) == 0;',
     'makes a thread: base/thread.h does'),
    ('src/base/thread.c', 'pthread_create(id, attr, enter, s)', ''),
]
README = '''# asm
## Files, in order of use
| file | what it holds |
|---|---|
| `a.h` `a.c` | first |
| `b.h` `b.c` | then |
'''
TREES = [  # files, what layering.py says of them
    ({'src/asm/a.h': '', 'src/asm/a.c': '#include "asm/a.h"',
      'src/asm/b.h': '#include "asm/a.h"', 'src/asm/b.c': '#include "asm/b.h"',
      'src/asm/README.md': README}, ''),
    # A circle of headers, and one that only a .c file closes.
    ({'src/asm/a.h': '#include "asm/b.h"', 'src/asm/b.h': '#include "asm/a.h"'},
     'src/asm:1: units include each other: a -> b -> a'),
    ({'src/asm/a.h': '', 'src/asm/a.c': '#include "asm/c.h"',
      'src/asm/b.h': '#include "asm/a.h"', 'src/asm/c.h': '#include "asm/b.h"'},
     'src/asm:1: units include each other: a -> c -> b -> a'),
    # No circle, but against the order.
    ({'src/asm/a.h': '', 'src/asm/a.c': '#include "asm/b.h"',
      'src/asm/b.h': '', 'src/asm/README.md': README},
     'src/asm/a.c:1: b.h is below a.c in the order of use of '
     'src/asm/README.md'),
    ({'src/asm/a.h': '', 'src/asm/README.md': '# asm\n| `a.h` | first |\n'},
     'src/asm/README.md:1: does not list its files in the order of use'),
    ({'src/model/machine.h': '#include "model/new.h"',
      'src/model/new.h': '#include "model/machine.h"'},
     'src/model:1: units include each other: machine -> new -> machine'),
]
CC = sys.argv[1] if len(sys.argv) > 1 else 'cc'
NM = sys.argv[2] if len(sys.argv) > 2 else 'nm'
A, B, C = 'src/asm/a.c', 'src/asm/b.c', 'src/asm/c.c'
# Three files in a circle.  The first passes b on as an address.
CIRCLE = {A: 'void b(void); void (*a(void))(void); '
             'void (*a(void))(void) { return b; }',
          B: 'void c(void); void b(void); void b(void) { c(); }',
          C: 'void (*a(void))(void); void c(void); void c(void) { a(); }'}
CALLED = ''.join(f'\n    {user} calls {used}: {name}' for user, used, name in (
    ('asm/a.c', 'asm/b.c', 'b'), ('asm/b.c', 'asm/c.c', 'c'),
    ('asm/c.c', 'asm/a.c', 'a')))
ALL = 'asm/a.c asm/b.c asm/c.c'
FIRST = 'tests/circles.txt:1: '
# A table of functions: who names the table calls none of them.
TABLE = {A: 'void b(void); void (*const t[])(void) = {b};',
         B: 'extern void (*const t[])(void); void b(void) { t[0](); }'}
CALLS = [  # files, lines of tests/circles.txt, not compiled, what is said
    (CIRCLE, '', (), f'src: files call each other in a circle: {ALL}{CALLED}'),
    (CIRCLE | {C: 'void c(void) {}'}, '', (), ''),
    (TABLE, '', (), ''),
    (TABLE | {A: TABLE[A] + 'void d(void) {}',
              B: TABLE[B] + 'void d(void); void e(void) { d(); }'}, '', (),
     'src: files call each other in a circle: asm/a.c asm/b.c'
     '\n    asm/a.c calls asm/b.c: b\n    asm/b.c calls asm/a.c: d'),
    ({A: 'static void b(void) {} void a(void) { b(); }',
      B: 'void a(void); void b(void) { a(); }'}, '', (), ''),
    (CIRCLE, 'asm: a.c b.c c.c  # why', (), ''),
    (CIRCLE, 'asm: a.c b.c c.c', (), f'{FIRST}a circle without a reason'),
    (TABLE, 'asm: a.c gone.c  # why', (), f'{FIRST}there is no src/asm/gone.c'),
    (CIRCLE, 'asm: a.c b.c  # why', (),
     f'{FIRST}the circle is another now: +asm/c.c{CALLED}'),
    (TABLE, 'asm: a.c b.c  # why', (),
     f'{FIRST}these files call each other in no circle any more: remove the '
     'line'),
    (CIRCLE, 'asm: a.c b.c c.c  # why', (B,), ''),
]


def compile_files(root, files):
    """Objects of the C files, and the list of commands that made them."""
    commands = []
    for name in files:
        path = root / 'build' / (name + '.o')
        path.parent.mkdir(parents=True, exist_ok=True)
        command = [CC, '-c', str(root / name), '-o', str(path)]
        subprocess.run(command, check=True)
        commands.append({'directory': str(root), 'file': str(root / name),
                         'command': ' '.join(command)})
    (root / 'build').mkdir(exist_ok=True)
    (root / 'build/compile_commands.json').write_text(
        json.dumps(commands), encoding='utf-8')


def said(files, compiled=None):
    """What layering.py says of a tree; `compiled`: with calls of these."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in (('docs/architecture.md', ARROWS),
                           ('src/base/a.c', ''), *files.items()):
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + '\n', encoding='utf-8')
        more = []
        if compiled is not None:
            compile_files(Path(root), compiled)
            more = [Path(root, 'build'), NM]
        run = subprocess.run([sys.executable, HERE / 'layering.py', root, *more],
                             stdout=subprocess.PIPE, text=True, check=False)
        lines = [line for line in run.stdout.splitlines()[:-1]
                 if not line.startswith('calls: ')]
        assert run.returncode == bool(lines), run
        return '\n'.join(lines)


def main():
    failed = 0
    for file, line, expected in CASES:
        where = file.rsplit('/', 1)[0] if 'architecture.md' in expected else file
        want = expected and f'{where}:1: {expected}'
        got = said({file: line})
        if got != want:
            failed += 1
            print(f'{file}: {line}\n  found:    {got}\n  expected: {want}')
    for files, want in TREES:
        got = said(files)
        if got != want:
            failed += 1
            print(f'{files}\n  found:    {got}\n  expected: {want}')
    for files, lines, absent, want in CALLS:
        got = said(files | {'tests/circles.txt': lines},
                   files.keys() - set(absent))
        if got != want:
            failed += 1
            print(f'{files} {lines}\n  found:    {got}\n  expected: {want}')
    print(f'{len(CASES) + len(TREES) + len(CALLS) - failed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
