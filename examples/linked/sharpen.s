# SPDX-License-Identifier: Apache-2.0
# Functions for image.cl.  Arguments come in v0 to v31, one for each lane, the
# result is returned in v0; v0 to v39, t0 to t6 and a0 to a7 may be
# overwritten.  docs/abi.md, "Functions of other objects", is the convention.

    .text

# uint add_bytes(uint a, uint b)
# Sums of bytes 0 and 2, of 1 and 3; what overflows bit 8 becomes 255.
    .ventus_function add_bytes, sgpr=12, vgpr=8, private=0, stack=0
add_bytes:
    lui     t0, 0xff0
    addi    t0, t0, 0xff            # 00ff00ff
    lui     t2, 0x1000
    addi    t2, t2, 0x100           # 01000100
    vsrl.vi v2, v0, 8
    vsrl.vi v3, v1, 8
    vand.vx v0, v0, t0
    vand.vx v1, v1, t0
    vand.vx v2, v2, t0
    vand.vx v3, v3, t0
    vadd.vv v0, v0, v1
    vadd.vv v2, v2, v3
    .irp    v, v0, v2
    vand.vx v4, \v, t2              # overflow: 01 becomes ff
    vsrl.vi v5, v4, 8
    vsub.vv v4, v4, v5
    vor.vv  \v, \v, v4
    vand.vx \v, \v, t0
    .endr
    vsll.vi v2, v2, 8
    vor.vv  v0, v0, v2
    ret

# float sharpen(float left, float centre, float right, float distance)
# Calls weight(distance), which is OpenCL C: ra is kept on the warp's stack,
# the other three in private memory, both of which grow upward; sp and tp are
# moved behind that for the call.
    .ventus_function sharpen, sgpr=16, vgpr=8, private=12, stack=4, calls=weight
sharpen:
    sw      ra, 0(sp)
    vmv.v.x v4, tp
    vsw.v   v0, 0(v4)
    vsw.v   v1, 4(v4)
    vsw.v   v2, 8(v4)
    vmv.v.v v0, v3
    addi    sp, sp, 4
    addi    tp, tp, 12
    call    weight
    addi    tp, tp, -12
    addi    sp, sp, -4
    lw      ra, 0(sp)
    vmv.v.x v4, tp
    vlw.v   v1, 4(v4)
    vlw.v   v2, 8(v4)
    vlw.v   v3, 0(v4)
    vfmul.vv v0, v0, v1
    vfadd.vv v0, v0, v3
    vfadd.vv v0, v0, v2
    ret
