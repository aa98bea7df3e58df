#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs suites of the Khronos OpenCL-CTS on this build and counts their results.

    run.py CTS [--ventus PATH] [--device NAME] [--write PAGE] [SUITE...]
    run.py --list

CTS is the build folder of KhronosGroup/OpenCL-CTS.  suites.txt beside this script has
the runs: device, suite, arguments, a note for the reader.  Without names of suites all of them run, which takes
hours.  The counts are those that a suite writes to CL_CONFORMANCE_RESULTS_FILENAME; a
suite that ends without them counts as one failure.  --write puts the counts into a page
like docs/results/conformance.md.  Exit status: 1 if any test failed.
"""
import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / 'scripts'))
import results as pages  # pylint: disable=wrong-import-position

COLUMNS = ('device', 'suite', 'arguments', 'pass', 'fail', 'skip', 'wall s', 'note',
           *pages.RUN)


def runs():
    """(device, suite, arguments, note) of each line of suites.txt."""
    for line in (HERE / 'suites.txt').read_text(encoding='utf-8').splitlines():
        if line and not line.startswith('#'):
            parts = [part.strip() for part in line.split('|')]
            assert 3 <= len(parts) <= 4, line
            yield (*parts, *[''] * (4 - len(parts)))


def expand(arguments):
    """The lists of arguments that one text with {a,b} means."""
    parts = re.split(r'\{([^}]*)\}', arguments)
    choices = [part.split(',') if n % 2 else [part] for n, part in enumerate(parts)]
    return [''.join(chosen).split() for chosen in itertools.product(*choices)]


def program_of(cts, suite):
    """The one program in the suite's folder."""
    folder = Path(cts, 'test_conformance', suite)
    found = [p for p in sorted(folder.glob('test_*'))
             if p.is_file() and os.access(p, os.X_OK)]
    if len(found) != 1:
        sys.exit(f'{folder}: found {len(found)} programs, expected one test_*')
    return found[0]


def run_once(ventus, device, program, arguments, folder):
    """{test: 'pass', 'fail' or 'skip'} of one process."""
    report = Path(folder, 'results.json')
    report.unlink(missing_ok=True)
    status = subprocess.run(
        [ventus, 'run', '--device', device, '--', program, *arguments],
        cwd=program.parent, check=False, stdout=subprocess.DEVNULL,
        env={**os.environ, 'CL_CONFORMANCE_RESULTS_FILENAME': str(report)}).returncode
    try:
        return json.loads(report.read_text(encoding='utf-8'))['results']
    except (OSError, ValueError, KeyError):
        print(f'{program.name} {" ".join(arguments)}: no results, exit status {status}')
        return {program.name: 'fail'}


def run_line(args, device, suite, arguments):
    """(pass, fail, skip, seconds) of a line of suites.txt."""
    program, start = program_of(args.cts, suite), time.monotonic()
    with tempfile.TemporaryDirectory(prefix='conformance.') as folder:
        found = [pair for words in expand(arguments) for pair in
                 run_once(args.ventus, device, program, words, folder).items()]
    for name, result in found:
        if result == 'fail':
            print(f'{suite} {arguments} on {device}: failed: {name}')
    count = [sum(result == kind for _, result in found)
             for kind in ('pass', 'fail', 'skip')]
    return (*count, round(time.monotonic() - start))


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument('cts', type=Path, nargs='?')
    ap.add_argument('--ventus', default=ROOT / 'build/release/bin/ventus',
                    type=lambda text: Path(text).resolve())
    ap.add_argument('--device', help='only the runs on this device')
    ap.add_argument('--write', type=Path, metavar='PAGE',
                    help='put the counts into this page')
    ap.add_argument('--list', action='store_true', help='the runs of suites.txt')
    ap.add_argument('suite', nargs='*')
    args = ap.parse_intermixed_args()
    chosen = [r for r in runs() if (not args.suite or r[1] in args.suite) and
              args.device in (None, r[0])]
    if args.list:
        print('\n'.join(' | '.join(r) for r in chosen))
        return 0
    if not args.cts or not chosen:
        ap.error('expected the build folder of the OpenCL-CTS, and suites of --list')
    if args.write:  # before a run of hours
        pages.lines_of(args.write, COLUMNS)
    failed, run = 0, pages.of_this_run(args.ventus)
    for device, suite, arguments, note in chosen:
        count = run_line(args, device, suite, arguments)
        failed += count[1]
        print(f'{suite} {arguments} on {device}: {count[0]} pass, {count[1]} fail, '
              f'{count[2]} skipped ({count[3]} s)', flush=True)
        if args.write:
            pages.update(args.write, COLUMNS, 3,
                         [(device, suite, arguments, *count, note, *run)])
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
