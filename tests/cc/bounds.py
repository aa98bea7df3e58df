#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""-fcheck-bounds leaves out the checks of indices that are always inside.

    bounds.py BIN

Each kernel is compiled for both versions; the hints in its assembly that say "outside"
(docs/abi.md, Hints) are as many as the list below has."""
import re
import subprocess
import sys

TILE = '''kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void tile(global const float *a, global float *b, int n) {
    local float t[%s][16];
    int x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    t[y][x] = a[get_global_id(0) + get_global_id(1) * n];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
        sum += t[y][k] * t[k][x];
    b[get_global_id(0) + get_global_id(1) * n] = sum;
}'''

KERNELS = {
    # the size of the group says that x and y are below 16, the loop that k is
    TILE % '16': 0,
    # k and y go beyond 8 rows: the store and the loads of each k from 8 on remain
    TILE % '8': None,
    # no size is required
    '''kernel void any(global int *b) {
        local int t[64];
        t[get_local_id(0)] = 1;
        b[get_global_id(0)] = t[63 - get_local_id(0)];
    }''': None,
    '''kernel __attribute__((reqd_work_group_size(64, 1, 1)))
    void same(global int *b) {
        local int t[64];
        t[get_local_id(0)] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        b[get_global_id(0)] = t[63 - get_local_id(0)];
    }''': 0,
    # one too many
    '''kernel __attribute__((reqd_work_group_size(65, 1, 1)))
    void more(global int *b) {
        local int t[64];
        t[get_local_id(0)] = 1;
    }''': None,
    '''kernel void looped(global int *b, int n) {
        int t[8];
        for (int i = 0; i < 8; i++)
            t[i] = n + i;
        for (int i = 0; i < 8; i++)
            b[i] = t[7 - i];
    }''': 0,
}


def hints(bin_, march, source):
    done = subprocess.run(
        [f'{bin_}/ventus-cc', f'-march={march}', '-fcheck-bounds', '--emit',
         's', '-o', '-', '-'], input=source, capture_output=True, text=True,
        check=False)
    if done.returncode:
        sys.exit(f'{source}\n{done.stderr}')
    return len(re.findall(r' slti +x0, x0, 9$', done.stdout, re.M))


def main():
    failed = False
    for source, expected in KERNELS.items():
        for march in 'ventus1', 'ventus2':
            found = hints(sys.argv[1], march, source)
            if found != expected if expected is not None else not found:
                print(f'{source}\n{march}: {found} checks, expected '
                      f'{"some" if expected is None else expected}')
                failed = True
    sys.exit(failed)


if __name__ == '__main__':
    main()
