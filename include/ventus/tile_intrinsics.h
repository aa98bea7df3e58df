/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tile instructions for C programs that run on the tile machine; compiled by
 * clang (--target=riscv64 -march=rv64gc, optimised), linked by lld, run by
 * `ventus tile run`.  Each macro is one tile instruction: its words are in
 * one asm statement, because they must be contiguous.
 *
 *     ventus_tile_lds(VENTUS_TILE_GLOBAL, 0, a, 0, pitch / 32,
 *                     VENTUS_TILE_N1, 0);
 *     ventus_tile_lds(VENTUS_TILE_GLOBAL, 1, b, 0, pitch / 32,
 *                     VENTUS_TILE_N1, 0);
 *     ventus_tile_zero(8);
 *     ventus_tile_wait_alu();
 *     ventus_tile_wait_global_loads(0);
 *     ventus_tile_mma(VENTUS_TILE_S8, 8, 0, 1, VENTUS_TILE_N1, 0);
 *                                                       tr8 += tr0 * tr1
 *     ventus_tile_wait_mma();
 *     ventus_tile_st(VENTUS_TILE_GLOBAL, 8, c, 0, VENTUS_TILE_N1, 0);
 *     ventus_tile_wait_global_stores(0);
 *
 * Tile registers, sizes, types and offsets are constants: there is no register
 * allocation for tiles.  The compiler knows that memory changes, but not when:
 * the programmer has to insert the waits (--check reports missing ones).
 * Vector operands are loaded from memory into v8 by the macro itself.
 *
 * Encodings: docs/tile.md.  `ventus tile dis` shows the words of a program.
 */
#pragma once

#include <stdint.h>

enum { VENTUS_TILE_GLOBAL, VENTUS_TILE_SHARE };
enum { VENTUS_TILE_N1, VENTUS_TILE_N2, VENTUS_TILE_N4, VENTUS_TILE_N8 };
enum {
    VENTUS_TILE_S8,
    VENTUS_TILE_U8,
    VENTUS_TILE_S8U8,
    VENTUS_TILE_U8S8,
    VENTUS_TILE_F16 = 8,
    VENTUS_TILE_BF16,
    VENTUS_TILE_TF32,
    VENTUS_TILE_F32,
    VENTUS_TILE_E4M3,
    VENTUS_TILE_E5M2
};
/* Element types of arithmetic; the last four are for conversions only. */
enum {
    VENTUS_TILE_T_F32,
    VENTUS_TILE_T_F16,
    VENTUS_TILE_T_BF16,
    VENTUS_TILE_T_I32,
    VENTUS_TILE_T_E4M3,
    VENTUS_TILE_T_E5M2,
    VENTUS_TILE_T_I8,
    VENTUS_TILE_T_U8
};
enum {
    VENTUS_TILE_MOV,
    VENTUS_TILE_ABS,
    VENTUS_TILE_NOT,
    VENTUS_TILE_RELU,
    VENTUS_TILE_EXP,
    VENTUS_TILE_EXP2
};
enum {
    VENTUS_TILE_LN = 6,
    VENTUS_TILE_LOG2,
    VENTUS_TILE_SQRT,
    VENTUS_TILE_RSQRT,
    VENTUS_TILE_RCP
};
enum { VENTUS_TILE_TANH = 13, VENTUS_TILE_SIGM, VENTUS_TILE_ERF };
enum {
    VENTUS_TILE_RSUM = 24,
    VENTUS_TILE_RMAX,
    VENTUS_TILE_RMIN,
    VENTUS_TILE_CSUM = 28,
    VENTUS_TILE_CMAX
};
enum { VENTUS_TILE_TRN = 40 };
enum {
    VENTUS_TILE_ADD,
    VENTUS_TILE_SUB,
    VENTUS_TILE_MUL,
    VENTUS_TILE_DIV,
    VENTUS_TILE_MIN,
    VENTUS_TILE_MAX
};
enum { VENTUS_TILE_MAD, VENTUS_TILE_NMAD, VENTUS_TILE_SEL, VENTUS_TILE_QUANT };
enum { VENTUS_TILE_CSR_MASK = 1, VENTUS_TILE_CSR_FC, VENTUS_TILE_CSR_QUANT };
enum { VENTUS_TILE_CSR_THREAD = 4, VENTUS_TILE_CSR_PE };

/* The major opcode, from VENTUS_TILE_OP of the build; 0x6b beside Ventus' own words. */
#ifndef VENTUS_TILE_OPCODE
#define VENTUS_TILE_OPCODE 0x7b
#endif
#define VENTUS_TILE_TEXT(x)     VENTUS_TILE_TEXT_OF(x)
#define VENTUS_TILE_TEXT_OF(x)  #x
#define VENTUS_TILE_OPCODE_TEXT VENTUS_TILE_TEXT(VENTUS_TILE_OPCODE)

/* ---- words: I-type and constants ----------------------------------------- */

/* Bits 31:20 as the signed number that .insn i wants. */
#define VENTUS_TILE_I12(x) ((int)(((x) ^ 0x800) - 0x800))
#define VENTUS_TILE_W(x)   ((unsigned)((x) | VENTUS_TILE_OPCODE))
#define VENTUS_TILE_W0(x)  VENTUS_TILE_W((x) | 6u << 12)

/* ---- memory -------------------------------------------------------------- */

#define VENTUS_TILE_ACCESS(space, t, base, imm, n, m, op)                    \
    __asm__ volatile(                                                        \
        ".insn i " VENTUS_TILE_OPCODE_TEXT                                   \
        ", %1, x0, %0, %2\n\t.4byte %3" ::"r"(base),                         \
        "i"(space), "i"(VENTUS_TILE_I12(0x800 | (t) << 3 | (n))),            \
        "i"(VENTUS_TILE_W0((unsigned)(op) << 25 | ((imm) / 32 & 31u) << 20 | \
                           ((imm) / 32 >> 5 & 31u) << 15 | (m) << 9))        \
        : "memory")
/* Loads or stores 2^n registers from td on; imm: a multiple of 32; m: only rows of
 * tmask. */
#define ventus_tile_ld(space, td, base, imm, n, m) \
    VENTUS_TILE_ACCESS(space, td, base, imm, n, m, 0)
#define ventus_tile_st(space, ts, base, imm, n, m) \
    VENTUS_TILE_ACCESS(space, ts, base, imm, n, m, 8)

#define VENTUS_TILE_STRIDED(space, t, base, imm, stride, n, m, op)             \
    __asm__ volatile(".insn i " VENTUS_TILE_OPCODE_TEXT ", %2, x0, %0, %3\n\t" \
                     ".insn i " VENTUS_TILE_OPCODE_TEXT                        \
                     ", 6, x%4, %1, %5" ::"r"(base),                           \
                     "r"((int64_t)(stride)), "i"(space),                       \
                     "i"(VENTUS_TILE_I12(0x800 | (t) << 3 | (n))),             \
                     "i"((m) << 2 | 1), "i"((op) << 5 | ((imm) / 32 & 31))     \
                     : "memory")
/* Loads or stores rows that are `stride` * 32 bytes apart. */
#define ventus_tile_lds(space, td, base, imm, stride, n, m) \
    VENTUS_TILE_STRIDED(space, td, base, imm, stride, n, m, 0)
#define ventus_tile_sts(space, ts, base, imm, stride, n, m) \
    VENTUS_TILE_STRIDED(space, ts, base, imm, stride, n, m, 8)

/* old = *address (64 bits, share memory); *address += x. */
#define ventus_tile_atomic_add_share(address, x)                     \
    __extension__({                                                  \
        register int64_t tile_old __asm__("a0");                     \
        __asm__ volatile(                                            \
            ".insn i " VENTUS_TILE_OPCODE_TEXT ", 1, x3, %1, %3\n\t" \
            ".insn i " VENTUS_TILE_OPCODE_TEXT ", 6, x1, %2, 0x500"  \
            : "=r"(tile_old)                                         \
            : "r"((int64_t)(address)), "r"((int64_t)(x)),            \
              "i"(VENTUS_TILE_I12(0x800 | 10 << 3))                  \
            : "memory");                                             \
        tile_old;                                                    \
    })

/* ---- tensor copy --------------------------------------------------------- */

/* A tensor map; 64-byte aligned. */
struct ventus_tile_map {
    uint64_t base;
    uint8_t rank, log2_size, zero[2];
    uint32_t zero2, dim[4];
    uint64_t stride[3]; /* in bytes, for dimensions 1 to 3 */
    uint16_t box[4];
} __attribute__((aligned(64)));

#define VENTUS_TILE_TMA(high, loc, dst, src, where, object, completion)      \
    __asm__ volatile(                                                        \
        ".option push\n\t.option arch, +v\n\t"                               \
        "vsetivli zero, 8, e32, m1, ta, ma\n\tvle32.v v8, (%2)\n\t"          \
        ".option pop\n\t.4byte 0x52507400 | " VENTUS_TILE_OPCODE_TEXT "\n\t" \
        ".insn r " VENTUS_TILE_OPCODE_TEXT ", 0, %4, x%5, %1, %0\n\t"        \
        ".insn r " VENTUS_TILE_OPCODE_TEXT                                   \
        ", 6, 0x51, x%6, x8, %3" ::"r"(dst),                                 \
        "r"(src), "r"(where), "r"((int64_t)(object)), "i"(high),             \
        "i"((loc) << 2 | 2), "i"(completion)                                 \
        : "memory")
/* Copies a box of the map into share memory; the mbarrier (share address) counts it.
 * `where`: int32_t[8], coordinates and box. */
#define ventus_tile_tma_load(dims, dst, map, where, mbarrier) \
    VENTUS_TILE_TMA(0x40 | ((dims)-1) << 2 | 1, 2, dst, map, where, mbarrier, 1)

/* ---- moves --------------------------------------------------------------- */

/* Sets all 8-byte elements of the tile. */
#define ventus_tile_fill(td, x)                                             \
    __asm__ volatile(".insn i " VENTUS_TILE_OPCODE_TEXT                     \
                     ", 7, %0, x16, 0x87\n\t.4byte %1" ::"r"((int64_t)(x)), \
                     "i"(VENTUS_TILE_W0((td) << 23)))
#define ventus_tile_zero(td) ventus_tile_fill(td, 0)
/* Sets all elements to a float. */
#define ventus_tile_fill_f32(td, f)                                        \
    __asm__ volatile(".insn i " VENTUS_TILE_OPCODE_TEXT                    \
                     ", 7, %0, x16, 0x1a6\n\t.4byte %1" ::"f"((float)(f)), \
                     "i"(VENTUS_TILE_W0((td) << 23)))

/* ---- arithmetic ---------------------------------------------------------- */

#define VENTUS_TILE_ALU_W1(td, ts1, op)                                     \
    VENTUS_TILE_W((unsigned)(td) << 23 | (unsigned)(ts1) << 15 | 4u << 12 | \
                  (unsigned)(op) << 8)
#define ventus_tile_alu1(op, type, td, ts1)                            \
    __asm__ volatile(                                                  \
        ".4byte %0, %1" ::"i"(VENTUS_TILE_ALU_W1(td, ts1, (op) >> 2)), \
        "i"(VENTUS_TILE_W0(((op)&3u) << 29 | ((type)&3u) << 23 |       \
                           ((type) >> 2) << 22)))
#define ventus_tile_cvt(to, from, td, ts1, part)                     \
    __asm__ volatile(                                                \
        ".4byte %0, %1" ::"i"(VENTUS_TILE_ALU_W1(td, ts1, 8)),       \
        "i"(VENTUS_TILE_W0(((from)&3u) << 23 | ((from) >> 2) << 22 | \
                           (to) << 19 | (part) << 17)))
#define ventus_tile_alu2(op, type, td, ts1, ts2)                          \
    __asm__ volatile(                                                     \
        ".4byte %0, %1" ::"i"(VENTUS_TILE_ALU_W1(td, ts1, (op) >> 2)),    \
        "i"(VENTUS_TILE_W0(((op)&3u) << 29 | (type) << 23 | (ts2) << 15 | \
                           1u << 9)))
/* Arithmetic with a float as second operand of all elements. */
#define ventus_tile_alu2f(op, td, ts1, f)                         \
    __asm__ volatile(".insn i " VENTUS_TILE_OPCODE_TEXT           \
                     ", 7, %0, x0, 0x726\n\t.4byte %1\n\t"        \
                     ".insn i " VENTUS_TILE_OPCODE_TEXT           \
                     ", 6, x6, %0, %2" ::"f"((float)(f)),         \
                     "i"(VENTUS_TILE_ALU_W1(td, ts1, (op) >> 2)), \
                     "i"(((op)&3) << 9))
#define ventus_tile_alu3(op, type, td, ts1, ts2, ts3)         \
    __asm__ volatile(                                         \
        ".4byte %0, %1" ::"i"(                                \
            VENTUS_TILE_ALU_W1(td, ts1, (op) << 2 | (type))), \
        "i"(VENTUS_TILE_W0((unsigned)(ts3) << 23 | (ts2) << 15 | 2u << 9)))

/* td += ts1 * ts2; multi: A and D are 2^n registers, else B and D. */
#define ventus_tile_mma(type, td, ts1, ts2, n, multi)                       \
    __asm__ volatile(                                                       \
        ".4byte %0, %1" ::"i"(                                              \
            VENTUS_TILE_W((unsigned)(td) << 23 | (ts1) << 15 | 3u << 12)),  \
        "i"(VENTUS_TILE_W0((unsigned)(ts2) << 23 | (unsigned)(type) << 18 | \
                           (n) << 15 | (multi) << 8)))

/* ---- control ------------------------------------------------------------- */

#define ventus_tile_csr_write(number, x)                     \
    __asm__ volatile(".insn i " VENTUS_TILE_OPCODE_TEXT      \
                     ", 2, x%1, %0, %2" ::"r"((int64_t)(x)), \
                     "i"((number) >> 5),                     \
                     "i"(VENTUS_TILE_I12(0x800 | ((number)&31))))
#define ventus_tile_csr_read(number)                                           \
    __extension__({                                                            \
        int64_t tile_value;                                                    \
        __asm__ volatile(".insn i " VENTUS_TILE_OPCODE_TEXT ", 2, %0, x%1, %2" \
                         : "=r"(tile_value)                                    \
                         : "i"((number) >> 5), "i"(0x400 | ((number)&31)));    \
        tile_value;                                                            \
    })

#define VENTUS_TILE_WAIT(x)                                        \
    __asm__ volatile(                                              \
        ".4byte %0" ::"i"(VENTUS_TILE_W(5u << 12 | 1u << 7 | (x))) \
        : "memory")
#define ventus_tile_wait_global_loads(n)  VENTUS_TILE_WAIT(1u << 10 | (n) << 15)
#define ventus_tile_wait_global_stores(n) VENTUS_TILE_WAIT(1u << 11 | (n) << 20)
#define ventus_tile_wait_share_loads(n) \
    VENTUS_TILE_WAIT(1u << 25 | 1u << 10 | (n) << 15)
#define ventus_tile_wait_share_stores(n) \
    VENTUS_TILE_WAIT(1u << 25 | 1u << 11 | (n) << 20)
#define ventus_tile_wait_mma() VENTUS_TILE_WAIT(2u << 26)
#define ventus_tile_wait_alu() VENTUS_TILE_WAIT(4u << 26)
#define ventus_tile_wait_all() VENTUS_TILE_WAIT(7u << 26)
/* Arrives at barrier `id`, 0 to 31; the mask of threads of the PE includes the caller. */
#define ventus_tile_arrive(id, mask)                                           \
    __asm__ volatile(                                                          \
        ".4byte %0" ::"i"(VENTUS_TILE_W(5u << 12 | (id) << 15 | (mask) << 20)) \
        : "memory")
#define ventus_tile_sync(id, mask)                        \
    __asm__ volatile(".4byte %0" ::"i"(VENTUS_TILE_W(     \
        5u << 12 | 1u << 28 | (id) << 15 | (mask) << 20)) \
                     : "memory")
