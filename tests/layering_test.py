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
]


def said(file, line):
    with tempfile.TemporaryDirectory() as root:
        for name, text in (('docs/architecture.md', ARROWS),
                           ('src/base/a.c', ''), (file, line + '\n')):
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding='utf-8')
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
        got = said(file, line)
        if got != want:
            failed += 1
            print(f'{file}: {line}\n  found:    {got}\n  expected: {want}')
    print(f'{len(CASES) - failed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
