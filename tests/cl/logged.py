#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The log of calls: names of constants, and why a call is refused that
returns a pointer and no code.

usage: logged.py VENTUS PROGRAM     PROGRAM is cl_logged
"""
import subprocess
import sys

VENTUS, PROGRAM = sys.argv[1:]
NAMES = [
    'param_name=CL_DEVICE_SVM_CAPABILITIES,',
    # 0x1058: a value behind the remarks about reserved ones in CL/cl.h
    'param_name=CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT,',
    # no name: one number, not the flags that it would be made of
    'param_name=0x4242,',
    # entries of extensions
    'clCreateCommandBufferKHR(num_queues=1, queues=0x',
    'param_name=CL_COMMAND_BUFFER_NUM_QUEUES_KHR,',
    'mutable_handle=NULL) = CL_INVALID_COMMAND_QUEUE: command_queue is given; it must be NULL',
    'flags=CL_MEM_SVM_FINE_GRAIN_BUFFER,',
    'flags=CL_MEM_WRITE_ONLY|CL_MEM_READ_ONLY,',
]
REFUSED = {
    'default': ['no device of the context has shared memory'] * 5,
    'chisel2': ['no device of the context has fine-grained buffers',
                'flags must be of clSVMAlloc, one of them for access',
                'atomics need fine grain',
                'the size must be 1 to CL_DEVICE_MAX_MEM_ALLOC_SIZE',
                'the alignment must be a power of two up to 4096'],
}


def main():
    bad = 0
    for device, reasons in REFUSED.items():
        r = subprocess.run([VENTUS, 'run', '--device', device, '--log-api',
                            '--', PROGRAM], capture_output=True, text=True, check=False)
        wanted = NAMES + [f') = NULL, refused: {reason}' for reason in reasons]
        found = r.stderr
        if device == 'chisel2':
            wanted.append('alignment=0) = 0x')
        for text in wanted:
            if text not in found:
                print(f'{device}: the log lacks {text!r}')
                bad += 1
        if r.returncode or bad:
            print(r.stdout, found)
            return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
