#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/analyse finds what is wrong, and keeps its list of known ones honest.

    analyse_test.py

Each program's lines are read as it writes them; a finding is known by the line
of source, wherever that line is by now; entries without a reason are refused.
"""
import importlib.machinery
import importlib.util
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOADER = importlib.machinery.SourceFileLoader('analyse',
                                              str(ROOT / 'scripts/analyse'))
sys.dont_write_bytecode = True
SPEC = importlib.util.spec_from_loader('analyse', LOADER)
analyse = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(analyse)

LINES = {
    'gcc': '{}:3:15: warning: leak of ‘b’ [CWE-401] [-Wanalyzer-malloc-leak]',
    'tidy': '{}:3:1: warning: it is NULL [clang-analyzer-core.NullDereference]',
    'cppcheck': '{}:3: nullPointer: it is NULL: b',
}


def main():
    failed = 0
    file = 'src/base/buf.h'
    third = (ROOT / file).read_text('utf-8').splitlines()[2].strip()
    for tool, line in LINES.items():
        text = f'noise\n{line.format(ROOT / file)}\n{line.format("/usr/x.h")}\n'
        keys = list(analyse.findings(tool, text))
        if [k[2:] for k in keys] != [(file, third)]:
            failed += print(f'{tool}: found {keys}') or 1
    with tempfile.TemporaryDirectory() as scratch:
        analyse.KNOWN = Path(scratch, 'known')
        analyse.KNOWN.write_text('# head\n\ngcc -Wx a.c\n  line;\nwhy\n', 'utf-8')
        if analyse.read_known() != {('gcc', '-Wx', 'a.c', 'line;')}:
            failed += print(f'known: {analyse.read_known()}') or 1
        analyse.KNOWN.write_text('gcc -Wx a.c\nline;\n', 'utf-8')
        try:
            analyse.read_known()
            failed += print('an entry without a reason is not refused') or 1
        except SystemExit:
            pass
    analyse.KNOWN = ROOT / 'scripts/analyse.known'
    analyse.read_known()
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
