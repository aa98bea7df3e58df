#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs write their rows into a page of results and leave those of other runs.

With a suite of the OpenCL-CTS and a `ventus` that are shell scripts: a suite that writes
no results counts as a failure, and each choice in {} is a run.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'scripts'))
sys.path.insert(0, str(ROOT / 'tests/conformance'))
import results as pages  # pylint: disable=wrong-import-position
import run  # pylint: disable=wrong-import-position

VENTUS = """#!/bin/sh
case $1 in --version) echo ventus 9.8.7 ;; *) shift 4; exec "$@" ;; esac
"""
SUITE = """#!/bin/sh
case "$*" in *broken*) exit 3 ;; esac
echo '{"cmd": "x", "results": {"one": "pass", "two '"$2"'": "skip"}}' \\
    >"$CL_CONFORMANCE_RESULTS_FILENAME"
"""


def check_update(folder):
    page = folder / 'page.md'
    page.write_text('# A\n\n| a | b | c |\n|---|---|---|\n| 1 | x\\|y | old |\n'
                    '| 2 | z | stays |\n\nEnd.\n', encoding='utf-8')
    pages.update(page, ('a', 'b', 'c'), 2, [(1, 'x|y', 'new'), (1, 'z', 'more')])
    assert page.read_text(encoding='utf-8') == \
        '# A\n\n| a | b | c |\n|---|---|---|\n| 1 | x\\|y | new |\n' \
        '| 2 | z | stays |\n| 1 | z | more |\n\nEnd.\n', page.read_text()


def write_program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8')
    path.chmod(0o755)
    return path


def check_conformance(folder):
    ventus = write_program(folder / 'ventus', VENTUS)
    program = write_program(folder / 'test_conformance/half/test_half', SUITE)
    assert run.expand('-w {1D,2D} x') == [['-w', '1D', 'x'], ['-w', '2D', 'x']]
    assert run.expand('') == [[]]
    assert run.run_once(ventus, 'default', program, ['broken'], folder) == \
        {'test_half': 'fail'}
    page = folder / 'conformance.md'
    page.write_text(f'{pages.line_of(run.COLUMNS)}\n|{"---|" * len(run.COLUMNS)}\n',
                    encoding='utf-8')
    done = subprocess.run(
        [sys.executable, run.__file__, folder, '--ventus', ventus, '--write', page,
         'half'], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done
    row = pages.cells(page.read_text(encoding='utf-8').splitlines()[2])
    assert row[:6] == ['default', 'half', '-w -[4096]', '1', '0', '1'], row
    assert row[8].startswith('9.8.7'), row


def check_pages():
    """The pages of docs/results have the columns that their programs write."""
    sys.path[:0] = [str(ROOT / 'bench'), str(ROOT / 'tests/clients')]
    for name, script in (('performance', 'bench/run.py'),
                         ('native', 'bench/bench_native.py'),
                         ('clients', 'tests/clients/run.py'),
                         ('conformance', 'tests/conformance/run.py')):
        scope = {'__file__': str(ROOT / script), '__name__': 'of the test'}
        exec(compile((ROOT / script).read_text(), script, 'exec'), scope)
        lines = (ROOT / f'docs/results/{name}.md').read_text(encoding='utf-8').splitlines()
        for columns in ('COLUMNS', 'PROGRAM_COLUMNS'):
            if columns in scope:
                assert pages.line_of(scope[columns]) in lines, (name, columns)
        if name == 'performance':  # tables are no figures
            found = {n for n, _ in scope['programs'](str(ROOT / 'no such build'))}
            assert 'calls' in found and not found & set(scope['TABLES']), found


def main():
    with tempfile.TemporaryDirectory() as name:
        check_update(Path(name))
        check_conformance(Path(name))
    check_pages()


if __name__ == '__main__':
    main()
