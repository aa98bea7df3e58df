#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--check on machines that run lanes without a work-item (all_lanes): start code masks
these lanes, and they are missing at no barrier and no copy.  Work-items that are missing
are found there as elsewhere.

    lanes.py VENTUS [LAUNCHES [SEED]]
"""
import random
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS = sys.argv[1]
LAUNCHES = int(sys.argv[2]) if len(sys.argv) > 2 else 6
RANDOM = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
MACHINES = [['--model', 'rtl-verilog', '--set', 'engine=sim'],
            ['--model', 'rtl-verilog-32B', '--set', 'engine=sim'],
            ['--lanes', '16', '--set', 'all_lanes=yes']]
KERNELS = r'''
kernel void sums(global int *out)
{
    local int a[64];
    int i = get_local_id(0), n = get_local_size(0), s = 0;
    a[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < n; k++)
        s += (k ^ i) & 1 ? a[k] : 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[n - 1 - i] = s;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[i];
}
kernel void copies(global int *out)
{
    local int a[64];
    a[get_local_id(0)] = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out + get_group_id(0) * get_local_size(0), a,
                                      get_local_size(0), 0);
    wait_group_events(1, &e);
}
kernel void locks(global int *out)
{
    for (int done = 0; !done;)
        if (!atomic_cmpxchg(out, 0, 1)) {
            atomic_inc(out + 1);
            atomic_xchg(out, 0);
            done = 1;
        }
}
kernel void parted(global int *out)
{
    if (get_local_id(0) < 2)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
kernel void unwaited(global int *out)
{
    local int a[64];
    a[get_local_id(0)] = 1;
    if (get_local_id(0) != 1)
        async_work_group_copy(out, a, 4, 0);
}
'''
# The finding of a kernel.
FOUND = {'parted': 'divergent-barrier', 'unwaited': 'divergent-copy'}


def check(program, kernel, size, local, machine):
    """What is wrong, or ''."""
    p = subprocess.run(
        [VENTUS, 'exec', '--check', *machine, program, kernel, '--grid', str(size),
         '--local', str(local), '--arg', 'zeros:512'],
        text=True, capture_output=True, check=False)
    text = p.stdout + p.stderr
    said = [row.split(':')[1].strip() for row in text.splitlines()
            if row.startswith('ventus: ') and row.count(':') > 1]
    wanted = FOUND.get(kernel)
    if wanted in said if wanted else p.returncode == 0 and not said:
        return ''
    return f'{kernel} of {size} in {local} on {machine}: expected ' \
        f'{wanted or "no finding"}\n{text}'


def main():
    failures = []
    with tempfile.TemporaryDirectory() as tmp:
        source, program = Path(tmp) / 'k.cl', Path(tmp) / 'k.elf'
        source.write_text(KERNELS)
        subprocess.run([VENTUS, 'cc', '-g', '-cl-std=CL3.0', source, '-o', program],
                       check=True)
        for kernel in 'sums', 'copies', 'locks', 'parted', 'unwaited':
            for machine in MACHINES:
                sizes = [(n, n) for n in (5, 9)]
                for _ in range(LAUNCHES):
                    local = RANDOM.randint(3, 64)
                    groups = 1 if kernel == 'copies' else RANDOM.randint(1, 3)
                    sizes.append((local * groups, local))
                    if kernel not in FOUND and kernel != 'copies':
                        sizes.append((local * groups + RANDOM.randint(1, local), local))
                failures += [check(program, kernel, *size, machine) for size in sizes]
    failures = [f for f in failures if f]
    print('\n'.join(failures + [f'{len(failures)} failed']))
    sys.exit(bool(failures))


main()
