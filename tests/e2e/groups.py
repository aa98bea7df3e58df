#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus exec` where the local size does not divide the global one.

    groups.py VENTUS
"""
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS = sys.argv[1]
SOURCE = """kernel void groups(global uint *n) {
    n[get_global_id(0)] = get_num_groups(0) * 1000 + get_local_size(0);
}
kernel void wild(global uint *n) {
    if (get_global_id(0) == 9 && get_global_id(1) == 6)
        n[(1 << 24) + get_local_id(0)] = 1;
}
"""
# The first workgroup waits with barriers for the others.
WAITS = """kernel void waits(volatile global int *n) {
    if (get_group_id(0))
        n[get_group_id(0)] = 1;
    else
        while (!n[3])
            barrier(CLK_LOCAL_MEM_FENCE);
    n[0] = 1;
}
"""
failures = 0


def check(what, ok, shown):
    global failures
    if not ok:
        print(f'{what}: {shown}')
        failures += 1


def run(*args):
    return subprocess.run([VENTUS, *map(str, args)], text=True,
                          capture_output=True, check=False)


def numbers(done):
    """What --show printed, without the indices in front of the rows."""
    return [int(x) for x in done.stdout.split() if not x.endswith(':')]


with tempfile.TemporaryDirectory() as folder:
    source = Path(folder, 'k.cl')
    source.write_text(SOURCE)
    old, new = Path(folder, 'old'), Path(folder, 'new')
    for program, std in ((old, 'CL1.2'), (new, 'CL3.0')):
        done = run('cc', f'-cl-std={std}', source, '-o', program)
        check('compiles', done.returncode == 0, done.stderr)
    launch = ['groups', '--grid', 200, '--arg', 'zeros:200', '--show', '0:u32']
    done = run('exec', old, *launch)
    seen = set(numbers(done))
    check('a size that divides is chosen',
          len(seen) == 1 and all(x // 1000 * (x % 1000) == 200 for x in seen),
          done.stdout + done.stderr)
    done = run('exec', old, *launch, '--local', 128)
    check('another is refused', done.returncode != 0 and
          "kernel 'groups': global size 200 is no multiple of local size 128"
          in done.stderr, done.stderr)
    done = run('exec', new, *launch, '--local', 128)
    check('or not, since 2.0', numbers(done) == [2128] * 128 + [2072] * 72,
          done.stdout + done.stderr)
    done = run('exec', new, 'wild', '--grid', '10,7', '--local', '4,4',
               '--arg', 'zeros:1')
    check('the work-item of a fault', 'work-item (9,6,0)' in done.stderr,
          done.stderr)
    source.write_text(WAITS)
    for device in 'default', 'chisel':
        done = run('exec', '--device', device, source, '--grid', 128, '--local',
                   32, '--arg', 'zeros:4', '--show', 0, '--set', 'max_ms=60000',
                   '--set', 'host_threads=1')
        check(f'barriers in a loop that waits for others on {device}',
              numbers(done) == [1] * 4, done.stdout + done.stderr)
sys.exit(failures != 0)
