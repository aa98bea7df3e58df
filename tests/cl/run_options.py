#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run_options.py VENTUS VECTOR_ADD

What `ventus run` has as `ventus exec` has it: patterns of accesses against arithmetic,
the commit log against that of the recorded launch, lines by cost against the counters;
and options that are wrong, of which the program must see nothing.
"""
import json
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, VECTOR_ADD = sys.argv[1:3]
ITEMS, LANES = 256, 8


def run(folder, *args, status=0):
    p = subprocess.run([VENTUS, *args], cwd=folder, capture_output=True,
                       text=True, check=False)
    assert p.returncode == status, (args, p)
    return p


def add(folder, *args):
    return run(folder, 'run', *args, '--', VECTOR_ADD, '--n', str(ITEMS))


def statistics(folder):
    text = (folder / 'stats.json').read_text(encoding='utf-8')
    (kernel,) = json.loads(text)['kernels']
    return kernel


def check_patterns(folder):
    """c[i] = a[i] + b[i]: two loads of each warp and a store, all of unit stride."""
    for preset, option in (('default', '--device'), ('chisel', '--model')):
        p = add(folder, option, preset, '--lanes', str(LANES), '--stats',
                '--json', 'stats.json')
        s, warps = statistics(folder), ITEMS // LANES
        assert [s[f'loads_{k}'] for k in ('uniform', 'unit', 'gather')] == \
            [0, 2 * warps, 0], s
        assert [s[f'stores_{k}'] for k in ('uniform', 'unit', 'scatter')] == \
            [0, warps, 0], s
        assert s['warp_instructions'] == \
            sum(c['warp'] for c in s['classes'].values()), s
        assert s['classes']['fpu'] == {'warp': warps, 'thread': ITEMS}, s
        head, load, store = p.stderr.split('\n\n')[1].splitlines()
        assert head.split()[:2] == ['kernel', 'access'], head
        assert load.split()[:5] == ['vector_add', 'load', '0', str(2 * warps),
                                    '0'], load
        assert store.split() == ['store', '0', str(warps), '0'], store
        # Eight words in a row are one request.
        assert ('requests' in head) == (option == '--model')
        assert option == '--device' or load.split()[-1] == '1.00', load


def check_log(folder):
    """The log of a launch is that of the same launch from its recording."""
    for more in [], ['--model', 'chisel'], ['--device', 'ventus2']:
        add(folder, '--log', 'run.log', '--record', 'run.rec', '--json',
            'stats.json', *more)
        log = (folder / 'run.log').read_text(encoding='utf-8')
        run(folder, 'replay', 'run.rec', '--log', 'replay.log')
        assert log == (folder / 'replay.log').read_text(encoding='utf-8'), more
        # A prefix has a line of its own, and is part of an instruction.
        words = len(re.findall(r'^core +\d+: 3 0x', log, re.M))
        prefixes = len(re.findall(r'^core +\d+: 0x\w+ \(0x\w+\) pre(_|fix)', log, re.M))
        assert (words - prefixes ==
                statistics(folder)['warp_instructions']), more


def check_hot(folder):
    p = add(folder, '--model', 'lanes8', '--hot', '--json', 'stats.json')
    s = statistics(folder)
    assert p.stderr.startswith(f"vector_add: {s['cycles']} cycles in 1 launch\n")
    shown = dict(re.findall(r'^  (\w+) +(\d+)$', p.stderr, re.M))
    assert int(shown['issued']) == s['warp_instructions']
    assert sum(int(n) for n in shown.values()) == s['counters']['slots']
    rows = re.findall(r'^ +[\d.]+% +(\d+) +(\d+) .* \S+:\d+ +(\S.*)$', p.stderr, re.M)
    assert rows and all(int(slots) >= int(issued) for slots, issued, _ in rows)
    assert any('= a[' in source for _, _, source in rows), rows


def check_idle_lanes(folder):
    """13 work-items are two warps of 8 lanes: start code masks those beyond, so buffers of
    13 elements are enough on a machine that runs all lanes."""
    for device in 'rtl-verilog', 'rtl-verilog-32B', 'rtl-verilog:all_lanes=no':
        p = run(folder, 'run', '--device', device, '--', VECTOR_ADD, '--n', '13')
        assert p.returncode == 0 and not p.stderr, (device, p.stderr)


def check_refused(folder):
    """Nothing has started, and no file is left behind."""
    taken = socket.socket()
    taken.bind(('127.0.0.1', 0))
    taken.listen(1)
    (folder / 'short').write_text('race bfs\n', encoding='utf-8')
    (folder / 'typo').write_text('rcae bfs *\n', encoding='utf-8')
    before = sorted(folder.iterdir())
    for words, status, options in (
            ('expected a port, unix:PATH or fd:N', 2, '--gdb x'),
            ('expected a port, unix:PATH or fd:N', 2, '--gdb 65536'),
            ('already in use', 2, f'--gdb {taken.getsockname()[1]}'),
            ('--gdb is without', 2, '--gdb 0 --stats'),
            ('--gdb is without', 2, '--gdb 0 --log x'),
            ('--gdb needs the functional machine', 1, '--gdb 0 --model chisel'),
            ('checks need the functional machine', 1, '--check --model chisel'),
            ('expected three patterns', 1, '--check --suppress short'),
            ("found 'rcae', did you mean 'race'?", 1,
             '--check --suppress typo'),
            ("cannot read 'none'", 1, '--check --suppress none'),
            ('--json and --report would write one file', 2,
             '--json x --report x --model chisel'),
            ('--json and --report would write one file', 2,
             '--json x --report ./x --model chisel'),
            ('need a device whose engine profiles', 2, '--hot'),
            ('expected 0 to 1, the SMs', 1,
             '--trace x --trace-sm 2 --model chisel-2sm'),
            ('num_thread is a power of two', 1, '--lanes 7'),
            ('coherence is one of none rcc', 1, '--coherence some'),
            ('--coherence needs a device whose engine counts cycles', 2,
             '--coherence rcc'),
            ("cannot write 'none/x'", 1, '--log none/x'),
            ("cannot write 'none/x'", 1, '--record none/x')):
        p = run(folder, 'run', *options.split(), '--', 'sh', '-c', 'echo began',
                status=status)
        assert words in p.stderr and not p.stdout, (options, p)
        assert sorted(folder.iterdir()) == before, options
    # A device behind the first one may be without a debugger.
    run(folder, 'run', '--gdb', '0', '--device', 'default,chisel:engine=model',
        '--', 'true')
    run(folder, 'run', '--gdb', 'unix:socket', '--', 'true')
    assert not (folder / 'socket').exists()


with tempfile.TemporaryDirectory() as name:
    check_patterns(Path(name))
    check_log(Path(name))
    check_hot(Path(name))
    check_idle_lanes(Path(name))
with tempfile.TemporaryDirectory() as name:
    check_refused(Path(name))
print('run has what exec has')
