#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Presets of the Chisel design: what follows from the lanes of a warp does so.

usage: presets.py VENTUS CONFIGS

num_lane, num_sfu and the banks of local memory are functions of num_thread in
the design, so `--lanes N` alone has to give what all four keys give.  chisel and
chisel-2sm are one design: they may differ in [machine] only, and in what a fence does to
an L1D (coherence: the RTL's does nothing); each names the commit that it was read or
measured at.  chisel2 is that design, too, with another
version of the instruction set, more memory, TLBs, and no deadlock of its L1D.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

# Additions, integer division, and local memory that all lanes meet in.
SOURCE = '''
    .text
    .globl  lanes
lanes:
    lw      t0, 0(a0)
    lw      t1, 4(a0)
    vid.v   v0
    vadd.vi v1, v0, 9
    vdivu.vv v2, v1, v1
    vmul.vv v2, v2, v1
    vsll.vi v3, v0, 2
    vadd.vx v3, v3, t1
    vsw12.v v2, 0(v3)
    vsll.vi v3, v0, 3
    vadd.vx v3, v3, t1
    vlw12.v v4, 0(v3)
    vadd.vi v4, v4, 1
    ret
'''
FAILED = []
# Those of measured hardware have its faults; kernels of OpenCL end on the others.
FAULTS = {'chisel': 'mended', 'chisel2': 'mended', 'chisel-2sm': 'rtl',
          'rtl-verilog': 'rtl', 'rtl-verilog-32B': 'rtl'}


def check(name, ok, found):
    if not ok:
        FAILED.append(name)
        print(f'{name}: {found}')


def counts(ventus, source, lanes, preset, *settings):
    command = [ventus, 'exec', source, '--model', preset, '--json', '--stats',
               '--grid', str(2 * lanes), '--local', str(lanes),
               '--arg', 'zeros:1', '--arg', 'local:1024']
    for s in settings:
        command += ['--set', s]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    result = json.loads(done.stdout)
    return result['cycles'], result['counters']


def check_lanes(ventus):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, 'lanes.s')
        with open(source, 'w', encoding='ascii') as f:
            f.write(SOURCE)
        for lanes in (4, 8, 16, 32, 64):
            size = f'num_thread={lanes}'
            alone = counts(ventus, source, lanes, 'chisel', size)
            whole = counts(ventus, source, lanes, 'chisel', size,
                           f'unit_lanes={lanes}', f'local_banks={lanes}',
                           f'sfu_lanes={max(1, lanes // 4)}')
            check(f'--lanes {lanes}', alone == whole,
                  f'{alone[0]} cycles, with all keys {whole[0]}')
        narrow = counts(ventus, source, 32, 'chisel', 'num_thread=32',
                        'unit_lanes=8')
        banks = counts(ventus, source, 32, 'chisel', 'num_thread=32',
                       'local_banks=8')
        check('the keys count', alone != narrow and alone != banks,
              'the program does not tell lanes or banks apart')
        same = counts(ventus, source, 32, 'chisel', 'num_thread=32',
                      'num_vgpr=1024', 'num_sgpr=2048')
        check('chisel-2sm', same == counts(ventus, source, 32, 'chisel-2sm'),
              'differs from chisel with 32 lanes')


def sections(path):
    """{section: {key: value}}, and the comment at the head."""
    with open(path, encoding='ascii') as f:
        text = f.read()
    head, found, section = text.split('\n\n', 1)[0], {}, None
    for line in text.splitlines():
        line = line.split(';')[0].strip()
        if line.startswith('['):
            section = found.setdefault(line.strip('[]'), {})
        elif line:
            key, value = line.split('=')
            section[key.strip()] = value.strip()
    return found, head


def check_files(folder):
    one, head = sections(os.path.join(folder, 'chisel.ini'))
    two, measured = sections(os.path.join(folder, 'chisel-2sm.ini'))
    check('coherence', (one['dcache'].pop('coherence'), two['dcache'].pop('coherence')) ==
          ('rcc', 'none'), 'not rcc for programs, none for what was measured')
    for name in one.keys() | two.keys():
        check(f'[{name}]', name in ('machine', 'run') or
              one.get(name) == two.get(name), 'chisel and chisel-2sm differ')
    wide, _ = sections(os.path.join(folder, 'chisel2.ini'))
    check('coherence', wide['dcache'].pop('coherence') == 'rcc', 'chisel2 has none')
    for name in two.keys() | wide.keys():
        check(f'[{name}]', name in ('machine', 'memory', 'tlb', 'run') or
              wide.get(name) == two.get(name), 'chisel2 and chisel-2sm differ')
    for name, faults in FAULTS.items():
        found, _ = sections(os.path.join(folder, f'{name}.ini'))
        check(f'{name}: faults', found['run']['faults'] == faults, found['run'])
    for text in (head, measured):
        check('commit', re.search(r'(?i)\bcommit\s+[0-9a-f]{8,40}\b', text), text)
    machine = {k: two['machine'].get(k) for k in
               ('num_sm', 'num_warp', 'num_thread', 'num_vgpr', 'num_sgpr')}
    check('measured sizes', list(machine.values()) ==
          ['2', '8', '32', '1024', '2048'], machine)


def main():
    check_lanes(sys.argv[1])
    check_files(sys.argv[2])
    print(f'{len(FAILED)} wrong')
    return 1 if FAILED else 0


if __name__ == '__main__':
    sys.exit(main())
