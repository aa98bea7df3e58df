#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus exec --record` and `ventus replay`: the same memory, faults and findings; files
and options that are wrong.

usage: exec.py VENTUS EXAMPLES [--assembly]

With --assembly nothing is compiled.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, EXAMPLES = sys.argv[1], Path(sys.argv[2])
failures = 0


def check(condition, what):
    global failures
    if not condition:
        print(f'failed: {what}')
        failures += 1


def run(*args):
    env = {k: v for k, v in os.environ.items() if not k.startswith('VENTUS_')}
    r = subprocess.run([VENTUS, *map(str, args)], capture_output=True, text=True,
                       env=env, check=False)
    return r.returncode, r.stdout, r.stderr


VECADD = ['--grid', '64', '--local', '16', '--arg', 'fiota:64', '--arg', 'fiota:64',
          '--arg', 'zeros:64']


def check_memory(folder):
    """What is read out of the replayed memory is the sum, on either machine."""
    rec, out = folder / 'a.rec', folder / 'out'
    status, _, err = run('exec', EXAMPLES / 'vecadd.s', *VECADD, '--record', rec,
                         '--record-results')
    check(status == 0, f'exec --record: {err}')
    check(os.stat(rec).st_mode & 0o777 == 0o600, 'the file is for its user alone')
    want = struct.pack('<64f', *(2.0 * i for i in range(64)))
    for more in [], ['--model', 'chisel'], ['--device', 'chisel'], ['--lanes', '8']:
        status, text, err = run('replay', rec, *more, '--dump', f'2={out}')
        check(status == 0 and 'memory is the same as recorded' in text,
              f'replay {more}: {text}{err}')
        check(out.read_bytes() == want, f'replay {more}: memory')
    status, text, err = run('replay', rec, '--coherence', 'rcc')  # was ignored
    check(status == 1 and not text and
          '--coherence needs an engine that counts cycles (--model)' in err, err)
    status, text, _ = run('replay', rec, '--compare', '--model', 'rtl-verilog')
    check(status == 0 and 'the same as on the cycle-level machine' in text, text)
    status, text, _ = run('replay', rec, '--list', '--json')
    row, = json.loads(text)
    check(status == 0 and row['kernel'] == 'vecadd' and row['global'] == [64, 1, 1] and
          row['outcome'] == 'ok' and row['memory_B'] == 3 * 256, f'--list: {text}')
    status, text, _ = run('replay', rec, '--json')
    row = json.loads(text)
    check(row['as_recorded'] and row['compared'] and not row['differences'], text)
    status, text, _ = run('replay', rec, '--model', 'chisel', '--konata',
                          folder / 'k', '--stats')
    check(status == 0 and (folder / 'k').stat().st_size > 100 and 'cycles' in text,
          'replay --konata --stats')


def check_refused(folder):
    """Of a launch that the machine had refused, memory was said to differ, and a fault."""
    rec = folder / 'a.rec'
    run('exec', EXAMPLES / 'vecadd.s', *VECADD, '--record', rec, '--record-results')
    for more in ['--set', 'num_warp=2', '--lanes', '4'], \
            ['--compare', '--model', 'chisel', '--set', 'num_warp=2', '--lanes', '4']:
        status, text, err = run('replay', rec, *more)
        check(status == 1 and text == 'launch 0: vecadd: refused by the machine, nothing has run\n'
              and 'a workgroup of 16 work-items, an SM has room for 8' in err,
              f'replay {more}: {text}{err}')
        status, text, _ = run('replay', rec, '--json', *more)
        row = json.loads(text)
        check(status == 1 and not row['as_recorded'] and not row['compared'] and
              not row['differences'], f'replay --json {more}: {text}')


STORES = '''
\t.text
\t.globl stores
stores:
\tlw t0, 0(a0)
\tvid.v v1
\tvsll.vi v1, v1, 2
\tvadd.vx v1, v1, t0
\tvmv.v.i v2, 7
\tvsw12.v v2, 0(v1)
\tret
'''


def check_difference(folder):
    """Memory that is not as recorded: another kernel of the same size in the file."""
    rec, other = folder / 'one.rec', folder / 'two.rec'
    for file, number in (rec, 7), (other, 9):
        source = folder / 'stores.s'
        source.write_text(STORES.replace('v2, 7', f'v2, {number}'), encoding='utf-8')
        status, _, err = run('exec', source, '--grid', '8', '--arg', 'zeros:8',
                             '--record', file, '--record-results')
        check(status == 0, f'stores: {err}')
    # A setting that changes what is stored: lanes beyond the grid run, too.
    status, text, _ = run('replay', rec, '--set', 'num_thread=32')
    check(status == 0, text)


FAULT = STORES.replace('vsll.vi v1, v1, 2', 'vsll.vi v1, v1, 9')


def check_fault(folder):
    """A launch that fails writes a file by itself; it fails again, and only it."""
    source, rec, all_ = folder / 'fault.s', folder / 'f.rec', folder / 'all.rec'
    source.write_text(FAULT, encoding='utf-8')
    args = ['exec', source, '--grid', '32', '--arg', 'zeros:8']
    status, _, err = run(*args, '--record-on-fault', rec, '--record', all_)
    check(status == 1 and f'recorded in {rec}' in err, err)
    for file in rec, all_:
        status, text, err = run('replay', file)
        check(status == 1 and 'the recorded fault' in text and 'unmapped' in err,
              f'{file}: {text}{err}')
    check(json.loads(run('replay', rec, '--list', '--json')[1])[0]['outcome'] == 'fault',
          'the outcome of a fault')
    good = folder / 'good.rec'
    status, _, err = run('exec', EXAMPLES / 'vecadd.s', *VECADD, '--record-on-fault', good)
    check(status == 0 and not good.exists(), f'no fault, no file: {err}')


FAULTY = '''
__kernel void faulty(__global int *to, __global const int *from,
                     __local int *near)
{
    size_t i = get_global_id(0);
    near[get_local_id(0) / 2] = from[i];
    if (from[i + 1] > 5)
        to[i] = near[0];
}
'''


def findings(path):
    """All that a finding says, but for source lines of the file that was there."""
    return json.loads(path.read_text(encoding='utf-8'))['list']


def check_findings(folder):
    """--check of a replay finds what it finds at first: bounds, unwritten bytes, races."""
    source, elf, rec = folder / 'faulty.cl', folder / 'faulty.elf', folder / 'c.rec'
    source.write_text(FAULTY, encoding='utf-8')
    status, _, err = run('cc', '-g', source, '-o', elf)  # one for both: --check compiles otherwise
    check(status == 0, f'cc: {err}')
    args = ['exec', elf, '--grid', '64', '--local', '16', '--arg', 'zeros:64',
            '--arg', 'iota:64', '--arg', 'local:64', '--threads', '1']
    first, again = folder / 'first.json', folder / 'again.json'
    run(*args, '--check', '--check-json', first)
    status, _, err = run(*args, '--record', rec)
    check(status == 0, f'exec --record: {err}')
    status, _, err = run('replay', rec, '--check', '--check-json', again)
    check(status == 1 and "'from'" in err, err)
    kinds = {f['finding'] for f in findings(first)}
    check({'out-of-bounds', 'race'} <= kinds, f'findings: {kinds}')
    check(findings(first) == findings(again), f'{findings(first)}\n{findings(again)}')


def check_wrong(folder):
    """What is wrong is said, with the file and the byte."""
    rec, bad = folder / 'a.rec', folder / 'bad.rec'
    good = rec.read_bytes()
    damaged = bytearray(good)
    damaged[len(good) // 2] ^= 4
    for bytes_, what in ((b'', 'too short'), (b'x' * 100, 'VENTUSRC'),
                         (good[:-1], 'cut off'), (bytes(damaged), 'damaged'),
                         (good + b'x', 'past the end')):
        bad.write_bytes(bytes_)
        status, _, err = run('replay', bad)
        check(status == 1 and what in err and str(bad) in err, f'{what}: {err}')
    for args, status, what in (
            ([folder / 'none'], 1, 'No such file'), ([folder], 1, 'no regular file'),
            ([rec, '--launch', '1'], 1, 'no launch 1'),
            ([rec, '--launch', 'x'], 2, "found 'x'"),
            ([rec, '--save', bad], 2, '--save needs --launch'),
            ([rec, '--launch', '0', '--save', folder / '.' / rec.name], 1,
             'would replace the recording'),
            ([rec, '--grid', '1'], 2, 'grid'), ([], 2, 'expected one file'),
            ([rec, '--show', '3'], 1, 'argument 3 is no buffer'),
            ([rec, '--set', 'memory_size=1M', '--set', 'num_warp=0'], 1, 'num_warp')):
        found, _, err = run('replay', *args)
        check(found == status and what in err, f'replay {args}: {found} {err}')
    for args, status, what in (
            (['--record-results'], 2, 'needs --record'),
            (['--check', '--check-json', 'x', '--sarif', './x'], 2,
             "--sarif and --check-json would write one file, 'x'"),
            (['--dump', '2=x', '--log', 'x'], 2,
             "--log and --dump would write one file, 'x'"),
            (['--json', '--log', '-'], 2,
             "--log and --json would write one file, '-'"),
            (['--record', folder], 1, 'Is a directory'),
            (['--record', '/dev/null'], 1, 'File exists')):
        found, _, err = run('exec', EXAMPLES / 'vecadd.s', *VECADD, *args)
        check(found == status and what in err, f'exec {args}: {found} {err}')
    check(Path('/dev/null').is_char_device(), '/dev/null is what it was')


with tempfile.TemporaryDirectory() as name:
    for test in check_memory, check_refused, check_difference, check_fault, check_findings, check_wrong:
        if test != check_findings or '--assembly' not in sys.argv:
            test(Path(name))
sys.exit(failures != 0)
