#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Variables that are read before they are written, under `ventus run --check`.

    unwritten.py VENTUS HOST KERNELS

LLVM takes any value for such a variable once it is promoted to SSA, and no
instruction shows the mistake; -fcheck-init keeps it visible.  The kernels of
unwritten.cl, optimised and not, on both versions of the instruction set.  Comments
in it, written by hand, name the finding of a line, which is made once, however many
instructions the access has; kernels without one have none.  An index that is loaded
twice is two addresses: the one that is compared with the bounds and the access's."""
import os

from run import check, fail, wanted

KERNELS = [
    ('half_written', ['out:64', 'in:64']),
    ('never_written', ['out:64']),
    ('branch_on_it', ['out:64']),
    ('condition_decides', ['out:64']),
    ('either_decides', ['out:64']),
    ('one_bit_is_set', ['out:64']),
    ('condition_of_some', ['out:64']),
    ('switch_on_it', ['out:64']),
    ('switch_of_some', ['out:64', 'in:64']),
    ('count_without_start', ['out:64', 'in:64']),
    ('index_of_it', ['out:64', 'in:64']),
    ('one_member', ['out:64', 'in:64']),
    ('last_component', ['out:256']),
    ('half_of_union', ['out:128']),
    ('last_of_array', ['out:64']),
    ('wide', ['out:128', 'in:64']),
    ('ignores_the_answer', ['out:64', 'in:64']),
    ('through_a_builtin', ['out:256']),
    ('same_condition', ['out:64', 'in:64']),
    ('asks_the_answer', ['out:64', 'in:64']),
    ('in_each_round', ['out:64', 'in:64']),
    ('three_of_four', ['out:192']),
    ('copied_only', ['out:64']),
    ('by_switch', ['out:64', 'in:64']),
    ('masked', ['out:64']),
    ('padding_in_copies', ['out:64', 'in:64']),
    ('scope_is_over', ['out:64', 'in:64']),
    ('scope_lasts', ['out:64', 'in:64']),
    ('frame_is_over', ['out:64', 'in:64']),
    ('frame_of_caller', ['out:64', 'in:64']),
    ('shuffled_by_it', ['out:256', 'in:64']),
    ('index_with_bounds', ['out:64']),
    ('printed', ['out:64']),
    ('byte_of_word', ['out:64']),
    ('half_of_long', ['out:128']),
    ('all_bytes_of_word', ['out:64']),
    ('padding_of_copy', ['out:128']),
]


def check_kernel(name, args, options):
    how = f'{name} {" ".join(options)} {os.environ["HOST_OPTIONS"]}'
    status, text, found = check('unwritten.cl', name, (64, 64), args, options)
    want = sorted(wanted('unwritten.cl', name))
    have = [(f['finding'], f['here']['line']) for f in found]
    have = sorted(one for i, one in enumerate(have)
                  if one[0] != 'uninitialised-address' or one not in have[:i])
    if have != want or status != bool(want):
        fail(how, f'exit status {status}, {have} instead of {want}', text)
    if 'work-item' not in text and want:
        fail(how, 'no work-item is named', text)


# Found if the compiler has the variable in registers: memory knows that of a word only
# if no byte of it was written.
OPTIMISED = [('padding_compared', ['out:64'])]


def main():
    os.environ['HOST_OPTIONS'] = ''
    for name, args in OPTIMISED:
        check_kernel(name, args, ())
    for build in ('', '-cl-opt-disable'):
        os.environ['HOST_OPTIONS'] = build
        for options in ((), ('--device', 'ventus2')):
            for name, args in KERNELS:
                check_kernel(name, args, options)
    print(f'{len(KERNELS)} kernels, each optimised and not, on two versions')


if __name__ == '__main__':
    main()
