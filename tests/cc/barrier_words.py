#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The instruction that each barrier of OpenCL C becomes.

usage: barrier_words.py VENTUS_CC

The words were made by hand from the manual's table (4.2.4): 0000010 00000 imm
100 00000 0001011, barriersub 0000011; imm[4:3] is 00 for the workgroup, 01 for a
work-item, 10 for the device, 11 for all devices; imm[2] image, imm[1] global,
imm[0] local.
"""
import re
import subprocess
import sys

L, G, I = ('CLK_%s_MEM_FENCE' % name for name in ('LOCAL', 'GLOBAL', 'IMAGE'))
FENCE = 0x0ff0000f      # iorw, iorw
FENCE_TSO = 0x8330000f  # of acquire and release (docs/abi.md, "Memory order")
CALLS = [
    ('barrier(0)', [0x0400400b]),                       # imm 0 00 000
    (f'barrier({L})', [0x0400c00b]),                    # 00 001
    (f'barrier({G})', [0x0401400b]),                    # 00 010
    (f'barrier({L} | {G})', [0x0401c00b]),              # 00 011
    (f'barrier({I})', [0x0402400b]),                    # 00 100
    (f'barrier({L} | {G} | {I})', [0x0403c00b]),        # 00 111
    (f'work_group_barrier({L})', [0x0400c00b]),
    (f'work_group_barrier({G})', [0x0401400b]),
    (f'work_group_barrier({L}, memory_scope_work_group)', [0x0400c00b]),
    (f'work_group_barrier({L}, memory_scope_sub_group)', [0x0400c00b]),
    (f'work_group_barrier({I}, memory_scope_work_item)', [0x0406400b]),
    (f'work_group_barrier({L}, memory_scope_work_item)', [0x0404c00b]),
    (f'work_group_barrier({L}, memory_scope_device)', [0x0408c00b]),
    (f'work_group_barrier({G}, memory_scope_device)', [0x0409400b]),
    (f'work_group_barrier({L} | {G}, memory_scope_device)', [0x0409c00b]),
    (f'work_group_barrier({I}, memory_scope_device)', [0x040a400b]),
    (f'work_group_barrier({G}, memory_scope_all_svm_devices)', [0x040d400b]),
    (f'work_group_barrier({L} | {G} | {I}, memory_scope_all_svm_devices)',
     [0x040fc00b]),
    # What is not known is as strong as can be.
    ('barrier(f)', [0x0403c00b]),
    (f'barrier(f ? {L} : {G})', [0x0403c00b]),
    ('work_group_barrier(f, memory_scope_device)', [0x040bc00b]),
    (f'work_group_barrier({G}, (memory_scope)f)', [0x040d400b]),
    # The sub-group's has no scope: a wider one is a fence before it.
    ('sub_group_barrier(0)', [0x0600400b]),
    (f'sub_group_barrier({L})', [0x0600c00b]),
    (f'sub_group_barrier({G})', [0x0601400b]),
    (f'sub_group_barrier({L} | {G} | {I})', [0x0603c00b]),
    (f'sub_group_barrier({L}, memory_scope_sub_group)', [0x0600c00b]),
    (f'sub_group_barrier({L}, memory_scope_work_group)', [0x0600c00b]),
    (f'sub_group_barrier({G}, memory_scope_device)',
     [FENCE_TSO, 0x0601400b]),
    # What waits inside of functions: copies, and local memory twice.
    ('event_t e = 0; wait_group_events(1, &e)', [0x0401c00b]),
    ('x[1] = work_group_broadcast(x[0], 0)', [0x0400c00b, 0x0400c00b]),
]
UPSTREAM = [
    (f'barrier({L})', [0x0400c00b]),
    (f'sub_group_barrier({L})', [FENCE]),   # those machines differ in the other
]


def words_of(command, call):
    source = ('kernel __attribute__((reqd_work_group_size(64, 1, 1))) void\n'
              'k(global int *x, int f)\n{\n    ' + call + ';\n}\n')
    std = 'CL2.0' if 'all_svm' in call else 'CL3.0'     # sub-groups are 3.0's
    done = subprocess.run([*command, f'-cl-std={std}', '--emit', 's', '-o',
                           '-', '-'], input=source, capture_output=True,
                          text=True, check=False)
    if done.returncode:
        return done.stderr
    return [int(word, 16) for word in
            re.findall(r'/\* \w+ (\w{8}) \*/ +(?:barrier|fence)', done.stdout)]


def main():
    failed = 0
    for options, calls in ((['-O2'], CALLS), (['-O0'], CALLS),
                           (['--profile', 'upstream'], UPSTREAM)):
        for call, words in calls:
            found = words_of([sys.argv[1], *options], call)
            if found != words:
                failed += 1
                shown = found if isinstance(found, str) else \
                    [f'{w:08x}' for w in found]
                print(f'{options}: {call}: {shown}, expected '
                      f'{[f"{w:08x}" for w in words]}')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
