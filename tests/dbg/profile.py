#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: profile.py VENTUS EXAMPLES

The JSON of a launch: its members, that slots are split without rest in all
ways it is split, that it is the same with one and with two host threads; the
page made of it; what is said of input that is no such JSON.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

VENTUS, EXAMPLES = sys.argv[1:]
CAUSES = ['issued', 'no_warp', 'fetch', 'branch', 'operand_collector',
          'memory', 'result', 'barrier', 'not_chosen']
KERNEL = [os.path.join(EXAMPLES, 'vecadd.s'), '--grid', '64', '--local', '16',
          '--arg', 'iota:64', '--arg', 'iota:64', '--arg', 'zeros:64']


def ventus(*arguments, ok=True):
    done = subprocess.run([VENTUS, *arguments], capture_output=True, text=True,
                          check=False)
    assert (done.returncode == 0) == ok, (arguments, done.stderr)
    return done


def launch(*more):
    done = ventus('exec', '--model', 'rtl-verilog', *KERNEL, '--json',
                  '--stats', *more)
    assert done.stdout.count('\n') == 1
    return done.stdout


def check_members(r):
    for name, kind in (('name', str), ('ok', bool), ('num_thread', int),
                       ('cycles', int), ('counters', dict), ('stats', dict),
                       ('machine', dict), ('sms', list), ('causes', list),
                       ('timeline', dict), ('lines', list),
                       ('instructions', list)):
        assert isinstance(r[name], kind), name
    for name in ('num_sm', 'num_warp', 'line_B', 'clock_mhz',
                 'peak_bytes_per_cycle'):
        assert r['machine'][name] > 0, name
    assert r['causes'] == CAUSES
    assert all(isinstance(v, int) for v in r['counters'].values())


def check_sums(r):
    c, sms = r['counters'], r['sms']
    assert c['slots'] == r['cycles'] * r['machine']['num_sm']
    assert sum(c[k] for k in CAUSES) == c['slots']
    assert len(sms) == r['machine']['num_sm']
    for s in sms:
        assert sum(s[k] for k in CAUSES) == s['slots'] == r['cycles']
    for k in sms[0]:
        # what SMs share is counted once, for the machine
        shared = k.startswith(('l2_', 'memory_', 'row_', 'page_'))
        assert shared or sum(s[k] for s in sms) == c[k], k
    t = r['timeline']
    for i, cause in enumerate(CAUSES):
        assert sum(s[i] for s in t['slots']) == c[cause], cause
    assert sum(t['warps']) == c['warp_cycles']
    assert sum(t['requests']) == c['memory_reads'] + c['memory_writes']
    assert (len(t['slots']) - 1) * t['bin_cycles'] < r['cycles']
    for part in ('instructions', 'lines'):
        for i, cause in enumerate(CAUSES):
            if cause != 'no_warp' and (part == 'instructions'):
                assert sum(h['slots'][i] for h in r[part]) == c[cause], cause
    assert sum(h['issued'] for h in r['instructions']) == c['issued'] \
        == r['stats']['warp_instructions']


def check_lines(r):
    """Every line is that of the file, and sums up its instructions."""
    with open(KERNEL[0], encoding='utf-8') as f:
        source = f.read().splitlines()
    own = [h for h in r['lines'] if h['file'].endswith('vecadd.s')]
    assert own
    for h in own:
        assert source[h['line'] - 1].strip() == h['source'].strip()
        parts = [i for i in r['instructions'] if i['file'] == h['file']
                 and i['line'] == h['line']]
        for k in ('issued', 'lanes'):
            assert sum(i[k] for i in parts) == h[k]
    cost = [sum(h['slots']) for h in r['lines']]
    assert cost == sorted(cost, reverse=True)


def check_shared_lines():
    """Several instructions of a line are one row, wherever they are and whatever
    each of them costs; an instruction is named by its pc."""
    each = [['addi x5, x5, 1', 'mul x6, x5, x5', 'xor x7, x6, x5'],
            ['lw x8, 0(x10)', 'add x8, x8, x8', 'sw x8, 0(x10)'],
            ['vid.v v1', 'vmul.vv v2, v1, v1', 'vadd.vv v3, v2, v1']]
    text = [i for line in each for i in line] * 4
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'k.s')
        with open(path, 'w', encoding='utf-8') as f:
            f.write('.file 1 "k.cl"\n.globl k\nk: .loc 1 1\nlw x10, 0(x10)\n')
            for line in list(enumerate(each, 2)) * 4:
                f.write('.loc 1 %d\n%s\n' % (line[0], '\n'.join(line[1])))
            f.write('.loc 1 9\nendprg\n')
        done = ventus('exec', '--model', 'rtl-verilog', path, '--grid', '16',
                      '--local', '16', '--arg', 'zeros:16', '--json', '--hot')
    r = json.loads(done.stdout)
    lines = [h for h in r['lines'] if h['file'].endswith('k.cl')]
    own = [i for i in r['instructions'] if i['file'].endswith('k.cl')]
    assert sorted(h['line'] for h in lines) == [1, 2, 3, 4, 9]
    for h in lines:
        parts = [i for i in own if i['line'] == h['line']]
        assert len(parts) == (1 if h['line'] in (1, 9) else 12)
        assert h['issued'] == sum(i['issued'] for i in parts)
        assert h['slots'] == [sum(i['slots'][c] for i in parts)
                              for c in range(len(CAUSES))]
    in_order = sorted(own, key=lambda i: i['pc'])
    first = in_order[0]['pc']
    assert [i['pc'] - first for i in in_order] == list(range(0, 4 * 38, 4))
    assert [i['text'].split() for i in in_order[1:-1]] == [
        i.split() for i in text]


def check_page(text):
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, 'r.html')
        ventus('exec', '--model', 'rtl-verilog', *KERNEL, '--report', page)
        with open(page, encoding='utf-8') as f:
            direct = f.read()
        record = os.path.join(folder, 'r.json')
        with open(record, 'w', encoding='utf-8') as f:
            f.write(text)
        assert ventus('report', record).stdout == direct
    assert not re.search(r'https?:|//[a-z]+\.|@import|src=', direct)
    data = re.search(r'id="data">(.*?)</script>', direct, re.S)[1]
    assert json.loads(data) == json.loads(text)


def check_bad_input():
    with tempfile.TemporaryDirectory() as folder:
        for text, said in (
                ('{"a":1}\n{"b":[1,2}\n', ":2:10: error: not JSON: expected "
                 "',' or ']', found '}'"),
                ('[' * 100, 'fewer brackets'),
                ('{"a":"x\n', 'expected the end of a string'),
                ('{"a":1} 2\n', 'expected the end of the line'),
                ('{"name":"k"}\n', 'no launch that counted cycles')):
            path = os.path.join(folder, 'bad.json')
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
            assert said in ventus('report', path, ok=False).stderr, said
        for options, said in (
                (['--hot'], 'need an engine that profiles'),
                (['--model', 'rtl-verilog', '--trace', '/no/such/t'],
                 'No such file'),
                (['--model', 'rtl-verilog', '--trace', '/dev/null',
                  '--trace-sm', '9'], 'there is no SM 9: the device has 2'),
                (['--model', 'rtl-verilog', '--trace-cycles', '9:3'],
                 'expected FROM:TO')):
            done = ventus('exec', *KERNEL, *options, ok=False)
            assert said in done.stderr, done.stderr


def main():
    text = launch('--hot')
    r = json.loads(text)
    check_members(r)
    check_sums(r)
    check_lines(r)
    check_shared_lines()
    check_page(text)
    check_bad_input()
    assert launch('--hot', '--threads', '1') == text
    assert launch('--hot', '--threads', '2') == text
    plain = launch('--threads', '1')
    assert launch('--threads', '2') == plain
    plain = json.loads(plain)
    assert plain['cycles'] == r['cycles'] and plain['counters'] == r['counters']
    hot = ventus('exec', '--model', 'rtl-verilog', *KERNEL, '--hot').stdout
    assert 'vecadd.s:' in hot and 'mostly waits for' in hot
    print('profile: ok')


if __name__ == '__main__':
    main()
