#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Other people's OpenCL programs, from Debian packages, on this build.

    run.py [--ventus PATH] [--pocl] [--verbose] CLIENT...
    run.py --list

What each client has to pass is in docs/clients.md and nowhere else: the table
"The clients" says how many tests, the table "What does not pass" which ones
fail or are skipped, and why.  A test that fails against it, or does not run
any more, fails the client; one that passes against it is shown.  Exit status:
0 as published, 1 not, 77 if a package is not installed.

--pocl runs the client on pocl instead, to see what another does there.
"""
import argparse
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import clients

ROOT = Path(__file__).resolve().parents[2]
POCL = Path('/etc/OpenCL/vendors/pocl.icd')


def table(heading):
    """The rows of the table below a heading of docs/clients.md."""
    text = (ROOT / 'docs/clients.md').read_text(encoding='utf-8')
    text = text.split(f'## {heading}\n', 1)[1].split('\n## ', 1)[0]
    rows = [[cell.strip(' `') for cell in line.strip('|').split(' | ')]
            for line in text.splitlines() if line.startswith('|')]
    return rows[2:]


class Bench:
    """What a client gets to work with: a folder, and a way to run programs."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder

    def environment(self, pocl):
        """The client's own home, so that it neither finds nor leaves a
        thing; our compiled kernels are kept, to be fast the second time."""
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(('VENTUS_', 'OCL_', 'POCL_', 'PYOPENCL_'))
               or k == 'VENTUS_CACHE_DIR'}
        home = self.folder / 'home'
        home.mkdir(exist_ok=True)
        env.update(HOME=str(home), XDG_CACHE_HOME=str(home / '.cache'),
                   LC_ALL='C.UTF-8', PYOPENCL_NO_CACHE='1', NO_COLOR='1')
        if pocl:
            env['OCL_ICD_VENDORS'] = str(POCL)
        return env

    def run(self, *command, timeout=600, pocl=None, **more):
        """Runs a program, on pocl if asked to; out: both of its streams."""
        pocl = self.args.pocl if pocl is None else pocl
        words = [str(word) for word in command]
        if not pocl:
            words = [str(self.args.ventus), 'run', '--'] + words
        more.setdefault('cwd', self.folder)
        more.setdefault('stderr', subprocess.STDOUT)
        try:
            done = subprocess.run(words, env=self.environment(pocl),
                                  stdin=subprocess.DEVNULL, timeout=timeout,
                                  stdout=subprocess.PIPE, **more)
            out, status = done.stdout, done.returncode
        except subprocess.TimeoutExpired as late:
            out, status = late.stdout or b'', -1
            out += f'\nended after {timeout} s\n'.encode()
        if self.args.verbose:
            text = out[-20000:].decode(errors='replace')
            print(f'$ {" ".join(words)}\n{text}\nexit status {status}')
        return clients.Run(status, out)


def missing_packages(client):
    names = client.packages.split()
    found = subprocess.run(
        ['dpkg-query', '-W', '-f', '${db:Status-Status} ${Package}\n', *names],
        capture_output=True, text=True, check=False).stdout.splitlines() \
        if shutil.which('dpkg-query') else []
    return [name for name in names if f'installed {name}' not in found]


def compare(name, results):
    """Prints what is not as published; returns whether that is a failure."""
    published = {row[0]: int(row[2]) for row in table('The clients')}
    known = [row[1:3] for row in table('What does not pass')
             if row[0] == name]
    if name not in published:
        sys.exit(f'docs/clients.md does not have {name}')
    bad = 0
    for test, result in sorted(results.items()):
        expected = next((e for pattern, e in known
                         if fnmatch.fnmatchcase(test, pattern)), 'pass')
        if result == expected:
            continue
        bad += result == 'fail' or expected == 'pass'
        print(f'{name}: unexpected {result}: {test}')
    passed = sum(result == 'pass' for result in results.values())
    if passed != published[name]:
        bad += passed < published[name]
        print(f'{name}: {published[name]} passes published')
    counts = {r: sum(v == r for v in results.values())
              for r in ('pass', 'fail', 'skip')}
    print(f'{name}: {counts["pass"]} pass, {counts["fail"]} fail, '
          f'{counts["skip"]} skipped: '
          + ('NOT as published' if bad else 'as published'))
    return bad


def run_client(args, name):
    client = clients.CLIENTS[name]
    missing = missing_packages(client)
    if missing:
        print(f'{name}: skipped, packages not installed: '
              f'{" ".join(missing)}; run scripts/setup clients')
        return 77
    with tempfile.TemporaryDirectory(prefix='clients.') as folder:
        results = client.run(Bench(args, Path(folder)))
    return 1 if compare(name, results) else 0


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument('--ventus', default=ROOT / 'build/release/bin/ventus',
                    type=lambda text: Path(text).resolve())
    ap.add_argument('--pocl', action='store_true')
    ap.add_argument('--list', action='store_true')
    ap.add_argument('--verbose', action='store_true',
                    help='show what the programs print')
    ap.add_argument('client', nargs='*')
    args = ap.parse_args()
    if args.list:
        for name, client in clients.CLIENTS.items():
            print(f'{name:20} {client.packages}')
        return 0
    for name in args.client:
        if name not in clients.CLIENTS:
            sys.exit(f"no client '{name}'; --list shows them")
    codes = [run_client(args, name) for name in args.client]
    return 1 if 1 in codes else max(codes, default=0)


if __name__ == '__main__':
    sys.exit(main())
