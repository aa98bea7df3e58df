#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the cycle model with what was measured on the RTL.

usage: accuracy.py VENTUS SHARED [--trace CASE] [--check | --quick] [--write FILE]

Runs every case of SHARED/rtl under its preset and prints, for each kernel,
cycles, counters and how far issues are from the RTL's.  The n-th issue of a
warp is compared with the n-th of the same warp, relative to the launch.
--check fails where a gate is not met; --quick does that without the sweeps of
memory.  The gates are what has been reached, so that it stays.  --write puts the
tables into FILE, docs/results/accuracy.md.
"""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict

from tables import table

GAUSSIAN = [f'Fan{k}_{i}' for i in range(4) for k in (1, 2)]
# case, preset, lanes, kernels, [cycles], [counters]
# counters: D$ read hit, read miss, write hit, write miss; memory read, write
CASES = [
    ('vecadd_4w8t', 'rtl-verilog', 8, ['vecadd_0'], [1332],
     [(26, 66, 0, 48, 184, 48)]),
    ('matadd_2w8t', 'rtl-verilog', 8, ['matadd_0'], [2106],
     [(29, 59, 7, 43, 263, 46)]),
    ('nn_4w8t', 'rtl-verilog', 8, ['NearestNeighbor_0'], [1614],
     [(58, 70, 0, 50, 205, 50)]),
    ('gaussian_4w8t', 'rtl-verilog', 8, GAUSSIAN,
     [1181, 2248, 1162, 2253, 1154, 2184, 1152, 2171],
     [(2, 19, 0, 12, 120, 12), (63, 67, 24, 37, 254, 54)] + [None] * 6),
    ('vecadd_32b4w8t', 'rtl-verilog', 8, ['vecadd_32b4w8t'], [45632],
     [(1120, 2208, 0, 1664, 6336, 1664)]),
    ('vecadd_8w4t', 'rtl-verilog', 4, ['vecadd_0'], [1995],
     [(90, 86, 0, 88, 281, 88)]),
    ('vecadd_4w8t.32B', 'rtl-verilog-32B', 8, ['vecadd_0'], [1103],
     [(30, 14, 0, 12, 42, 12)]),
    ('gaussian_4w8t.32B', 'rtl-verilog-32B', 8, GAUSSIAN,
     [1075, 2012, 1068, 2013, 1060, 2002, 1048, 1977],
     [(6, 8, 0, 5, 34, 5), (66, 15, 10, 8, 57, 13),
      (5, 8, 0, 4, 33, 4), (61, 12, 7, 8, 53, 12),
      (5, 7, 0, 3, 31, 3), (51, 12, 4, 8, 50, 11),
      (6, 6, 0, 3, 30, 3), (49, 9, 3, 8, 49, 11)]),
]
# preset, workgroups, {(latency, outstanding): cycles}
SWEEPS = [
    ('vecadd_4w8t', 'rtl-verilog', {
        (1, 1): 1332, (2, 1): 1378, (3, 1): 1526, (4, 1): 1673, (6, 1): 1977,
        (100, 16): 5712}),
    ('vecadd_32b4w8t/4', 'rtl-verilog', {
        (1, 1): 5704, (4, 1): 7076, (20, 1): 21499, (100, 1): 101681,
        (1, 8): 5728, (4, 8): 6012, (20, 8): 8993, (100, 8): 24738}),
    ('vecadd_32b4w8t/4', 'rtl-verilog-32B', {
        (1, 1): 4760, (4, 1): 4976, (20, 1): 7044, (100, 1): 23769,
        (1, 8): 4772, (4, 8): 4948, (20, 8): 5944, (100, 8): 13112}),
    # All kernels; (4, 8) asks for a line of the L1I while it is written.
    ('gaussian_4w8t', 'rtl-verilog', {(4, 8): 14443}),
]
COUNTERS = ('read_hits', 'read_misses', 'write_hits', 'write_misses',
            'memory_reads', 'memory_writes')


def read_trace(path):
    """[(start, {warp: [(cycle, pc)]})], a kernel each."""
    kernels = []
    opener = gzip.open if path.endswith('.gz') else open
    with opener(path, 'rt') as lines:
        for line in lines:
            p = line.split()
            if p[0] == 'K':
                start = int(p[3]) + 2 if len(p) > 3 else 0
                kernels.append((start, defaultdict(list)))
            elif p[0] == 'I':
                start, warps = kernels[-1]
                warps[int(p[3])].append((int(p[1]) - start, int(p[4], 16)))
    return [warps for _, warps in kernels]


def first_groups(folder, kernel, groups, to):
    """The case with fewer workgroups: the number along x is at line 5."""
    with open(f'{folder}/{kernel}.metadata', encoding='ascii') as f:
        lines = f.readlines()
    lines[4] = f'{groups:08x}\n'
    with open(f'{to}/{kernel}.metadata', 'w', encoding='ascii') as f:
        f.writelines(lines)
    shutil.copy(f'{folder}/{kernel}.data', to)


def run_groups(ventus, shared, case, preset, kernel, groups, settings):
    folder = os.path.join(shared, 'vectors', case)
    with tempfile.TemporaryDirectory() as to:
        first_groups(folder, kernel, groups, to)
        return run(ventus, shared, case, preset, [kernel], settings, to)


def run(ventus, shared, case, preset, kernels, settings=(), folder=None):
    folder = folder or os.path.join(shared, 'vectors', case.split('.')[0])
    with tempfile.NamedTemporaryFile(suffix='.issue') as out:
        command = [ventus, 'exec', '--model', preset, '--json', '--stats',
                   '--issues', out.name]
        for s in settings:
            command += ['--set', s]
        command += [os.path.join(folder, k + '.metadata') for k in kernels]
        done = subprocess.run(command, capture_output=True, text=True,
                              check=False)
        if done.returncode:
            sys.exit(done.stderr)
        results = [json.loads(x) for x in done.stdout.splitlines()]
        return results, read_trace(out.name)


def compare(rtl, model):
    """Issues within 0 and 4 cycles, all, and whether the order is the same."""
    same = near = total = 0
    exact = True
    for warp, issues in rtl.items():
        mine = model.get(warp, [])
        exact &= [pc for _, pc in issues] == [pc for _, pc in mine]
        total += len(issues)
        for (a, _), (b, _) in zip(issues, mine):
            same += a == b
            near += abs(a - b) <= 4
    exact &= sum(map(len, model.values())) == total
    return same, near, total, exact


def differences(rtl, model):
    """The first issues that differ, for who works on the model."""
    rows = sorted((a, w, pc, b) for w in rtl for (a, pc), (b, _)
                  in zip(rtl[w], model.get(w, [])) if a != b)
    for a, w, pc, b in rows[:12]:
        print(f'    RTL {a} warp {w} pc {pc:x}: model {b} ({b - a:+})')


def percent(a, b):
    return 100.0 * (a - b) / b


def compare_kernel(case, kernel, result, want, traces):
    """Prints its row; its error, whether its instructions are the same, and
    what is not met.  want: (cycles, counters), traces: (RTL, model)."""
    cycles, counters = want
    same, near, total, exact = compare(*traces)
    n = result['cycles']
    error = percent(n, cycles)
    c = result['counters']
    got = tuple(c[k] for k in COUNTERS)
    print(f'| {case} | {kernel} | {cycles} | {n} | {error:+.1f} % '
          f'| {100 * same / total:.1f} % | {100 * near / total:.1f} % '
          f'| {"/".join(map(str, counters)) if counters else "-"} '
          f'| {"/".join(map(str, got))} |')
    bad = []
    if same < total:
        bad.append(f'{case} {kernel}: {same} of {total} issues the same')
    if n != cycles:
        bad.append(f'{case} {kernel}: {error:+.1f} %')
    if counters and got != counters:
        bad.append(f'{case} {kernel}: counters')
    return error, exact, bad


def compare_cases(ventus, shared, trace):
    """All that were traced, or one; what is not met, the worst first."""
    errors, bad, worse = [], [], []
    print('| case | kernel | RTL | model | error | issues exact | within 4 | '
          'D$ rh/rm/wh/wm, memory r/w: RTL | model |')
    print('|---|---|---|---|---|---|---|---|---|')
    for case, preset, lanes, kernels, cycles, counters in CASES:
        if trace and trace != case:
            continue
        results, mine = run(ventus, shared, case, preset, kernels,
                            [f'num_thread={lanes}'])
        theirs = read_trace(f'{shared}/rtl/{case}.issue.gz')
        if case == 'vecadd_32b4w8t':
            theirs = theirs[:1]
        for i, kernel in enumerate(kernels):
            error, exact, wrong = compare_kernel(
                case, kernel, results[i], (cycles[i], counters[i]),
                (theirs[i], mine[i]))
            errors.append(abs(error))
            if not exact:
                worse.append(f'{case} {kernel}: other instructions')
            bad += wrong
            if trace:
                differences(theirs[i], mine[i])
    if errors:
        mean = sum(errors) / len(errors)
        print(f'\n{len(errors)} kernels: mean error {mean:.2f} %, '
              f'largest {max(errors):.2f} %\n')
    return worse + bad


def compare_sweeps(ventus, shared):
    """Memory latencies; what is not met."""
    bad = []
    print('| case | preset | latency | outstanding | RTL | model | error |')
    print('|---|---|---|---|---|---|---|')
    for case, preset, points in SWEEPS:
        name = case.split('/')[0]
        for (latency, outstanding), cycles in points.items():
            settings = [f'memory_cycles={latency}',
                        f'memory_requests={outstanding}']
            if '/' in case:
                results, _ = run_groups(ventus, shared, name, preset, name,
                                        4, settings)
            else:
                kernels = GAUSSIAN if 'gaussian' in name else ['vecadd_0']
                results, _ = run(ventus, shared, name, preset, kernels,
                                 settings)
            n = sum(r['cycles'] for r in results)
            error = percent(n, cycles)
            print(f'| {case} | {preset} | {latency} | {outstanding} | '
                  f'{cycles} | {n} | {error:+.1f} % |')
            if n != cycles:
                bad.append(f'{case} {preset} latency {latency} '
                           f'outstanding {outstanding}: {error:+.1f} %')
    return bad


def main():
    ventus, shared = sys.argv[1:3]
    if not os.path.isdir(os.path.join(shared, 'rtl')):
        print('no measured traces: skipped')
        return 77
    trace = sys.argv[sys.argv.index('--trace') + 1] \
        if '--trace' in sys.argv else None
    quick = '--quick' in sys.argv
    to = sys.argv[sys.argv.index('--write') + 1] \
        if '--write' in sys.argv else None
    with table('verilog programs', to):
        bad = compare_cases(ventus, shared, trace)
    if not trace and not quick:
        with table('verilog memory', to):
            bad += compare_sweeps(ventus, shared)
    for b in bad:
        print(f'not met: {b}')
    return 1 if bad and (quick or '--check' in sys.argv) else 0


if __name__ == '__main__':
    sys.exit(main())
