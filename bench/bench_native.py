#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast kernels run by engine, device and beside pocl, on one core.

    bench_native.py [--build DIR] [--programs LIST] [--devices A,B] [--engines A,B]
                    [--core N] [--minutes N] [--write PAGE] [NAME...]

The first table has the processor time of all kernels of a program, without transfers and
the program's own part, as a multiple of that with pocl, which runs them on the same core
with one thread.  A layer of the OpenCL loader measures it (kernel_times.c), after launches
that are not counted: compiling and translating are outside.  Programs are those of
examples/opencl, and those of LIST, others' OpenCL programs: a line `NAME FOLDER COMMAND...`
for each, which runs in FOLDER.  Means are of the programs that take pocl 100 ms or more.

The second table has the other figures of docs/performance.md#native-code: loops, threads,
short and first launches, the time until a long kernel runs as code of the host, the size of
that code, clBuildProgram, Oclgrind.  What is not installed is left out with a note.

NAME: only programs, or groups of figures, whose name contains it.  --write puts both tables
into a page like docs/results/native.md.  On a host that has not finished after half of
--minutes (8), only `native` is measured from then on, and no program is begun after them."""
import argparse
import math
import os
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'scripts')]
import results  # pylint: disable=wrong-import-position
import run as bench_run  # pylint: disable=wrong-import-position

POCL = Path('/etc/OpenCL/vendors/pocl.icd')
OCLGRIND = Path('/usr/lib/oclgrind/liboclgrind-rt-icd.so')
LEAST_MS = 100    # of pocl, for the means
WARM_MS = {'pocl': 0, 'native': 0, 'auto': 400}  # the interpreter needs none
DEVICES = ['default', 'ventus2']
ENGINES = ['interpreter', 'auto', 'native']
EXAMPLES = {  # with arguments for which pocl needs 0.1 to 1 s
    'align': '--n 4096',
    'bfs': '--n 2000000',
    'black_scholes': '--n 350000',
    'histogram': '--n 30000000',
    'life': '--width 1000 --height 1000 --generations 20',
    'mandelbrot': '--width 1024 --height 1024',
    'matrix_multiply': '--n 448',
    'nbody': '--n 4000 --steps 3',
    'reduce': '--n 16000000',
    'scan': '--n 12000000',
    'vector_add': '--n 10000000 --repeat 24',
}
# Programs that take Oclgrind a second or two.
SMALL = {
    'black_scholes': '--n 2000',
    'mandelbrot': '--width 96 --height 64',
    'matrix_multiply': '--n 96',
    'nbody': '--n 256 --steps 1',
}
PROGRAM_COLUMNS = ('program', 'pocl, ms',
                   *(f'{d} {e}' for d in DEVICES for e in ENGINES), *results.RUN)
COLUMNS = ('figure', 'measured', 'unit', 'gate', 'goal', *results.RUN)


class Failed(Exception):
    """Why there is no time."""

    cpu = None  # milliseconds that a run took until it was ended


def children_ms():
    """Processor time of all processes that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (usage.ru_utime + usage.ru_stime)


class Times:
    """What the layer wrote of a run."""

    def __init__(self, text):
        self.cpu = self.wall = self.first = self.code = 0
        for line in text.splitlines():
            words = line.split()
            if words[0] == 'code' and len(words) == 2:
                self.code = int(words[1])
            else:
                cpu, wall, first = map(float, words[2:])
                self.cpu += cpu
                self.wall += wall
                self.first += first


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.build = options.build.resolve()
        self.ventus = self.build / 'bin/ventus'
        self.layer = self.build / 'bench' / 'libkernel_times.so'
        self.end = time.monotonic() + 60 * options.minutes
        self.half = self.end - 30 * options.minutes
        self.said = {}

    def note(self, text):
        if text not in self.said:
            print(f'bench_native.py: {text}', file=sys.stderr)
        self.said[text] = True

    def example(self, name, arguments):
        return self.folder, [self.build / 'examples/opencl' / name, *arguments.split()]

    def on(self, device, engine=None, threads=1):
        chosen = ['--engine', engine] if engine else []
        return [self.ventus, 'run', '--device', device, *chosen,
                '--threads', str(threads), '--']

    def run(self, program, way=(), warm=None, cores=None, seconds=60, **variables):
        """Times of the kernels of a program, and what it printed."""
        cwd, command = program
        times = self.folder / 'times'
        times.unlink(missing_ok=True)
        env = {**os.environ, 'OPENCL_LAYERS': str(self.layer), 'KERNEL_TIMES': str(times),
               'VENTUS_CACHE_DIR': str(self.folder / 'cache'),
               'POCL_CACHE_DIR': str(self.folder / 'pocl'), **variables}
        if warm is not None:
            env['KERNEL_WARM'] = str(warm)
        core = ['taskset', '-c', cores or str(self.options.core)]
        before = children_ms()
        try:
            done = subprocess.run([*core, *map(str, way), *map(str, command)], cwd=cwd, env=env,
                                  timeout=seconds, capture_output=True, text=True,
                                  errors='replace', check=False)
        except subprocess.TimeoutExpired as late:
            failed = Failed(f'more than {seconds:.0f} s')
            failed.cpu = children_ms() - before
            raise failed from late
        except OSError as error:
            raise Failed(error.strerror) from error
        said = done.stdout + done.stderr
        if done.returncode or not times.exists():
            raise Failed(f'status {done.returncode}: {" ".join(said.split())[-160:]}')
        return Times(times.read_text(encoding='utf-8')), said

    def on_pocl(self, program):
        return self.run(program, warm=WARM_MS['pocl'], OCL_ICD_VENDORS=str(POCL),
                        POCL_MAX_PTHREAD_COUNT='1')[0]


def programs_of(bench):
    """Names, folders and commands."""
    found = {name: bench.example(name, words) for name, words in EXAMPLES.items()}
    if bench.options.programs:
        text = bench.options.programs.read_text(encoding='utf-8')
        for line in text.splitlines():
            words = shlex.split(line, comments=True)
            if words:
                found[words[0]] = (Path(words[1]), words[2:])
    else:
        bench.note('only the programs of examples/opencl: no --programs LIST')
    return found


def is_wanted(bench, name):
    names = bench.options.name
    return not names or any(part in name for part in names)


# ---- beside pocl ----

def compare(bench):
    """Rows of the first table, and for each device and engine the ratios that count."""
    rows, counted = [], {}
    ways = [(d, e) for d in bench.options.devices for e in bench.options.engines]
    if not POCL.exists():
        bench.note('no pocl: package pocl-opencl-icd')
        return rows, counted
    print(f'{"times of pocl":20}{"pocl, ms":>10}' +
          ''.join(f'{f"{d[:7]} {e[:6]}":>16}' for d, e in ways))
    for name, program in programs_of(bench).items():
        if not is_wanted(bench, name):
            continue
        if time.monotonic() > bench.end:
            bench.note(f'{name} and what follows are left out: {bench.options.minutes} '
                       'minutes are over')
            break
        try:
            pocl = bench.on_pocl(program)
        except Failed as why:
            bench.note(f'{name} is left out: pocl: {why}')
            continue
        print(f'{name:20}{pocl.cpu:10.0f}', end='', flush=True)
        hurries = time.monotonic() > bench.half and 'native' in bench.options.engines
        cells = {}
        for device, engine in ways:
            if hurries and engine != 'native':
                print(f'{"-":>16}', end='')
                continue
            try:
                cpu = bench.run(program, bench.on(device, engine), WARM_MS.get(engine),
                                seconds=bench.options.seconds)[0].cpu
                cells[device, engine] = f'{cpu / pocl.cpu:.2f}'
            except Failed as why:
                cpu = why.cpu
                cells[device, engine] = f'>{cpu / pocl.cpu:.0f}' if cpu else '-'
                bench.note(f'{name}, {device}, {engine}: {why}')
            if cpu and pocl.cpu >= LEAST_MS:
                counted.setdefault((device, engine), {})[name] = cpu / pocl.cpu
            print(f'{cells[device, engine]:>16}', end='', flush=True)
        print('' if pocl.cpu >= LEAST_MS else f'  not counted: less than {LEAST_MS} ms')
        rows.append((name, f'{pocl.cpu:.0f}',
                     *(cells.get((d, e), '-') for d in DEVICES for e in ENGINES)))
    return rows, counted


def means(counted):
    for (device, engine), ratios in counted.items():
        mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
        worst = max(ratios, key=ratios.get)
        yield f'pocl.mean.{device}.{engine}', mean, f'times, {len(ratios)} programs'
        yield f'pocl.worst.{device}.{engine}', ratios[worst], f'times, {worst}'


# ---- the other figures ----

def loops(bench):
    """Loops of bench/sim.c."""
    out = subprocess.run([bench.build / 'bench/bench_sim'], check=True, text=True,
                         capture_output=True).stdout
    for line in out.splitlines():
        name, value, unit = line.split()
        yield name, float(value), unit


def in_turns(rounds, *measure):
    """Medians of measurements that alternate."""
    values = [[m() for m in measure] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*values)]


def short(bench):
    """Launches that code of the host comes too late for: as with the interpreter?"""
    once = bench.example('mandelbrot', '--width 64 --height 48')  # 1 ms
    first = bench.example('vector_add', '--n 32')
    for name, program in (('short', once), ('first', first)):
        auto, interpreter = in_turns(
            15, *(lambda e=e: bench.run(program, bench.on('default', e))[0].first
                  for e in ('auto', 'interpreter')))
        yield f'launch.{name}', auto / interpreter, f'times, of {interpreter:.2f} ms'


def late(bench):
    """The interpreter does what is not translated yet: how long?"""
    long = bench.example('mandelbrot', '--width 1024 --height 1024 --limit 1000')
    both = ','.join(str(c) for c in sorted(os.sched_getaffinity(0)))
    values = []
    for _ in range(3):
        whole = bench.run(long, bench.on('default', 'interpreter'))[0].cpu
        said = bench.run(long, bench.on('default', 'auto'), cores=both)[1]
        share = re.search(r'([\d.]+)% of the instructions ran as code', said)
        values.append(whole * (1 - float(share[1]) / 100 if share else 1))
    yield 'launch.native', statistics.median(values), 'ms'


def threads(bench):
    """Two host threads over one, with work for both."""
    program = bench.example('mandelbrot', '--width 1024 --height 1024 --limit 1000')
    both = ','.join(str(c) for c in sorted(os.sched_getaffinity(0))[:2])
    if ',' not in both:
        bench.note('one processor: no figure of two host threads')
        return
    one, two = in_turns(3, *(
        lambda n=n: bench.run(program, bench.on('default', 'native', n), WARM_MS['native'],
                              cores=both)[0].wall for n in (1, 2)))
    yield 'threads.two', one / two, 'times'


def size(bench):
    """Code of the host for an instruction of the program."""
    code = instructions = 0
    for name in EXAMPLES:
        file = bench.folder / 'program'
        file.unlink(missing_ok=True)
        times, _ = bench.run(bench.example(name, SMALL.get(name, '')),
                             bench.on('default', 'native'), KERNEL_PROGRAM=str(file))
        listing = subprocess.run([bench.ventus, 'dis', file], check=True, text=True,
                                 capture_output=True).stdout
        code += times.code
        instructions += len(re.findall(r'^/\*', listing, re.M))
    yield 'code.bytes', code / instructions, 'bytes'


def builds(bench):
    """clBuildProgram in the loaded compiler."""
    out = subprocess.run([bench.build / 'bench/builds', '30', 'builds.warm'], check=True,
                         text=True, capture_output=True).stdout
    best, median = (float(line.split()[1]) for line in out.splitlines())
    yield 'builds.warm.best', best, 'ms'
    yield 'builds.warm', median, 'ms'


def oclgrind(bench):
    """Oclgrind's time over ours."""
    if not OCLGRIND.exists():
        bench.note('no Oclgrind: package oclgrind')
        return
    icd = bench.folder / 'oclgrind.icd'
    icd.write_text(f'{OCLGRIND}\n', encoding='utf-8')
    ratios = []
    for name, words in SMALL.items():
        program = bench.example(name, words)
        theirs = bench.run(program, OCL_ICD_VENDORS=str(icd), OCLGRIND_NUM_THREADS='1')[0].cpu
        ours = bench.run(program, bench.on('default', 'native'), WARM_MS['native'])[0].cpu
        ratios.append(theirs / ours)
    yield 'oclgrind', math.exp(statistics.fmean(map(math.log, ratios))), 'times'


FIGURES = [loops, threads, short, late, size, builds, oclgrind]


def figures(bench, counted):
    yield from means(counted)
    for group in FIGURES:
        if is_wanted(bench, group.__name__):
            try:
                yield from group(bench)
            except (Failed, OSError, subprocess.CalledProcessError) as why:
                bench.note(f'no figure of {group.__name__}: {why}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--build', type=Path, default=HERE.parent / 'build/release')
    parser.add_argument('--programs', type=Path, metavar='LIST')
    parser.add_argument('--devices', type=lambda s: s.split(','), default=DEVICES)
    parser.add_argument('--engines', type=lambda s: s.split(','), default=ENGINES)
    parser.add_argument('--core', type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument('--minutes', type=float, default=8)
    parser.add_argument('--seconds', type=float, default=20, help='of one run, at most')
    parser.add_argument('--write', type=Path, metavar='PAGE')
    parser.add_argument('name', nargs='*')
    options = parser.parse_args()
    if options.write:
        for columns in (PROGRAM_COLUMNS, COLUMNS):
            results.lines_of(options.write, columns)
    if not shutil.which('taskset'):
        sys.exit('bench_native.py: no taskset: package util-linux')
    gates = bench_run.gates()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, Path(folder))
        if not bench.layer.exists():
            sys.exit(f'bench_native.py: no {bench.layer}: build it with the OpenCL runtime')
        rows, counted = compare(bench)
        print(f'{"figure":34}{"measured":>10}{"gate":>8}{"goal":>8}')
        measured = []
        for name, value, unit in figures(bench, counted):
            gate, goal = gates.get(name, ('0', '0'))
            mark = '' if bench_run.meets(value, gate) else '  misses the gate'
            print(f'{name:34}{value:10.2f}{gate:>8}{goal:>8}  {unit}{mark}', flush=True)
            if not (options.name and name.startswith('pocl.')):  # of a few programs
                measured.append((name, f'{value:.4g}', unit, gate, goal))
    if options.write:
        this = results.of_this_run(bench.ventus)
        results.update(options.write, PROGRAM_COLUMNS, 1, [(*r, *this) for r in rows])
        results.update(options.write, COLUMNS, 1, [(*r, *this) for r in measured])


if __name__ == '__main__':
    main()
