#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the cycle model with programs that were measured on the Chisel RTL.

usage: accuracy_chisel.py VENTUS FOLDER [OPTION...]

FOLDER holds totals.txt (a line for each program: name, RTL cycles, start,
workgroups, warps of a workgroup, instructions of a warp), cases/NAME.metadata and
.data, and for some programs NAME.trace, the RTL's events (docs/events.md).  Any
folder of that form will do.  A line `# preset NAME` of totals.txt names the preset of
the version that was measured.

  --preset NAME     of the model; default: that of totals.txt, or chisel-2sm
  --tables NAME     first word of the tables' names; default chisel
  --set KEY=VALUE   another setting of the model
  --case NAME       this program alone, with the first events that differ
  --check           fails where an error is larger than what was reached before
  --write FILE      puts the tables into FILE, between the lines that name them;
                    docs/results/accuracy.md is made so

The n-th event of a kind, warp and pc is compared with the n-th of the other side;
SMs are paired in the order of their first events.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict

from tables import table

# A program that starts right after reset: two memories are being cleared then
# (design/chisel.md, 2.9).  Launched 16.5 cycles after the end of reset, the half
# of which the traces leave out: 16 is exact for one workgroup; the race of several
# (docs/accuracy.md) goes as in the RTL with 17.
RESET, RESET_GROUPS = ('reset_cycles=16',), ('reset_cycles=17',)
# 32 threads run, also of cases that were compiled for 8.
SETTINGS = ('num_thread=32', 'all_lanes=yes')
# Mean and largest error, in percent, that was reached; and what is wanted.
REACHED = {'chisel': {'one warp, late': (0.0, 0.0), 'one warp, reset': (0.0, 0.0),
                      'several warps': (0.0, 0.6), 'several workgroups': (0.1, 0.1),
                      'all': (0.0, 0.6)},
           'chisel2': {'one warp, late': (0.0, 0.0), 'several warps': (0.1, 2.0),
                       'several workgroups': (0.0, 0.0), 'all': (0.1, 2.0)}}
# Of all recorded issues those in the RTL's cycle, in percent, that were reached.
EXACT = {'chisel': 100.0, 'chisel2': 97.0}
WANTED = (1.0, 3.0)
GROUPS = ('one warp, late', 'one warp, reset', 'several warps',
          'several workgroups')
KINDS = 'GIAWSRMEDF'


def read_totals(folder):
    """[(name, cycles, start, groups, warps)] and the preset."""
    rows, preset = [], 'chisel-2sm'
    with open(os.path.join(folder, 'totals.txt'), encoding='ascii') as f:
        for number, line in enumerate(f, 1):
            named = re.match(r'#\s*preset\s+(\S+)\s*$', line)
            preset = named.group(1) if named else preset
            p = line.split('#')[0].split()
            if not p:
                continue
            if len(p) < 5 or p[2] not in ('late', 'reset'):
                sys.exit(f'{f.name}:{number}: expected a name, cycles, late or '
                         f'reset, workgroups, warps; found {line.strip()!r}')
            rows.append((p[0], int(p[1]), p[2], int(p[3]), int(p[4])))
    return rows, preset


def group_of(start, groups, warps):
    if groups > 1:
        return 'several workgroups'
    return 'several warps' if warps > 1 else f'one warp, {start}'


def read_events(path):
    """{(kind, sm, warp, pc): [cycle]} and the words of pcs."""
    lines, sms, words = [], {}, {}
    with open(path, encoding='ascii') as f:
        for line in f:
            p = line.split()
            if p and p[0] not in ('#', 'K') and p[0].isdigit():
                lines.append((int(p[0]), *p[1:]))
    found = defaultdict(list)
    for cycle, kind, sm, warp, pc, word in sorted(lines, key=lambda e: e[0]):
        if kind in 'IAWSE':
            sm = sms.setdefault(sm, len(sms))
            words[pc] = word
        else:
            sm = '-'
        if kind == 'G' or kind == 'F':
            warp = warp if kind == 'G' and warp != '-' else '0'
        # An end is of the warp, whatever its pc is said to be.
        pc = '-' if kind in 'EGDF' else pc
        found[kind, sm, warp, pc].append(cycle)
    return found, words


def run(args, name, start, groups, events):
    command = [args.ventus, 'exec', '--model', args.preset, '--json',
               '--events', events]
    reset = RESET_GROUPS if groups > 1 else RESET
    settings = SETTINGS + (reset if start == 'reset' else ())
    for s in (*settings, *args.set):
        command += ['--set', s]
    path = os.path.join(args.folder, 'cases', name + '.metadata')
    done = subprocess.run(command + [path], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit(f'{name}: {done.stderr}')
    return json.loads(done.stdout)['cycles']


def pair(rtl, model):
    """[(RTL cycle, model cycle or None, kind, sm, warp, pc)] in the RTL's order.
    What the RTL did not record is not compared, nor what is under way when the last
    workgroup is reported: a launch of the model ends there."""
    rows, ends = [], [c for k, v in rtl.items() if k[0] in 'DF' for c in v]
    for (kind, sm, warp, pc), cycles in rtl.items():
        mine = model.get((kind, sm, warp, pc), [])
        for i, cycle in enumerate(cycles):
            if kind in 'AWSRM' and ends and cycle >= max(ends):
                continue
            rows.append((cycle, mine[i] if i < len(mine) else None, kind, sm,
                         warp, pc))
    return sorted(rows, key=lambda r: (r[0], KINDS.index(r[2])))


def differs(row):
    return row[0] != row[1]


def describe(row, words):
    rtl, model, kind, sm, warp, pc = row
    where = f' {pc}' if pc != '-' else ''
    where += f' {words[pc]}' if kind in 'IAWS' else ''
    who = f' w{warp}' if kind in 'IAWSE' else ''
    who = f' SM {sm}' + who if sm not in ('-', 0) else who
    at = 'none' if model is None else f'{model} ({model - rtl:+})'
    return f'{kind}{who}{where}: {rtl}, model {at}'


def share(rows, limit):
    """How many are no more than so many cycles off, in percent."""
    if not rows:
        return '-'
    near = sum(b is not None and abs(a - b) <= limit for a, b, *_ in rows)
    return f'{100 * near / len(rows):.0f} %'


def compare_events(args, name, path, all_issues):
    """Columns of the table: issues exact, within 4, others exact, first."""
    trace = os.path.join(args.folder, name + '.trace')
    if not os.path.exists(trace):
        return '- | - | - | -'
    rtl, words = read_events(trace)
    model, _ = read_events(path)
    rows = pair(rtl, model)
    issues = [r for r in rows if r[2] == 'I']
    all_issues += issues
    others = [r for r in rows if r[2] not in 'IGF']
    first = next(filter(differs, rows), None)
    if args.case:
        for row in list(filter(differs, rows))[:20]:
            print('   ', describe(row, words), file=sys.stderr)
    return (f'{share(issues, 0)} | {share(issues, 4)} | {share(others, 0)} | '
            f'{describe(first, words) if first else "the same"}')


def print_programs(args, totals):
    """Prints the table; {group: [error]}, {mechanism: [number, RTL, model]} and the
    rows of all issues."""
    errors, sums = defaultdict(list), defaultdict(lambda: [0, 0, 0])
    issues = []
    print('| program | start | groups x warps | RTL | model | error | issues '
          'exact | within 4 | other events exact | first event that differs |')
    print('|---|---|---|---|---|---|---|---|---|---|')
    with tempfile.TemporaryDirectory() as to:
        path = os.path.join(to, 'events')
        for name, cycles, start, groups, warps in totals:
            if args.case and args.case != name:
                continue
            n = run(args, name, start, groups, path)
            error = 100 * (n - cycles) / cycles
            for group in ('all', group_of(start, groups, warps)):
                errors[group].append(abs(error))
            print(f'| {name} | {start} | {groups} x {warps} | {cycles} | {n} | '
                  f'{error:+.1f} % | {compare_events(args, name, path, issues)} |')
            explain(args, name, path, sums)
    return errors, sums, issues


def explain(args, name, path, sums):
    """Adds the segments of the path to the RTL's last issue (ventus compare)."""
    trace = os.path.join(args.folder, name + '.trace')
    if not os.path.exists(trace):
        return
    done = subprocess.run([args.ventus, 'compare', '--json', trace, path],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f'{trace}: {done.stderr}')
    for s in json.loads(done.stdout.splitlines()[0])['path']:
        row = sums[s['mechanism']]
        row[0] += s['number']
        row[1] += s['cycles'][0]
        row[2] += s['cycles'][1]


def print_mechanisms(sums):
    print('| mechanism | number | RTL | model | model - RTL |')
    print('|---|---|---|---|---|')
    for name, (n, rtl, model) in sorted(
            sums.items(), key=lambda x: (-abs(x[1][2] - x[1][1]), x[0])):
        print(f'| {name} | {n} | {rtl} | {model} | {model - rtl:+} |')


def print_groups(errors, reached):
    """Prints the table; what is worse than was reached before, if that is known."""
    worse = []
    print('| programs | number | mean error | largest | wanted |')
    print('|---|---|---|---|---|')
    for group in (*GROUPS, 'all'):
        e = errors.get(group)
        if not e:
            continue
        mean, largest = sum(e) / len(e), max(e)
        met = mean <= WANTED[0] and largest <= WANTED[1]
        print(f'| {group} | {len(e)} | {mean:.1f} % | {largest:.1f} % | '
              f'{WANTED[0]:.0f} %, {WANTED[1]:.0f} %'
              f'{"" if met else ": not met"} |')
        before = reached.get(group, (100.0, 100.0))
        if round(mean, 1) > before[0] or round(largest, 1) > before[1]:
            worse.append(f'{group}: mean {mean:.1f} %, largest {largest:.1f} %; '
                         f'{before[0]} % and {before[1]} % were reached')
    return worse


def print_issues(issues, reached):
    """A line about all recorded issues; whether fewer are exact than before."""
    exact = sum(a == b for a, b, *_ in issues)
    if not issues:
        return []
    percent = 100 * exact / len(issues)
    print(f'\n{exact} of {len(issues)} recorded issues are in the RTL\'s cycle: '
          f'{percent:.1f} %.')
    return [f'issues: {percent:.1f} % exact; {reached} % were reached'] \
        if percent < reached else []


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('ventus')
    parser.add_argument('folder')
    parser.add_argument('--preset')
    parser.add_argument('--tables', default='chisel')
    parser.add_argument('--set', action='append', default=[])
    parser.add_argument('--case')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--write')
    return parser.parse_args()


def main():
    args = arguments()
    if not os.path.isdir(os.path.join(args.folder, 'cases')):
        print('no measured programs: skipped')
        return 77
    totals, preset = read_totals(args.folder)
    args.preset = args.preset or preset
    if args.check and args.tables not in REACHED:
        sys.exit(f'--check: nothing is known of {args.tables}')
    with table(f'{args.tables} programs', args.write):
        errors, sums, issues = print_programs(args, totals)
    if not errors:
        sys.exit(f'{args.folder}/totals.txt has no program {args.case}')
    with table(f'{args.tables} groups', args.write):
        worse = print_groups(errors, REACHED.get(args.tables, {}))
        worse += print_issues(issues, EXACT.get(args.tables, 0.0))
    if sums:
        with table(f'{args.tables} mechanisms', args.write):
            print_mechanisms(sums)
    for w in worse if args.check else ():
        print(f'worse: {w}')
    return 1 if worse and args.check else 0


if __name__ == '__main__':
    sys.exit(main())
