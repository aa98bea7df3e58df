#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nontemporal accesses have a cache hint where the instruction set has one.

    hints.py BIN

Each kernel is compiled for both versions; the accesses with hint=1 in its assembly
are those that the list below has, by mnemonic, with the words of a prefix."""
import re
import subprocess
import sys

KERNELS = {
    # a word: loads have a prefix for the hint, stores do without
    '''kernel void one(global const float *a, global float *b) {
        size_t i = get_global_id(0);
        __builtin_nontemporal_store(__builtin_nontemporal_load(&a[i]) + a[i + 1],
                                    &b[i]);
    }''': ['pre_m_32 vlw12.v'],
    # several words, in one access each way
    '''kernel void four(global const float4 *a, global float4 *b) {
        size_t i = get_global_id(0);
        __builtin_nontemporal_store(__builtin_nontemporal_load(&a[i]) + 1.0f,
                                    &b[i]);
    }''': ['pre_m_128 vlw12.v', 'pre_m_128 vsw12.v'],
    '''kernel void pair(global const double *a, global double *b) {
        size_t i = get_global_id(0);
        __builtin_nontemporal_store(__builtin_nontemporal_load(&a[i]) * 3,
                                    &b[i]);
    }''': ['pre_m_64 vlw12.v', 'pre_m_64 vsw12.v'],
    # clang itself does not say it of vectors of three
    '''kernel void three(global const int3 *a, global int *b) {
        int3 x = __builtin_nontemporal_load(&a[get_global_id(0)]);
        b[get_global_id(0)] = x.x + x.y + x.z;
    }''': [],
    '''kernel void bytes(global const char *a, global int *b) {
        b[get_global_id(0)] = __builtin_nontemporal_load(&a[get_global_id(0)]);
    }''': ['pre_m_32 vlb12.v'],
    # the same for all: a scalar load
    '''kernel void uniform(global const int *a, global int *b) {
        b[get_global_id(0)] = __builtin_nontemporal_load(&a[3]) + 1;
    }''': ['pre_m_32 lw'],
    # a pointer to anything, known when it runs
    '''kernel void generic_(global const int *a, global int *b, int n) {
        int own[2] = { n, n + 1 };
        const int *p = n > 3 ? (const int *)&a[get_global_id(0)]
                             : (const int *)&own[n & 1];
        b[get_global_id(0)] = __builtin_nontemporal_load(p);
    }''': ['pre_m_32 vlw12.v'],
    # no cache
    '''kernel void local_(local int *a, global int *b) {
        b[0] = __builtin_nontemporal_load(&a[get_local_id(0)]);
    }''': [],
    # none of all this is asked for
    '''kernel void none(global const float4 *a, global float4 *b) {
        b[get_global_id(0)] = a[get_global_id(0)] + 1.0f;
    }''': [],
}


def hinted(bin_, march, source):
    """'prefix access' for each access with a hint, in order of the code."""
    done = subprocess.run(
        [f'{bin_}/ventus-cc', f'-march={march}', '-cl-std=CL3.0', '--emit', 's',
         '-o', '-', '-'], input=source, capture_output=True, text=True,
        check=False)
    if done.returncode:
        sys.exit(f'{source}\n{done.stderr}')
    code = re.sub(r'/\*.*?\*/|^#.*$', '', done.stdout, flags=re.M)
    return sorted(' '.join(found) for found in re.findall(
        r'^ +(pre_m\w*) [^\n]*hint=1\n(?:\s*(?:\.loc[^\n]*)?\n)* *([\w.]+) ',
        code, re.M))


def main():
    failed = False
    for source, expected in KERNELS.items():
        for march, there in ('ventus1', []), ('ventus2', expected):
            found = hinted(sys.argv[1], march, source)
            if found != there:
                failed = True
                print(f'{march}: {source}\nexpected {there}, found {found}')
    sys.exit(failed)


if __name__ == '__main__':
    main()
