#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: fault_status.py VENTUS FAULTING

What `ventus run` ends with after a launch that failed, for a program that ends with 0
and for one that does not, and what the program's blocking read returns.  A variable
of the runtime that is no number ends no program.
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


def a_wrong_number_is_named_once_and_counts_as_not_set():
    """The device was refused for a wrong VENTUS_TIME_LIMIT_MS."""
    for value in 'abc', '10s', '-1', '0x10', '99999999999999999999':
        name = 'VENTUS_TIME_LIMIT_MS'
        p = subprocess.run([VENTUS, 'run', '--device', 'default,chisel', '--',
                            FAULTING, INSIDE, '0'],
                           capture_output=True, text=True, check=False,
                           timeout=900, env={**os.environ, name: value})
        said = f"ventus: {name}: expected a number from 0 to " \
            f"18446744073709551615, found '{value}': it counts as not set\n"
        assert (p.returncode, p.stdout, p.stderr) == (0, 'read: 0\n', said), p
    check(0, 'read: 0\n', [], INSIDE, VENTUS_TIME_LIMIT_MS='0')


def main():
    a_wrong_number_is_named_once_and_counts_as_not_set()
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
