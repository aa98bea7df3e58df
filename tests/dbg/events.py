#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: events.py VENTUS EXAMPLES

The event file of docs/events.md, read by a parser written here, against what
the machine counts (--json --stats) and against --issues.
"""
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

VENTUS, EXAMPLES = sys.argv[1:]
KERNELS = [['reduce.s', '--grid', '256', '--local', '64', '--arg', 'iota:256',
            '--arg', 'zeros:4', '--arg', 'local:256'],
           ['divergent.s', '--grid', '32', '--arg', 'iota:32',
            '--arg', 'zeros:32']]
MACHINES = [['chisel'], ['chisel', '--coherence', 'none', '--threads', '2'],
            ['chisel', '--set', 'num_sm=1', '--set', 'memory=dram'],
            ['rtl-verilog', '--set', 'num_warp=8', '--set', 'num_vgpr=0',
             '--set', 'num_sgpr=0']]
WRONG = []


def check(name, ok, found):
    if not ok:
        WRONG.append(name)
        print(f'{name}: {found}')


def run(kernel, machine, *options):
    command = [VENTUS, 'exec', os.path.join(EXAMPLES, kernel[0]), *kernel[1:],
               '--json', '--stats', '--model', *machine, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def read(path):
    """name, [(cycle, kind, sm, warp, pc, word)]"""
    name, events = None, []
    with open(path, encoding='ascii') as f:
        for line in f:
            if line.startswith('K '):
                assert name is None, 'one launch'
                name = line[2:].strip()
            elif not line.startswith('#'):
                cycle, *rest = line.split()
                assert len(rest) == 5, line
                events.append((int(cycle), *rest))
    return name, events


def check_counts(name, events, r):
    kinds = Counter(e[1] for e in events)
    c = r['counters']
    expected = {'I': c['issued'], 'A': c['lsu_instructions'],
                'R': c['memory_reads'], 'M': c['memory_writes'],
                'G': c['workgroups'], 'D': c['workgroups'], 'F': 1}
    for kind, n in expected.items():
        check(f'{name}: {kind}', kinds[kind] == n,
              f'{kinds[kind]}, counted are {n}')
    check(f'{name}: kinds', set(kinds) <= set('IAWSERMGDF'), kinds)
    check(f'{name}: end', events[-1][1] == 'F' and
          events[-1][0] == r['cycles'], events[-1])
    # D is the cycle in which the host hears of what this one did.
    cycles = [e[0] for e in events if e[1] != 'D']
    check(f'{name}: order', cycles == sorted(cycles), 'cycles go back')


def is_store(word):
    """Of the base set and Ventus's private ones: opcode STORE, custom-2/3."""
    return word & 0x7f == 0x23 or word & 0x707f in (0x607b, 0x707b, 0x507b)


def check_lives(name, events):
    """Of each instruction: issue, then entry in the LSU, then one end."""
    order = {'I': 0, 'A': 1, 'W': 2, 'S': 2}
    seen = defaultdict(lambda: defaultdict(list))
    last = {}
    for cycle, kind, sm, warp, pc, word in events:
        if kind in order:
            seen[sm, warp, pc, word][kind].append(cycle)
        if kind == 'I':
            last[sm, warp] = (pc, word)
        if kind == 'E':
            check(f'{name}: E', last[sm, warp] == (pc, word) and
                  word == '0000400b', (cycle, pc, word))
    for key, kinds in seen.items():
        for a, b in ('IA', 'IW', 'IS', 'AS'):
            pairs = list(zip(kinds[a], kinds[b]))
            check(f'{name}: {b} of {key}', len(kinds[b]) in (0, len(kinds[a]))
                  and all(x < y for x, y in pairs), dict(kinds))
        check(f'{name}: ends of {key}', not (kinds['W'] and kinds['S']),
              dict(kinds))
        if is_store(int(key[3], 16)):
            check(f'{name}: store {key}', kinds['A'] and kinds['S'],
                  dict(kinds))


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'events')
        issues = os.path.join(folder, 'issues')
        for kernel in KERNELS:
            for machine in MACHINES:
                name = f'{kernel[0]} on {" ".join(machine)}'
                r = run(kernel, machine, '--events', path)
                plain = run(kernel, machine, '--issues', issues)
                check(f'{name}: cycles', plain['cycles'] == r['cycles'],
                      'another number with --issues')
                kernel_name, events = read(path)
                check(f'{name}: K', kernel_name == r['name'], kernel_name)
                check_counts(name, events, r)
                check_lives(name, events)
                with open(issues, encoding='ascii') as f:
                    alone = [line.split() for line in f][1:]
                mine = [['I', str(e[0]), *e[2:]] for e in events if e[1] == 'I']
                check(f'{name}: --issues', sorted(alone) == sorted(mine),
                      'other issues')
        run(KERNELS[0], MACHINES[0], '--events', path, '--trace-cycles',
            '100:200', '--trace-sm', '0')
        _, part = read(path)
        check('window', part and all(100 <= e[0] <= 200 and e[2] in '0-'
                                     for e in part), part[:3])
    print(f'{len(WRONG)} wrong')
    return 1 if WRONG else 0


if __name__ == '__main__':
    sys.exit(main())
