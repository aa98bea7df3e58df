#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mistakes of host programs that no call refuses are findings at their call, and right
programs beside them have none.

    uses.py VENTUS USES"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, USES = sys.argv[1:3]
SOURCE = Path(__file__).with_name('uses.c').read_text(encoding='utf-8')

# The mistake, its finding, what the text has to say.
MISTAKES = [
    ('two_queues', 'unordered-commands',
     ["clEnqueueNDRangeKernel of kernel 'adds', in add (uses.c:", 'bytes 0 to 1024']),
    ('out_of_order', 'unordered-commands', ["of kernel 'adds'"]),
    ('recorded_without_order', 'unordered-commands',
     ["clCommandNDRangeKernelKHR of kernel 'adds', in record_add (uses.c:"]),
    ('semaphore_of_another', 'unordered-commands', ["of kernel 'adds'"]),
    ('read_without_event', 'unordered-commands',
     ["of kernel 'adds'", 'clEnqueueReadBuffer, in read_without_event (uses.c:']),
    ('fill_without_event', 'unordered-commands',
     ["of kernel 'copies'", 'clEnqueueFillBuffer, in ', 'bytes 1020 to 1024']),
    ('map_without_event', 'unordered-commands', ['clEnqueueMapBuffer, in ']),
    ('one_target_of_two_reads', 'unordered-commands',
     ["of the program's memory", 'clEnqueueReadBuffer']),
    ('read_not_waited', 'read-not-waited',
     ['clEnqueueReadBuffer, in read_not_waited (uses.c:']),
    ('wait_for_another', 'unordered-commands', ['bytes 0 to 256']),
    ('read_unwritten', 'unwritten-read',
     ['clEnqueueReadBuffer, in read_unwritten (uses.c:', '4 from byte 0 on']),
    ('read_half_unwritten', 'unwritten-read', ['from byte 512 on']),
    ('map_unwritten', 'unwritten-read', ['clEnqueueMapBuffer, in ']),
    ('write_in_map_for_reading', 'map-written',
     ['byte 20 of object', 'clEnqueueMapBuffer, in write_in_map_for_reading (uses.c:']),
    ('write_in_map_of_image', 'map-written', ['clEnqueueMapImage, in ']),
    ('never_unmapped', 'never-unmapped',
     ['clEnqueueMapBuffer, in never_unmapped (uses.c:', '64 bytes from byte 0']),
    ('end_mapped', 'never-unmapped', ['in end_mapped (uses.c:']),
    ('host_memory_stale', 'host-memory-stale',
     ["kernel 'adds'", 'clCreateBuffer, in ', 'byte 0']),
    ('host_memory_changed', 'host-memory-changed', ["kernel 'copies'", 'byte 28 ']),
]
RIGHT = [
    'ordered_by_event', 'ordered_by_barrier', 'ordered_by_program',
    'ordered_by_user_event', 'recorded_in_order', 'recorded_with_points',
    'recorded_with_barrier', 'ordered_by_semaphore', 'parts', 'pipeline', 'readers', 'counters',
    'map_to_fill', 'read_padding', 'write_in_map_for_writing', 'host_memory_mapped',
]


def run(name, kinds):
    """(exit status, text, findings that are no leak)"""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'findings.json'
        p = subprocess.run(
            [VENTUS, 'run', f'--check={kinds}', '--check-json', out, '--', USES, name],
            capture_output=True, text=True, check=False)
        found = json.loads(out.read_text(encoding='utf-8'))['list']
        return p.returncode, p.stdout + p.stderr, \
            [f['finding'] for f in found if f['finding'] != 'leak']


def main():
    failures = []
    for name, finding, words in MISTAKES:
        for kinds in 'all', 'api':
            status, text, found = run(name, kinds)
            if status != 1 or found != [finding] or any(w not in text for w in words):
                failures.append(f'{name}: expected {finding}: {words}\n{text}')
        status, text, found = run(name, 'memory,race,sync')
        if status or found:
            failures.append(f'{name}: expected nothing without api\n{text}')
    for name in RIGHT:
        for kinds in 'all', 'api':
            status, text, found = run(name, kinds)
            if status or found:
                failures.append(f'{name}: expected nothing\n{text}')
    names = {name for name, *_ in MISTAKES} | set(RIGHT)
    for name in names:
        if f'"{name}"' not in SOURCE:
            failures.append(f'{name} is not in uses.c')
    print('\n'.join(failures + [f'{len(MISTAKES)} mistakes, {len(RIGHT)} right programs, '
                                f'{len(failures)} failed']))
    sys.exit(bool(failures))


main()
