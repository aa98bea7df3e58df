/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that machines are measured with. */
#pragma once

#include <ventus/isa_build.h>

enum { CODE = 0x80000000, DATA = 0x90000000, DATA_SIZE = 1 << 20 };

struct program {
    uint32_t word[256];
    unsigned n;
};

static inline void
emit(struct program *p, struct ventus_isa_insn in)
{
    ventus_isa_add_prefix(VENTUS_ISA_V1, &in);
    p->n += ventus_isa_encode(&in, p->word + p->n);
}

/* x5 = how often the loop runs, x6 = 0x90000000, v1 = lane */
static inline void
begin(struct program *p, uint32_t rounds)
{
    p->n = 0;
    emit(p, ventus_isa_lui(5, (int32_t)(rounds >> 12)));
    emit(p, ventus_isa_lui(6, DATA >> 12));
    emit(p, ventus_isa_vid_v(1, 1));
}

static inline void
end_loop(struct program *p, unsigned start)
{
    emit(p, ventus_isa_addi(5, 5, -1));
    emit(p, ventus_isa_bne(5, 0, 4 * ((int32_t)start - (int32_t)p->n)));
    emit(p, ventus_isa_endprg(0, 0, 0));
}

/* Six vector and four scalar instructions. */
static inline void
alu_loop(struct program *p, uint32_t rounds)
{
    begin(p, rounds);
    unsigned start = p->n;
    emit(p, ventus_isa_vadd_vv(2, 1, 3, 1));
    emit(p, ventus_isa_vxor_vv(3, 2, 1, 1));
    emit(p, ventus_isa_addi(7, 7, 3));
    emit(p, ventus_isa_vsll_vi(4, 3, 5, 1));
    emit(p, ventus_isa_vadd_vx(5, 4, 7, 1));
    emit(p, ventus_isa_xor(8, 8, 7));
    emit(p, ventus_isa_vmul_vv(6, 5, 2, 1));
    emit(p, ventus_isa_vsub_vv(3, 6, 4, 1));
    end_loop(p, start);
}

/* Eight arithmetic instructions and a load of the next 128 bytes a round. */
static inline void
stream_loop(struct program *p, uint32_t rounds)
{
    begin(p, rounds);
    emit(p, ventus_isa_addi(9, 0, 128));
    emit(p, ventus_isa_vsll_vi(2, 1, 2, 1));
    emit(p, ventus_isa_vadd_vx(2, 2, 6, 1));
    unsigned start = p->n;
    emit(p, ventus_isa_vlw12_v(8, 2, 0));
    emit(p, ventus_isa_vadd_vx(2, 2, 9, 1));
    emit(p, ventus_isa_vadd_vv(10, 10, 8, 1));
    emit(p, ventus_isa_vmul_vv(11, 10, 1, 1));
    emit(p, ventus_isa_vxor_vv(12, 11, 10, 1));
    emit(p, ventus_isa_vadd_vx(13, 12, 5, 1));
    emit(p, ventus_isa_vsub_vv(14, 13, 1, 1));
    emit(p, ventus_isa_addi(7, 7, 3));
    end_loop(p, start);
}

/* The same words are loaded and stored by all: four scalar instructions. */
static inline void
race_loop(struct program *p, uint32_t rounds)
{
    begin(p, rounds);
    unsigned start = p->n;
    emit(p, ventus_isa_lw(7, 6, 0));
    emit(p, ventus_isa_addi(7, 7, 1));
    emit(p, ventus_isa_sw(7, 6, 0));
    emit(p, ventus_isa_xor(8, 8, 7));
    end_loop(p, start);
}

/* Addresses in v2 (x6 + lane * stride), eight loads a round. */
static inline void
load_loop(struct program *p, uint32_t rounds, unsigned shift)
{
    begin(p, rounds);
    emit(p, ventus_isa_vsll_vi(2, 1, (int32_t)shift, 1));
    if (shift > 2)
        emit(p, ventus_isa_vxor_vi(2, 2, 4, 1));
    emit(p, ventus_isa_vadd_vx(2, 2, 6, 1));
    unsigned start = p->n;
    for (unsigned i = 0; i < 8; i++)
        emit(p, ventus_isa_vlw12_v(8 + i, 2, 128 * (int32_t)i));
    end_loop(p, start);
}
