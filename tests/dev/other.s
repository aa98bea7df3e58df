# SPDX-License-Identifier: Apache-2.0
# Another program at the same addresses: same layout, other numbers.
    .ventus_kernel put, sgpr=16, vgpr=4
put:                            # x[0] = calls so far, + 1000
    lw      t0, 0(a0)
    la      t1, calls
    lw      t2, 0(t1)
    addi    t2, t2, 1
    sw      t2, 0(t1)
    addi    t2, t2, 1000
    sw      t2, 0(t0)
    ret

    .data
calls:
    .word   0
