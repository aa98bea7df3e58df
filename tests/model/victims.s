# SPDX-License-Identifier: Apache-2.0
# An L1D of chisel2 waited for itself: a line that came waited for room in the full
# queue to the L2, as it replaced a dirty one, and the stores in that queue for an
# answer behind the next line.
#
# @grid 1024 @local 32 @lanes 32 @isa 2 @set memory_size=1G
# @inout a u32 [i % 1009 for i in range(8 * 1024 * 32)]
# @out b u32 0x40000
# @def place(n): return (n * 2654435761 % 2**32 >> 14) & 0x3ffe0
# @def stored(): return {place(n) for n in range(8 * 1024)}
# @def added(i): return 0 if i % 32 else i // 32 % 1024 // 32 * 32
# @def lines(s): return [i if i in s else 0 for i in range(0x40000)]
# @expect a = [v + added(i) for i, v in enumerate(a)]
# @expect b = lines(stored())

    .include "victims.inc"
    .ventus_kernel victims, sgpr=32, vgpr=16
    stores_and_victims victims, 8
