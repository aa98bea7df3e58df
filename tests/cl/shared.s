# SPDX-License-Identifier: Apache-2.0
# Kernels of version 2 with their records (docs/abi.md, `.ventus.kernels`), for
# tests of the runtime that need no compiler.

# walk(global struct node *list, global uint *sum): sums the values of nodes
# { next, value } and adds 1000 to each.
    .text
    .globl  walk
walk:
    lw      s0, 0(a0)           # [s1:s0]: the node
    lw      s1, 4(a0)
    lw      s2, 8(a0)           # [s3:s2]: the sum
    lw      s3, 12(a0)
    li      t3, 0
1:  or      t0, s0, s1
    beq     t0, zero, 2f
    ld      t0, 8([s1:s0])
    add     t3, t3, t0
    addi    t0, t0, 1000
    sd      t0, 8([s1:s0])
    ld      a4, 0([s1:s0])
    ld      a5, 4([s1:s0])
    mv      s0, a4
    mv      s1, a5
    j       1b
2:  sd      t3, 0([s3:s2])
    ret

# add(global const uint *a, global const uint *b, global uint *c, ulong stride):
# c[i * stride] = a[i * stride] + b[i * stride]; stride in bytes, a power of two
# of 4 GiB at most.
    .globl  add
.macro place vh, vl, argument   # [vh:vl] = the argument + [v3:v2]
    lw      t0, 8*(\argument)(a0)
    lw      t1, 8*(\argument)+4(a0)
    vadd.vx \vl, v2, t0
    vmsltu.vx v0, \vl, t0       # the carry
    vadd.vx \vh, v3, t1
    vadd.vv \vh, \vh, v0
.endm
add:
    csrr    t0, knl
    lw      t0, 24(t0)
    csrr    t1, gdx
    mul     t0, t0, t1
    csrr    t1, tid
    add     t0, t0, t1
    vid.v   v1
    vadd.vx v1, v1, t0          # the work-item
    lw      t2, 24(a0)          # the stride, of which both words may count
    lw      t3, 28(a0)
    vmul.vx v2, v1, t2
    vmulhu.vx v3, v1, t2
    vmul.vx v4, v1, t3
    vadd.vv v3, v3, v4
    place   v5, v4, 0
    place   v7, v6, 1
    place   v9, v8, 2
    vlw12d.v v4, 0([v5:v4])
    vlw12d.v v6, 0([v7:v6])
    vadd.vv v4, v4, v6
    vsw12d.v v4, 0([v9:v8])
    ret

.macro kernel name, first, count
    .long   \name - strings, 2, 32, 12, 0, 0, 0, 0, 0, 0, 0, 0
    .long   \first, \count, 0, 0, 0
.endm
.macro argument name, type, kind, qualifiers
    .long   \name - strings, \type - strings
    .byte   \kind, 0, \qualifiers, 0
    .long   8, 8
.endm
    .section .ventus.kernels, "", @progbits
    .balign 4
part:
    .long   0x4e4b5456
    .half   1, 32
    .long   end - part, 2, 6, end - strings
    .half   68, 20
    .long   0
    kernel  n_walk, 0, 2
    kernel  n_add, 2, 4
    argument n_list, t_node, 1, 0
    argument n_sum, t_uint, 1, 0
    argument n_a, t_uint, 1, 1
    argument n_b, t_uint, 1, 1
    argument n_c, t_uint, 1, 0
    argument n_stride, t_ulong, 0, 0
strings:
    .byte   0
n_walk: .asciz "walk"
n_add:  .asciz "add"
n_list: .asciz "list"
n_sum:  .asciz "sum"
n_a:    .asciz "a"
n_b:    .asciz "b"
n_c:    .asciz "c"
n_stride: .asciz "stride"
t_node: .asciz "struct node*"
t_uint: .asciz "uint*"
t_ulong: .asciz "ulong"
    .balign 4
end:
