# SPDX-License-Identifier: Apache-2.0
# Private memory ends where the kernel says; the work-item behind is safe.
#
# @grid 64 @local 32 @lanes 8 @private 64 @set bounds=strict
# @fault kernel 'private': access outside of private memory: a thread has 64 bytes, offset 0x40 at pc 0x
# @fault (vsw.v v1, 0(v2)), workgroup 0 (0,0,0), warp 1, lane 3; private+0x
# @fault fault_private.s:23), work-item (11,0,0)

    .text
    .globl  private
private:
    csrr    t1, tid
    vid.v   v0
    vadd.vx v0, v0, t1
    li      t2, 60              # the last word
    vmv.v.x v2, t2
    vsw.v   v0, 0(v2)
    li      t2, 11
    vxor.vx v1, v0, t2
    vmseq.vi v1, v1, 0
    vsll.vi v1, v1, 2
    vadd.vv v2, v2, v1          # + 4 in work-item 11
    vsw.v   v1, 0(v2)
    ret
