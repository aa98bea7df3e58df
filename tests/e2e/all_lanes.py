#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiled kernels on machines that run lanes without a work-item (all_lanes) have the
values that they have where such lanes do not run: in partial workgroups of random sizes of
one to three dimensions, with barriers, divergence, atomics, calls and private memory.  And
private memory belongs to a workgroup and is zero when it begins, whatever common_pds says.

    all_lanes.py VENTUS [LAUNCHES [SEED]]
"""
import random
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS = sys.argv[1]
LAUNCHES = int(sys.argv[2]) if len(sys.argv) > 2 else 6
RANDOM = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
KERNELS = r'''
kernel void counts(global int *o)
{
    atomic_add(o, 1);
    atomic_add(o + 1 + get_local_linear_id(), (int)get_global_linear_id());
}
kernel void shares(global int *o)
{
    local int a[64];
    int i = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2);
    a[i] = get_global_linear_id() * 3 + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 0;
    for (int k = 0; k < n; k++)
        if ((k ^ i) & 1)
            s += a[k] * (k + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[n - 1 - i] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_linear_id()] = a[i];
}
__attribute__((noinline)) int f(int x) { int b[9]; for (int i = 0; i < 9; i++) b[i] = x * i; return b[x % 9]; }
kernel void calls(global int *o)
{
    int i = get_global_linear_id(), s = 0;
    while (i > 0 && s < 100)
        s += f(i--);
    o[get_global_linear_id()] = s + get_num_groups(0);
}
kernel void zeroes(global int *o)
{
    volatile int p[32];
    int s = 0, i = get_global_linear_id();
    for (int k = 0; k < 32; k++)
        s |= p[k];
    for (int k = 0; k < 32; k++)
        p[k] = i + k + 1;
    o[i] = s;
    for (int k = 0; k < 32; k++)
        o[i] += p[k] - i - k - 1;
}
'''
# The first is the reference.
MACHINES = [[], ['--model', 'rtl-verilog'], ['--model', 'rtl-verilog-32B'],
            ['--model', 'rtl-verilog', '--set', 'one_group=no'],
            ['--model', 'rtl-verilog', '--set', 'one_group=no', '--threads', '2'],
            ['--model', 'rtl-verilog', '--set', 'engine=sim', '--threads', '4'],
            ['--lanes', '16', '--set', 'all_lanes=yes', '--set', 'common_pds=yes'],
            ['--model', 'chisel', '--set', 'all_lanes=yes']]


def run(program, kernel, sizes, more, words):
    """(values, what it says) of a launch."""
    glob, local = sizes
    command = [VENTUS, 'exec', program, kernel, '--grid', ','.join(map(str, glob)),
               '--local', ','.join(map(str, local)), '--arg', f'zeros:{words}', '--show', '0']
    p = subprocess.run(command + more, text=True, capture_output=True, check=False)
    return p.stdout, p.returncode, p.stderr


def random_sizes():
    dims = RANDOM.randint(1, 3)
    while True:
        local = [RANDOM.randint(1, 24 >> i) for i in range(dims)]
        items = 1
        for n in local:
            items *= n
        if items <= 64:
            break
    return [n * RANDOM.randint(0, 3) + RANDOM.randint(1, n) for n in local], local


def try_launch(program, kernel, sizes, failures):
    glob, _ = sizes
    words = 66
    for n in glob:
        words *= n
    if kernel != 'counts':
        words //= 66
    wanted = run(program, kernel, sizes, MACHINES[0], words)
    if wanted[1] or wanted[2]:
        failures.append(f'{kernel} {sizes}: {wanted}')
    for more in MACHINES[1:]:
        found = run(program, kernel, sizes, more, words)
        if found != wanted:
            failures.append(f'{kernel} {sizes} {more}:\n  {found}\n  expected {wanted}')


def main():
    failures = []
    with tempfile.TemporaryDirectory() as tmp:
        source, program = Path(tmp) / 'k.cl', Path(tmp) / 'k.elf'
        source.write_text(KERNELS)
        subprocess.run([VENTUS, 'cc', '-cl-std=CL2.0', source, '-o', program], check=True)
        for kernel in 'counts', 'shares', 'calls', 'zeroes':
            try_launch(program, kernel, ([20], [5]), failures)
            for _ in range(LAUNCHES):
                try_launch(program, kernel, random_sizes(), failures)
    print('\n'.join(failures + [f'{len(failures)} failed']))
    sys.exit(bool(failures))


main()
