#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""layering.py must refuse what it is there to refuse."""
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


def said(files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in (('docs/architecture.md', ARROWS),
                           ('src/base/a.c', ''), *files.items()):
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + '\n', encoding='utf-8')
        run = subprocess.run([sys.executable, HERE / 'layering.py', root],
                             stdout=subprocess.PIPE, text=True, check=False)
        lines = run.stdout.splitlines()[:-1]
        assert run.returncode == bool(lines), run
        return ''.join(lines)


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
    print(f'{len(CASES) + len(TREES) - failed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
