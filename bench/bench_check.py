#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What --check and --record cost: eleven of examples/opencl with and without.

    bench_check.py [--build DIR] [--pairs N] [--instructions] [--oclgrind] [NAME...]

Prints for each program the median ratio of the processor time (user and system) of
`ventus run --check=memory`, `--check` and `--record` to that of `ventus run` alone.
The four run in turns.  --instructions counts instructions of the host instead, by
valgrind, with smaller inputs.  --oclgrind compares with Oclgrind's checks
(oclgrind --data-races --uninitialized), also in turns: its time divided by that of
--check; Oclgrind's own faults (with vectors, --uninitialized is one) are left out, so it
looks for races alone there.  A ratio beyond its gate is marked, and the exit status is 1."""
import argparse
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Arguments, and smaller ones.
PROGRAMS = {
    'matrix_multiply': ('--n 256', '--n 96'),
    'nbody': ('--n 1500', '--n 256'),
    'black_scholes': ('--n 100000', '--n 5000'),
    'life': ('--width 300 --height 300 --generations 50',
             '--width 100 --height 100 --generations 10'),
    'histogram': ('--n 4000000', '--n 400000'),
    'mandelbrot': ('--width 400 --height 300', '--width 160 --height 120'),
    'vector_add': ('--n 2000000', '--n 300000'),
    'align': ('--n 1024', '--n 256'),
    'bfs': ('--n 100000', '--n 20000'),
    'scan': ('--n 1000000', '--n 200000'),
    'reduce': ('--n 4000000', '--n 800000'),
}
MODES = {  # words for `ventus run`, most times of it without
    'memory': (['--check=memory'], 1.5),
    'all': (['--check'], 5.0),
    'record': (['--record', 'FILE'], 1.3),
}
OCLGRIND_LEAST = 20


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, Path(folder)
        self.ventus = options.build.resolve() / 'bin/ventus'
        self.env = {**os.environ,
                    'VENTUS_CACHE_DIR': str(self.folder / 'cache')}

    def program(self, name):
        words = PROGRAMS[name][1 if self.options.small else 0]
        path = self.options.build.resolve() / 'examples/opencl' / name
        return [str(path), *words.split()]

    def spend(self, command):
        """Seconds of the processor, all processes of the command together."""
        log = self.folder / 'log'
        with open(log, 'w', encoding='utf-8') as out:
            child = subprocess.Popen(command, env=self.env, stdout=out,
                                     stderr=out, cwd=self.folder)
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        text = log.read_text(encoding='utf-8', errors='replace')
        if child.returncode == -signal.SIGSEGV and 'oclgrind' in command:
            return None
        if 'all right' not in text:
            sys.exit(f'{" ".join(command)}:\n{text}')
        return usage.ru_utime + usage.ru_stime

    def count(self, command, wrapped):
        """Instructions of the host in the program alone."""
        out = self.folder / 'counts'
        valgrind = ['valgrind', '--tool=cachegrind', '--cache-sim=no',
                    f'--cachegrind-out-file={out}']
        said = subprocess.run([*command, *valgrind, *wrapped], env=self.env,
                              capture_output=True, text=True, cwd=self.folder)
        found = re.search(r'I\s+refs:\s+([\d,]+)', said.stderr)
        if not found or 'all right' not in said.stdout:
            sys.exit(f'{" ".join(wrapped)}:\n{said.stdout}{said.stderr}')
        return int(found[1].replace(',', ''))

    def measure(self, words, name):
        words = [str(self.folder / 'recording') if w == 'FILE' else w
                 for w in words]
        run = [str(self.ventus), 'run', *words, '--']
        if self.options.instructions:
            return self.count(run, self.program(name))
        return self.spend(run + self.program(name))


def costs(bench, names):
    missed = False
    unit = 'instructions' if bench.options.instructions else 'seconds'
    rounds = 1 if bench.options.instructions else bench.options.pairs
    print(f'{"program":16}{unit:>15}' + ''.join(f'{m:>9}' for m in MODES))
    for name in names:
        bench.measure([], name)  # compiles it
        plain, ratios = [], {mode: [] for mode in MODES}
        for _ in range(rounds):
            plain.append(bench.measure([], name))
            for mode, (words, _) in MODES.items():
                ratios[mode].append(bench.measure(words, name) / plain[-1])
        line = f'{name:16}{statistics.median(plain):15.6g}'
        for mode, (_, most) in MODES.items():
            ratio = statistics.median(ratios[mode])
            missed |= ratio > most
            line += f'{ratio:8.2f}{"!" if ratio > most else " "}'
        print(line, flush=True)
    print(f'{"at most":31}' + ''.join(f'{most:8.2f} '
                                      for _, most in MODES.values()))
    return missed


def oclgrind(bench, names):
    missed = False
    checks = ['--data-races', '--uninitialized']
    print(f'{"program":16}{"--check s":>11}{"oclgrind s":>12}{"times":>8}')
    for name in names:
        bench.measure([], name)
        ours, other = [], []
        theirs = ['oclgrind', *checks]
        if bench.spend(theirs + bench.program(name)) is None:
            theirs.pop()
        for _ in range(bench.options.pairs):
            ours.append(bench.measure(['--check'], name))
            other.append(bench.spend(theirs + bench.program(name)))
        ratio = statistics.median(b / a for a, b in zip(ours, other))
        missed |= ratio < OCLGRIND_LEAST
        print(f'{name:16}{statistics.median(ours):11.2f}'
              f'{statistics.median(other):12.2f}{ratio:8.1f}'
              f'{"!" if ratio < OCLGRIND_LEAST else ""}', flush=True)
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=Path, default='build/release')
    parser.add_argument('--pairs', type=int, default=5)
    parser.add_argument('--small', action='store_true')
    parser.add_argument('--instructions', action='store_true')
    parser.add_argument('--oclgrind', action='store_true')
    parser.add_argument('names', nargs='*', metavar='NAME')
    options = parser.parse_args()
    options.small |= options.instructions
    needs = ('oclgrind' if options.oclgrind else
             'valgrind' if options.instructions else None)
    if needs and not shutil.which(needs):
        print(f'bench_check.py: no {needs}', file=sys.stderr)
        return
    names = options.names or list(PROGRAMS)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        sys.exit((oclgrind if options.oclgrind else costs)(bench, names))


if __name__ == '__main__':
    main()
