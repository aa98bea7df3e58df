#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: trace.py VENTUS EXAMPLES

Traces, read by parsers written here: the JSON and the protocol buffers of
Perfetto hold the same slices, properly nested, with as many instructions as
were issued; Konata's log has a start and an end for each; windows cut.
"""
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

VENTUS, EXAMPLES = sys.argv[1:]
KERNEL = [os.path.join(EXAMPLES, 'vecadd.s'), '--grid', '64', '--local', '16',
          '--arg', 'iota:64', '--arg', 'iota:64', '--arg', 'zeros:64']
WAITS = {'no_warp', 'fetch', 'branch', 'operand_collector', 'memory',
         'result', 'barrier', 'not_chosen'}


def run(folder, name, option, *more):
    path = os.path.join(folder, name)
    done = subprocess.run(
        [VENTUS, 'exec', '--model', 'rtl-verilog', *KERNEL, '--json',
         '--stats', option, path, *more],
        capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with open(path, 'rb') as f:
        return json.loads(done.stdout), f.read()


def read_json(data):
    """(track names, [(phase, track, time, name or value)])"""
    names, events = {}, []
    for e in json.loads(data)['traceEvents']:
        track = (e['pid'], e.get('tid'))
        if e['ph'] == 'M':
            if e['name'] == 'thread_name':
                assert track not in names, 'a track is named twice'
                names[track] = e['args']['name']
        else:
            value = e['args']['value'] if e['ph'] == 'C' else e.get('name')
            events.append((e['ph'], track, e['ts'], value))
    return names, events


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """A protocol buffer as {field: [value]}; bytes for messages and text."""
    out, at = defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            assert key & 7 == 2, 'a wire type that is not written'
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size
        out[key >> 3].append(value)
    return out


def read_proto(data):
    names, events = {}, []
    for packet in fields(data)[1]:
        p = fields(packet)
        assert p[10] == [1]
        for descriptor in p[60]:
            d = fields(descriptor)
            if d[4]:
                thread = fields(d[4][0])
                track = (thread[1][0], d[1][0] % 1024)
                names[track] = thread[5][0].decode()
        for event in p[11]:
            e = fields(event)
            track = divmod(e[11][0], 1024)
            phase = {1: 'B', 2: 'E', 4: 'C'}[e[9][0]]
            value = e[30][0] if phase == 'C' else \
                e[23][0].decode() if e[23] else None
            assert p[8][0] % 1000 == 0
            events.append((phase, track, p[8][0] // 1000, value))
    return names, events


def check_nested(events):
    """Slices as (track, begin, end, name, depth); time never goes back."""
    stacks, slices, last = defaultdict(list), [], {}
    for phase, track, time, value in events:
        if phase == 'C':
            continue
        assert time >= last.get(track, 0)
        last[track] = time
        if phase == 'B':
            stacks[track].append((time, value))
        else:
            begin, name = stacks[track].pop()
            slices.append((track, begin, time, name, len(stacks[track])))
    assert not any(stacks.values())
    return slices


def check_slices(result, names, events):
    slices = check_nested(events)
    issued = result['counters']['issued']
    on_warps = [s for s in slices if names[s[0]].startswith('warp slot')]
    assert len([s for s in on_warps if s[4] == 1 and s[3] not in WAITS]) \
        == issued
    warps = [s for s in on_warps if s[4] == 0]
    assert len(warps) == len({s[3] for s in warps}) == 64 // 8
    units = Counter(names[s[0]] for s in slices if s[0][1] >= 100)
    assert sum(units.values()) == issued
    for unit, n in units.items():
        assert n == result['counters']['unit_' + unit], unit
    return slices


def check_windows(folder, slices):
    _, data = run(folder, 'w.json', '--trace', '--trace-cycles', '200:400')
    _, events = read_json(data)
    for _, begin, end, _, _ in check_nested(events):
        assert 200 <= begin and end <= 402
    cut = {(t, b, n) for t, b, e, n, _ in check_nested(events) if b > 200}
    assert cut <= {(t, b, n) for t, b, e, n, _ in slices} | \
        {c for c in cut if c[2].startswith('workgroup')}
    _, data = run(folder, 's.json', '--trace', '--trace-sm', '1')
    assert {t[0] for t, *_ in check_nested(read_json(data)[1])} == {2}
    _, data = run(folder, 'k.json', '--trace', '--trace-kernel', 'other')
    assert not read_json(data)[1]


def check_konata(result, data):
    lines = [x.split('\t') for x in data.decode().splitlines()]
    assert lines[0] == ['Kanata', '0004'] and lines[1][0] == 'C='
    now, stages, ended, retired = int(lines[1][1]), {}, {}, 0
    for p in lines[2:]:
        if p[0] == 'C':
            assert int(p[1]) > 0
            now += int(p[1])
        elif p[0] == 'I':
            assert p[1] not in stages
            stages[p[1]] = []
        elif p[0] == 'S':
            assert p[1] not in ended
            stages[p[1]].append((now, p[3]))
        elif p[0] == 'R':
            assert p[1] not in ended and int(p[2]) == len(ended)
            ended[p[1]] = p[3]
            order = [s for _, s in stages[p[1]]]
            if p[3] == '0':
                retired += 1
                assert order == ['Ib', 'Oc', 'Ex'], order
            else:
                assert order == ['Ib']
        else:
            assert p[0] == 'L' and p[1] in stages
    assert ended.keys() == stages.keys()
    assert retired == result['counters']['issued']
    assert now <= result['cycles']


def main():
    with tempfile.TemporaryDirectory() as folder:
        result, data = run(folder, 't.json', '--trace')
        names, events = read_json(data)
        slices = check_slices(result, names, events)
        _, data = run(folder, 't.pftrace', '--trace')
        others, again = read_proto(data)
        assert others == names
        pure = [e for e in events if e[0] != 'C']
        assert pure == [e for e in again if e[0] != 'C']
        assert [e[2:] for e in events if e[0] == 'C'] != []
        check_windows(folder, slices)
        check_konata(*run(folder, 't.log', '--konata'))
    print(f'trace: {len(slices)} slices, ok')


if __name__ == '__main__':
    main()
