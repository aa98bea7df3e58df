#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: advice.py VENTUS

Rules of the report: each finds its cause, with the line, in a kernel that has it,
and does not in the same kernel changed as it says, which is faster.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from advice_kernels import CLOSE, FASTER, GAINS, KERNELS, MODELS, PAIRS

VENTUS = sys.argv[1]


def launch(folder, rule, source, arguments):
    (folder / 'k.cl').write_text(source.lstrip('\n'), encoding='utf-8')
    p = subprocess.run([VENTUS, 'exec', '--model', MODELS.get(rule, 'chisel'),
                        '--json',
                        '--stats', '--hot', 'k.cl', *arguments.split()],
                       cwd=folder, check=False, capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    return json.loads(p.stdout)


def check(folder, rule):
    bad, good, arguments, *other = KERNELS[rule]
    r = launch(folder, rule, bad, arguments)
    s = launch(folder, rule, good or bad, (other or [arguments])[0])
    found = {a['rule']: a for a in r['advice']}
    print(f'{rule}: {r["cycles"]} {s["cycles"]}', found.get(rule))
    assert rule in found, list(found)
    advice = found[rule]
    lines = [i for i, line in enumerate(bad.lstrip('\n').splitlines(), 1)
             if f'// {rule}' in line]
    if lines:
        assert advice['line'] in lines and advice['file'].endswith('k.cl')
    assert rule not in {a['rule'] for a in s['advice']}, s['advice']
    if rule in GAINS:
        # The estimate, and what the change gained.
        gained = r['cycles'] / s['cycles']
        assert abs(advice['gain'] / GAINS[rule][0] - 1) < 0.05, advice['gain']
        assert abs(gained / GAINS[rule][1] - 1) < 0.05, gained
    if rule in FASTER:
        gained = r['cycles'] / s['cycles']
        assert 1 < gained <= 1.5 * advice['gain'] and advice['gain'] > 1.05
        assert rule not in CLOSE or advice['gain'] <= 1.5 * gained
    gains = [a.get('gain', 0) for a in r['advice']]
    assert gains == sorted(gains, reverse=True)


def check_one_workgroup_at_a_time(folder):
    """More workgroups do not help a machine that runs one at a time."""
    r = launch(folder, 'bandwidth', KERNELS['workgroups'][0],
               '--grid 64 --local 64 --arg zeros:64')
    found = {a['rule']: a for a in r['advice']}
    assert 'one workgroup at a time' in found['workgroups']['change'], found


def check_threshold_of_misses(folder):
    """With the MSHRs full in 30 % of the cycles, loads that use their lines gain twice;
    the rule once named a kernel whose loads were as good as they can be."""
    bad, good, arguments = KERNELS['misses']
    least = launch(folder, 'misses', good, arguments)['cycles']
    for step in 2, 8, 12, 32:
        r = launch(folder, 'misses', bad.replace('* 32]', f'* {step}]'), arguments)
        full = r['counters']['mshr_full'] / r['cycles'] / 2
        told = 'misses' in {a['rule'] for a in r['advice']}
        assert told == (full >= 0.3), (step, full, told)
        assert not told or r['cycles'] > 1.9 * least, (step, r['cycles'], least)
    # Two walks of 2,051 cycles for each workgroup, 1,027 the first (microarchitecture.md).
    r = launch(folder, 'ends', KERNELS['ends'][0], KERNELS['ends'][2])
    walks, rest = divmod(r['counters']['l2_walks'] - 1027, 2051)
    assert 2 * (64 - 2) < walks < 2 * 64 and not rest, r['counters']['l2_walks']
    streams = launch(folder, 'ends', KERNELS['ends'][1], KERNELS['ends'][3])
    assert 'misses' not in {a['rule'] for a in streams['advice']}


def check_padding_does_not_help(folder):
    """The LSU asks for a line of local memory at a time, so that rows of 33 words take
    as many passes as rows of 32: the rule took them for free of conflicts."""
    padded = KERNELS['banks'][0].replace('32 * 32', '32 * 33') \
        .replace('i * 32 + x', 'i * 33 + x').replace('x * 32 + i', 'x * 33 + i')
    r = launch(folder, 'banks', padded, KERNELS['banks'][2])
    assert 'banks' in {a['rule'] for a in r['advice']}, r['advice']
    # Independent of the profile: what the local memory counted.
    passes = sum(i.get('local_passes', 0) for i in r['instructions'])
    s = r['counters']
    assert passes == s['local_requests'] + s['local_conflicts'], (passes, s)


def check_private_arrays_are_no_vectors(folder):
    """Their accesses were counted as those of words in global memory."""
    r = launch(folder, 'vectors', """
kernel void k(global int *o)
{
    int i = get_global_id(0), t[64];
    for (int n = 0; n < 64; n++)
        t[n] = i * n;
    int s = i;
    for (int n = 0; n < 64; n++)
        s += t[n] * t[63 - n];
    o[i] = s + t[i & 63];
}
""", '--grid 128 --local 64 --arg zeros:128')
    assert sum(i.get('accesses', 0) for i in r['instructions']) > 4 * 128 / 16, r
    assert 'vectors' not in {a['rule'] for a in r['advice']}, r['advice']


def check_atomics_stay(folder):
    """A histogram waits for its atomics, which vectors of the input do not make fewer."""
    before, arguments = next(p[1:3] for p in PAIRS if p[0] == 'atomics')
    found = {a['rule']: a for a in launch(folder, 'atomics', before, arguments)['advice']}
    assert found.get('vectors', {'gain': 1})['gain'] < 1.5, found


def check_pair(folder, rule, before, arguments, after, others):
    """The bound holds: what is gained is at most half more, and half less if it is close."""
    r = launch(folder, rule, before, arguments)
    s = launch(folder, rule, after, others)
    found = {a['rule']: a for a in r['advice']}
    gained = r['cycles'] / s['cycles']
    print(f'pair of {rule}: {r["cycles"]} {s["cycles"]} {gained:.2f}', found.get(rule))
    assert rule in found, list(found)
    assert gained <= 1.5 * found[rule]['gain'], (gained, found[rule])
    assert rule not in CLOSE or found[rule]['gain'] <= 1.5 * gained, (gained, found[rule])


def check_shown(folder):
    """The settings that a rule names take the cycles that it names."""
    bad, _, arguments = KERNELS['misses']
    for advice in launch(folder, 'misses', bad, arguments)['advice']:
        shown = re.search(r'(\d+) cycles with --set (\S+)', advice.get('shown', ''))
        if shown:
            again = launch(folder, 'misses', bad, f'{arguments} --set {shown[2]}')
            assert again['cycles'] == int(shown[1]), (advice, again['cycles'])


def check_passes(folder):
    """Those that the unit of local memory counts are those of the lines."""
    r = launch(folder, 'banks', KERNELS['banks'][0], KERNELS['banks'][2])
    for counter, member in (('local_passes', 'local_passes'), ('local_accesses', 'local')):
        own = sum(line.get(member, 0) for line in r['instructions'])
        assert own == r['counters'][counter] > 0, (counter, own)


def check_not_chosen(folder):
    """A slot without an issue is lost to a warp that was not chosen only if another one
    began: warps that are ready, but whose unit takes nothing, wait for collectors."""
    r = launch(folder, 'ends', PAIRS[0][1], PAIRS[0][2])
    c = r['counters']
    assert c['not_chosen'] <= c['issued'], c


def check_few_branches_diverge(folder):
    """Lanes leave a loop at once but for one: "in 0 % of the branches"."""
    r = launch(folder, 'divergent', '''
kernel void k(global int *a)
{
    int i = get_global_id(0), n = get_local_id(0) == 0 ? 1000 : 1, s = 0;
    for (int j = 0; j < n; j++)
        s = s * 3 + a[(i + j) & 63];
    a[i] = s;
}
''', '--grid 64 --local 64 --arg iota:64')
    found = {a['rule']: a for a in r['advice']}
    assert ' in 1 of 10' in found['divergent']['cause'], found


def main():
    rules = sys.argv[2:] or KERNELS
    with tempfile.TemporaryDirectory() as name:
        for rule in rules:
            check(Path(name), rule)
        check_one_workgroup_at_a_time(Path(name))
        check_padding_does_not_help(Path(name))
        check_threshold_of_misses(Path(name))
        check_private_arrays_are_no_vectors(Path(name))
        check_atomics_stay(Path(name))
        for pair in PAIRS:
            check_pair(Path(name), *pair)
        check_shown(Path(name))
        check_passes(Path(name))
        check_not_chosen(Path(name))
        check_few_branches_diverge(Path(name))


if __name__ == '__main__':
    main()
