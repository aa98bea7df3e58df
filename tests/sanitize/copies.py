#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""async_work_group_copy and wait_group_events under `ventus run --check`.

    copies.py VENTUS HOST KERNELS

The kernels of copies.cl, on both versions of the instruction set.  Comments in it,
written by hand, name the finding of a line; kernels without one have none."""
from run import check, fail, wanted

# Kernel, arguments, what the report has to say.
KERNELS = [
    ('size_differs', ['in:64', 'out:64'],
     ['the number of elements differs: 0x40 and 0x1', 'work-item (63,0,0)']),
    ('source_differs', ['in:64', 'out:64'],
     ['the source differs', 'by work-item (32,0,0)', 'unlike work-item (0,0,0)']),
    ('some_copy', ['in:64', 'out:64'], ['unlike work-item (1,0,0)']),
    ('warp_copies', ['in:64', 'out:64'], []),
    ('events_differ', ['in:64', 'out:64'], ['the event differs']),
    ('wait_in_branch', ['in:64', 'out:64'], []),
    ('never_waited', ['in:64', 'out:64'], []),
    ('one_of_two_waited', ['in:64', 'out:64'], []),
    ('event_of_nothing', ['out:64'], ['the event is 0']),
    ('waited_twice', ['in:64', 'out:64'], ['it was waited for before']),
    ('read_too_early', ['in:64', 'out:64'],
     ['local memory', 'before wait_group_events has returned']),
    ('source_written', ['in:64', 'out:64'], ["'in'"]),
    ('written_before', ['in:64', 'out:64'], ['and write by']),
    ('copies_overlap', ['in:84', 'out:64'], ['local memory']),
    ('stride_hits', ['in:64', 'out:64'],
     ["'out'", 'created by the 2nd clCreateBuffer']),
    ('in_and_out', ['in:64', 'out:64'], []),
    ('two_tiles', ['in:256', 'out:64'], []),
    ('joined', ['in:64', 'out:64'], []),
    ('list_of_events', ['in:64', 'out:64'], []),
    ('between_elements', ['in:64', 'out:64'], []),
    ('odd_bytes', ['in:16', 'out:16'], []),
]
ALONE = {'never_waited', 'one_of_two_waited', 'event_of_nothing',
         'waited_twice', 'source_differs', 'some_copy', 'events_differ',
         'copies_overlap', 'read_too_early'}


def check_kernel(name, args, words, options):
    status, text, found = check('copies.cl', name, (64, 64), args, options)
    want = wanted('copies.cl', name)
    have = {(f['finding'], f['here']['line']) for f in found}
    if not want and (found or status):
        fail(name, f'exit status {status}, {len(found)} findings', text)
    for one in want:
        if one not in have:
            fail(name, f'{one} is not in {sorted(have)}', text)
    if name in ALONE and len(have) != 1:
        fail(name, f'more than one finding: {sorted(have)}', text)
    for word in words:
        if word not in text:
            fail(name, f'expected {word!r}', text)


def main():
    for options in ((), ('--device', 'ventus2')):
        for kernel in KERNELS:
            check_kernel(*kernel, options)
    # The kind `sync` alone says what `race` does not, and the other way round.
    for kind, name, findings in (
            ('sync', 'never_waited', ['copy-not-waited']),
            ('sync', 'read_too_early', []),
            ('race', 'never_waited', []),
            ('race', 'read_too_early', ['race']),
            ('memory', 'read_too_early', [])):
        _, text, found = check('copies.cl', name, (64, 64),
                               ['in:64', 'out:64'], [f'--check={kind}'])
        if [f['finding'] for f in found] != findings:
            fail(name, f'expected {findings} by {kind}', text)
    print(f'{len(KERNELS)} kernels that copy')


if __name__ == '__main__':
    main()
