#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: compare.py VENTUS

`ventus compare` on event files that are written here, so that the differences are
known; on random ones, whose path has to sum to the totals; and on hostile ones.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

VENTUS = sys.argv[1]
LUI, XOR, LOAD, FMA, END = ('900002b7', '2e1080d7', '0005217b', 'b2219257',
                            '0000400b')
WRONG = []


def check(name, ok, found):
    if not ok:
        WRONG.append(name)
        print(f'{name}: {found}')


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, 'wb') as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    return path


def run(*args):
    return subprocess.run([VENTUS, 'compare', *args], capture_output=True,
                          text=True, errors='replace', check=False)


def compare(folder, a, b, *options):
    """The JSON of each launch, and the exit status."""
    done = run('--json', *options, write(folder, 'a', a), write(folder, 'b', b))
    return [json.loads(x) for x in done.stdout.splitlines()], done


def program(launch=10, load=10, sm=0, warp=0):
    """A warp: lui, vxor, a load, an fma that needs it, the end."""
    t, lines = launch, ['0 G - - - -']

    def event(cycle, kind, pc, word):
        lines.append(f'{cycle} {kind} {sm} {warp} {0x80000000 + pc:x} {word}')

    event(t, 'I', 0, LUI)
    event(t + 2, 'W', 0, LUI)
    event(t + 3, 'I', 4, XOR)
    event(t + 6, 'W', 4, XOR)
    event(t + 7, 'I', 8, LOAD)
    event(t + 10, 'A', 8, LOAD)
    t += 10 + load
    event(t, 'W', 8, LOAD)
    event(t + 1, 'I', 12, FMA)
    event(t + 9, 'W', 12, FMA)
    event(t + 5, 'I', 16, END)
    event(t + 6, 'E', 16, END)
    lines.append(f'{t + 8} D - 0 - -')
    return '\n'.join(lines) + '\n'


def spans(result, name):
    return {s['mechanism']: s['cycles'] for s in result[name]}


def check_sums(name, r):
    for side in (0, 1):
        total = sum(s['cycles'][side] for s in r['path'])
        check(f'{name}: path of {"AB"[side]}', total == r['cycles'][side],
              f'{total}, cycles {r["cycles"][side]}')


def check_known(folder):
    """The launch takes 5 cycles more, the load 10."""
    (r,), done = compare(folder, program(), program(15, 20, sm=1), '--exact')
    check('cycles', r['cycles'] == [38, 53] and not r['exact'] and
          done.returncode == 1, r['cycles'])
    first = r['first_difference']
    check('first', first == {'event': 'issue', 'cycle': [10, 15], 'sm': 0,
                             'warp': 0, 'pc': '80000000', 'word': LUI}, first)
    path = spans(r, 'path')
    check('path', path == {
        'load: LSU entry to write-back': [10, 20],
        'origin to the first issue': [10, 15],
        'load: issue to LSU entry': [3, 3], 'last issue to the end': [3, 3],
        'fma: issue to the warp\'s next': [4, 4],
        'write-back to dependent issue': [1, 1],
        'valu: issue to the warp\'s next': [4, 4],
        'salu: issue to the warp\'s next': [3, 3]}, path)
    check('largest first', [s['mechanism'] for s in r['path']][:2] ==
          ['load: LSU entry to write-back', 'origin to the first issue'], path)
    check('spans', spans(r, 'spans')['fma: issue to write-back'] == [8, 8] and
          spans(r, 'spans')['load: LSU entry to write-back'] == [10, 20],
          r['spans'])
    issues = [k for k in r['kinds'] if k['event'] == 'issue'][0]
    check('kinds', issues == {
        'event': 'issue', 'number': [5, 5], 'compared': True, 'matched': 5,
        'exact': 0, 'within_4': 0, 'sum_off': 3 * 5 + 2 * 15, 'largest': 15},
        issues)
    text = run(*[os.path.join(folder, x) for x in 'ab']).stdout
    check('text', 'cycles: A 38, B 53, B - A +15 (+39.47 %)' in text and
          re.search(r'^> +10 +15 +\+5  issue +SM 0 warp 0  80000000  lui', text,
                    re.M) and
          re.search(r'^ +\+10 +10 +20 +1 +1  load: LSU entry', text, re.M), text)
    check_sums('known', r)


def check_first(folder):
    """The mechanism of the first difference, by the event that it is."""
    a = program()
    load, add = (re.search(rf'^(\d+) {k} 0 0 (\S+) {w}$', a, re.M)
                 for k, w in (('A', LOAD), ('I', FMA)))
    cases = (
        ('an entry', load, {'load: issue to LSU entry': [3, 4]}),
        ('a result', re.search(rf'^(\d+) W 0 0 (\S+) {LOAD}$', a, re.M),
         {'load: LSU entry to write-back': [10, 11]}),
        ('a dependent issue', add, {'write-back to dependent issue': [1, 2]}))
    for name, line, expected in cases:
        now = int(line.group(1))
        later = a.replace(line.group(), line.group().replace(str(now), str(now + 1), 1))
        (r,), _ = compare(folder, a, later)
        check(f'mechanism of {name}', spans(r, 'first_mechanism') == expected, r)
        text = run(*[os.path.join(folder, x) for x in 'ab']).stdout
        (what, cycles), = expected.items()
        check(f'text of {name}', f'mechanism: {what}, A {cycles[0]}, B {cycles[1]}\n'
              in text, text)
    # A barrier that is left late; and what has no predecessor that both have.
    wait = '0 G - 0 - -\n5 I 0 0 80000000 0400c00b\n'
    (r,), _ = compare(folder, wait + f'20 I 0 0 80000004 {END}\n',
                      wait + f'22 I 0 0 80000004 {END}\n')
    check('mechanism of a barrier', spans(r, 'first_mechanism') ==
          {"barrier: issue to the warp's next": [15, 17]}, r)
    (r,), _ = compare(folder, a, a + '60 I 0 0 80000014 00000013\n')
    check('mechanism of none', r['first_mechanism'] == [], r)


def check_same(folder):
    (r,), done = compare(folder, program(), program(sm=3), '--exact')
    check('the same', r['exact'] and done.returncode == 0 and
          'first_difference' not in r and 'context' not in r, r)
    (r,), done = compare(folder, without(program(), 'G'),
                         without(program(17), 'G'), '--exact', '--origin',
                         'issue')
    check('origin', r['exact'] and r['cycles'] == [28, 28], r['cycles'])
    late = re.sub(r'^\d+', lambda m: str(int(m.group()) + 1000), program(),
                  flags=re.M)
    (r,), _ = compare(folder, program(), late)
    check('clocks apart', r['exact'], r['cycles'])
    lines = program().splitlines()
    random.Random(1).shuffle(lines)
    (r,), _ = compare(folder, program(), '\n'.join(lines))
    check('unsorted', r['exact'], r)


def without(text, kind):
    return ''.join(line for line in text.splitlines(True)
                   if line.split()[1] != kind)


def check_parts(folder):
    """Files that record less."""
    a, b = program(), program(15, 20)
    (r,), _ = compare(folder, without(without(a, 'W'), 'A'), b)
    path = spans(r, 'path')
    check('issues alone', path['load: issue to dependent issue'] == [14, 24],
          path)
    check_sums('issues alone', r)
    (r,), _ = compare(folder, without(a, 'A'), b)
    check('no entries', spans(r, 'path')['load: issue to write-back'] ==
          [13, 23], r['path'])
    check_sums('no entries', r)
    (r,), _ = compare(folder, without(a, 'D'), b)
    check('no end', r['cycles'][0] == 39, r['cycles'])
    # The last event that both have is the issue of endprg, 5 behind the fma's wait.
    only = ''.join(x for x in a.splitlines(True) if ' I ' in x or ' G ' in x)
    for pair in (only, a), (a, only):
        (r,), done = compare(folder, *pair)
        check('issues of the same', r['cycles'] == [35, 35], r['cycles'])
    some = ''.join(x for x in a.splitlines(True) if LOAD in x and ' I ' not in x)
    (r,), _ = compare(folder, '0 G - - - -\n' + some, a)
    check('a part', not r['exact'] and r['first_difference']['cycle'] ==
          [None, 12] and not r['path'], r['first_difference'])
    (r,), _ = compare(folder, '0 G - - - -\n' + some, a, '--subset')
    check('--subset', 'first_difference' not in r, r.get('first_difference'))
    nowhere = re.sub(r'( [IAWE]) 0 ', r'\1 - ', a)
    (r,), _ = compare(folder, nowhere, program(sm=1), '--exact')
    check('no SMs', r['exact'], r)
    (r,), _ = compare(folder, a, without(a, 'I'))
    check('no issues', not r['path'] and not r['first_difference']
          if 'first_difference' in r else not r['path'], r)


def check_order(folder):
    a = program()
    (r,), _ = compare(folder, a, a.replace('8000000c', '80000020'))
    check('another pc', r['other_instructions'] == {
        'sm': 0, 'warp': 0, 'issue': 4, 'pc': ['8000000c', '80000020']}, r)
    (r,), done = compare(folder, a, a.replace(FMA, XOR))
    check('another word', r['other_instructions']['pc'] == ['8000000c'] * 2 and
          not r['exact'], r['other_instructions'])
    extra = a + '60 I 0 0 80000014 00000013\n'
    (r,), _ = compare(folder, a, extra)
    check('one more', r['first_difference']['cycle'] == [None, 60], r)
    text = run(os.path.join(folder, 'b'), os.path.join(folder, 'a')).stdout
    check('one less', re.search(r'^> +60 +- +-  issue', text, re.M), text)
    two = 'K one\n' + a + 'K two\n' + a
    (r, s), done = compare(folder, two, two.replace('K two', 'K other'))
    check('launches', r['name'] == ['one', 'one'] and
          s['name'] == ['two', 'other'] and s['exact'], (r, s))
    rows, done = compare(folder, two, a, '--exact')
    check('one launch less', len(rows) == 1 and done.returncode == 1 and
          'A has 2 launches, B has 1' in done.stderr, done.stderr)


def random_program(rng):
    """Warps with the same instructions each, at random times."""
    lines, t = [f'{rng.randrange(9)} G - - - -'], 20
    for sm in range(2):
        for warp in range(3):
            t = 10 + rng.randrange(30)
            for pc in range(0, 120, 4):
                word = (LUI, XOR, LOAD, FMA, LOAD)[pc // 4 % 5]
                t += rng.randrange(1, 9)
                w = t + rng.randrange(1, 30)
                lines.append(f'{t} I {sm} {warp} {pc:x} {word}')
                if rng.random() < 0.9:
                    lines.append(f'{w} W {sm} {warp} {pc:x} {word}')
                if word == LOAD:
                    lines.append(f'{t + 1} A {sm} {warp} {pc:x} {word}')
                    lines.append(f'{t} R - - {pc & ~127:x} -')
            lines.append(f'{t + 9} I {sm} {warp} 200 {END}')
    return '\n'.join(lines)


def check_random(folder):
    for seed in range(60):
        rng = random.Random(seed)
        a, b = random_program(rng), random_program(rng)
        (r,), done = compare(folder, a, b)
        check_sums(f'random {seed}', r)
        ways = {x['event']: x for x in r['kinds']}
        check(f'random {seed}', ways['issue']['matched'] == 2 * 3 * 31, ways)
    (r,), _ = compare(folder, a, a)
    check('random, same', r['exact'], r['cycles'])


def check_hostile(folder):
    good = program().encode()
    path = write(folder, 'good', good)
    rng = random.Random(7)
    numbers = [b'-1', b'0', b'18446744073709551616', b'9' * 400, b'1e9', b'0x',
               b'ffffffffffffffff', b'%n%s', b'1099511627776']
    for i in range(150):
        bad = bytearray(good)
        if i < 40:
            bad = good[:rng.randrange(len(good))]
        elif i < 90:
            for _ in range(rng.randrange(1, 6)):
                bad[rng.randrange(len(bad))] = rng.randrange(256)
        else:
            words = good.split(b' ')
            words[rng.randrange(len(words))] = rng.choice(numbers)
            bad = b' '.join(words)
        mine = write(folder, 'bad', bytes(bad))
        for order in ([path, mine], [mine, path]):
            done = run(*order)
            said = re.search(r'bad(:\d+:\d+)?: error: |cannot', done.stderr)
            check(f'hostile {i}', done.returncode == 0 or
                  (done.returncode == 1 and said),
                  (done.returncode, done.stderr[:200]))
    for text, message in ((b'', 'no event in it'), (b'# only\n', 'no event'),
                          (b'1 I 0 0 0 0\0', 'a zero byte at offset 11'),
                          (b'KERNEL x\n', 'bad:1:1: error: expected cycle kind'),
                          (b'1 I 0 0 0 0\n2 Q 0 0 0 0\n',
                           "bad:2:3: error: expected a kind of event")):
        done = run(write(folder, 'bad', text), path)
        check(message, done.returncode == 1 and message in done.stderr,
              done.stderr)
    far = '0 G - - - -\n1099511627776 I 0 0 0 13\n'
    (r,), _ = compare(folder, far, '1099511627776 G - - - -\n0 I 0 0 0 13\n')
    check('far apart', r['kinds'][1]['largest'] == -2 ** 41 and
          r['cycles'] == [2 ** 40, -2 ** 40], r)


def check_command_line(folder):
    good = write(folder, 'good', program())
    for args, status, message in (
            ([], 2, 'expected two event files'), ([good], 2, 'two event'),
            ([good, good, good], 2, 'two event'),
            ([good, os.path.join(folder, 'none')], 1, 'none: error: cannot'),
            (['--origin', 'x', good, good], 2, "--origin: expected launch"),
            (['--context', '-1', good, good], 2, "--context: expected 0"),
            (['-march=x', good, good], 2, 'expected ventus1 or ventus2')):
        done = run(*args)
        check(f'compare {args}', done.returncode == status and
              message in done.stderr, done.stderr)
    done = run('--help')
    check('--help', done.returncode == 0 and 'usage: ventus compare' in
          done.stdout, done.stdout)
    lines = run('--context', '1', good, write(folder, 'b', program(11))).stdout
    check('--context', len(re.findall(r'^[ >] +\d+ +\d+ +[+-]\d+  \w', lines,
                                      re.M)) == 3, lines)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for part in (check_known, check_first, check_same, check_parts, check_order,
                     check_random, check_hostile, check_command_line):
            part(folder)
    print(f'{len(WRONG)} wrong')
    return 1 if WRONG else 0


if __name__ == '__main__':
    sys.exit(main())
