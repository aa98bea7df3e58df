#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of SPIR-V in the log of calls and in recordings.

usage: spirv_recorded.py VENTUS PROGRAM     PROGRAM is test_cl_spirv
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, PROGRAM = sys.argv[1:]
CALLS = [
    r'clCreateProgramWithIL\(context=0x\w+, il=0x\w+, length=\d+\) = 0x',
    r'clCreateProgramWithIL\(.*il=NULL, .*\) = CL_INVALID_VALUE: length is',
    r'clSetProgramSpecializationConstant\(.*spec_id=3, spec_size=4, .*\) = CL_SUCCESS',
    r'clSetProgramSpecializationConstant\(.*\) = CL_INVALID_SPEC_ID',
    r'clBuildProgram\(.*\) = CL_BUILD_PROGRAM_FAILURE',
]


def main():
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / 'launches'
        done = subprocess.run([VENTUS, 'run', '--log-api', '--record', record, '--',
                               PROGRAM], capture_output=True, text=True, check=False)
        if done.returncode:
            errors.append(f'status {done.returncode}\n{done.stdout}')
        errors += [f'the log lacks {call}' for call in CALLS
                   if not re.search(call, done.stderr)]
        again = subprocess.run([VENTUS, 'replay', record], capture_output=True,
                               text=True, check=False)
        launches = re.findall(r'^launch \d+: (.*)$', again.stdout, re.M)
        if again.returncode or not launches or set(launches) != {
                'k: ok, as recorded'}:
            errors.append(f'replayed: {again.returncode}\n{again.stdout}{again.stderr}')
    print('\n'.join(errors) or f'{len(launches)} launches are as recorded')
    return bool(errors)


if __name__ == '__main__':
    sys.exit(main())
