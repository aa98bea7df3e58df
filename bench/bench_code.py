#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the compiler makes of the corpus bench/cc.

    bench_code.py [--build DIR] [--update | --corpus]

Prints, as other benchmarks do, `name value unit`:

    cc.cold      CPU milliseconds to compile lbm.cl, clang and linking included
    code.NAME    warp-instructions of NAME compiled, divided by those of
                 bench/hand/NAME.s; both give right results, or it fails
    code.better  kernels of the corpus of which a figure is now better than in
    code.worse   corpus.txt, or worse

--corpus prints each difference from corpus.txt: instructions, registers,
spills, private memory, warps that fit an SM; --update writes it anew."""
import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'tests/cc'))
import run as kernels  # the notation of what to launch and to expect

CORPUS = HERE / 'cc/corpus.txt'
FIELDS = ['instructions', 'sgprs', 'vgprs', 'spills', 'private', 'warps']
HAND = ['matmul', 'reduce', 'stencil', 'bfs', 'nbody']
COLD = 'lbm'


def cpu_ms():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (used.ru_utime + used.ru_stime)


def compile_kernel(bin_, name, out):
    """The kernels' statistics by name, and how long it took."""
    before = cpu_ms()
    done = subprocess.run([bin_ / 'ventus-cc', '--stats', '-o', out,
                           HERE / f'cc/{name}.cl'],
                          capture_output=True, text=True)
    after = cpu_ms()
    if done.returncode:
        sys.exit(done.stderr)
    stats = {}
    for line in done.stderr.splitlines():
        words = line.split()
        stats[words[0]] = {unit: int(n) for n, unit in
                           zip(words[1::2], words[2::2])}
    return stats, after - before


def corpus(bin_, folder):
    """A line for each kernel, and the time of the one that is measured."""
    lines, cold = [], 0
    for path in sorted((HERE / 'cc').glob('*.cl')):
        stats, ms = compile_kernel(bin_, path.stem, folder / 'k.elf')
        if path.stem == COLD:
            cold = ms
        for kernel, s in stats.items():
            lines.append(' '.join([f'{path.stem}/{kernel}',
                                   *(str(s[f]) for f in FIELDS)]))
    return lines, cold


def by_name(lines):
    return {line.split()[0]: list(map(int, line.split()[1:]))
            for line in lines if not line.startswith('#')}


def differences(now):
    """Lines of text, and how many kernels are better and worse."""
    old, new = by_name(CORPUS.read_text().splitlines()), by_name(now)
    text, better, worse = [], 0, 0
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            text.append(f'{name}: {"new" if name in new else "gone"}')
            continue
        parts = []
        for field, a, b in zip(FIELDS, old[name], new[name]):
            if a != b:
                good = (b > a) == (field == 'warps')
                parts.append(f'{field} {a} -> {b} {"+" if good else "-"}')
        better += any(p.endswith('+') for p in parts)
        worse += any(p.endswith('-') for p in parts)
        if parts:
            text.append(f'{name}: ' + ', '.join(parts))
    return text, better, worse


def write_corpus(lines):
    head = ('# SPDX-License-Identifier: Apache-2.0\n'
            '# file/kernel ' + ' '.join(FIELDS) + '\n'
            '# Written by bench/bench_code.py --update, compared by --corpus.\n')
    CORPUS.write_text(head + '\n'.join(lines) + '\n')


def warp_instructions(ventus, program, launch, folder):
    """Runs it, checks what it computes."""
    errors = kernels.run(ventus, program, launch, 32, 'default', folder,
                         extra=['--stats', '--json'])
    if errors[1:] or not errors[0].startswith('{'):
        sys.exit(f'{program}: {errors}')
    return json.loads(errors[0])['stats']['warp_instructions']


def compare(bin_, folder):
    ventus = str(bin_ / 'ventus')
    for name in HAND:
        source = HERE / f'cc/{name}.cl'
        launch = kernels.parse(source)[0]
        compile_kernel(bin_, name, folder / 'k.elf')
        ours = warp_instructions(ventus, folder / 'k.elf', launch, folder)
        best = warp_instructions(ventus, HERE / f'hand/{name}.s', launch,
                                 folder)
        print(f'code.{name} {ours / best:.3f} x')


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--build', default=HERE / '../build/release')
    ap.add_argument('--corpus', action='store_true')
    ap.add_argument('--update', action='store_true')
    args = ap.parse_args()
    bin_ = Path(args.build).resolve() / 'bin'
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        lines, cold = corpus(bin_, folder)
        if args.update:
            write_corpus(lines)
            return
        text, better, worse = differences(lines)
        if args.corpus:
            print('\n'.join(text))
            return
        print(f'cc.cold {cold:.1f} ms')
        compare(bin_, folder)
        print(f'code.better {better} kernels')
        print(f'code.worse {worse} kernels')


if __name__ == '__main__':
    main()
