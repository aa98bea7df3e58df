#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: fault_status.py VENTUS FAULTING

What `ventus run` ends with after a launch that failed, for a program that ends with 0
and for one that does not, and what the program's blocking read returns.
"""
import os
import subprocess
import sys

VENTUS, FAULTING = sys.argv[1:3]
INSIDE, OUTSIDE = '15', '1000000'
FAILED = 'read: -5\n'  # CL_OUT_OF_RESOURCES


def check(status, printed, options, at, own='0', **environment):
    p = subprocess.run([VENTUS, 'run', *options, '--', FAULTING, at, own],
                       capture_output=True, text=True, check=False, timeout=900,
                       env={**os.environ, **environment})
    assert (p.returncode, p.stdout) == (status, printed), (options, at, own, p)


def main():
    for device in ('--device', 'default'), ('--device', 'ventus2'), \
            ('--model', 'chisel'):
        check(3, FAILED, device, OUTSIDE)
        check(0, 'read: 0\n', device, INSIDE)
    check(7, FAILED, [], OUTSIDE, '7')
    check(0, FAILED, ['--ignore-faults'], OUTSIDE)
    check(7, FAILED, ['--ignore-faults'], OUTSIDE, '7')
    check(9, FAILED, [], OUTSIDE, VENTUS_FAULT_STATUS='9')
    check(0, FAILED, [], OUTSIDE, VENTUS_FAULT_STATUS='0')
    check(3, FAILED, ['--limit', '5'], INSIDE)


if __name__ == '__main__':
    main()
