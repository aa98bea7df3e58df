/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include <ventus/isa_build.h>

/*
 * What a turn reads and writes, in words:
 *
 *     in    s1 lo hi, s2 lo hi, s3 lo hi, pad to 8; then a row of 64 each: mask,
 *           vs1 lo hi, vs2 lo hi, vd lo hi
 *     out   flags, rd lo hi, pad to 8; then a row each: vd lo hi
 */
enum { CODE = 0x80000000, IN = 0x90000000, OUT = 0xa0000000, PAGE = 4096 };
enum { HEAD = 8, ROW = 64, MASK = 0, S1 = 1, S2 = 3, D = 5 };
enum { IN_WORDS = 512, OUT_WORDS = 256 };

/* x registers of the kernel. */
enum { AT = 5, VALUE = 6, FROM = 8, TO = 9, LEFT = 10 };

struct bench {
    struct ventus_sim *sim;
    struct shape shape;
    bool vector, scalar_1;
    uint32_t *in, *out;
    uint32_t word[PAGE / 4];
    unsigned n;
};

static void
put(struct bench *b, struct ventus_isa_insn in)
{
    ventus_isa_add_prefix(b->shape.version, &in);
    b->n += ventus_isa_encode(&in, b->word + b->n);
}

struct bench *
bench_open(const struct shape *shape)
{
    struct bench *b = calloc(1, sizeof *b);
    char text[200] = "";
    const struct ventus_sim_config config = { .isa = shape->version,
                                              .num_thread = shape->lanes,
                                              .host_threads = 1,
                                              .portable = shape->portable };
    b->shape = *shape;
    b->sim = ventus_sim_create(&config, text, sizeof text);
    const uint64_t in_B = TURNS * IN_WORDS * 4, out_B = TURNS * OUT_WORDS * 4;
    uint64_t size;
    if (!b->sim ||
        !ventus_sim_map(b->sim, CODE, PAGE,
                        VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC) ||
        !ventus_sim_map(b->sim, IN, in_B, VENTUS_SIM_READ) ||
        !ventus_sim_map(b->sim, OUT, out_B,
                        VENTUS_SIM_READ | VENTUS_SIM_WRITE)) {
        fprintf(stderr, "no machine: %s\n", text);
        bench_close(b);
        return NULL;
    }
    b->in = ventus_sim_pointer(b->sim, IN, &size);
    b->out = ventus_sim_pointer(b->sim, OUT, &size);
    return b;
}

void
bench_close(struct bench *b)
{
    if (b && b->sim)
        ventus_sim_destroy(b->sim);
    free(b);
}

static void
put_vector_access(struct bench *b, unsigned v, unsigned base, unsigned row,
                  bool store)
{
    put(b, ventus_isa_addi(AT, base,
                           (int32_t)(4 * (HEAD + row * b->shape.lanes))));
    put(b, store ? ventus_isa_vse32_v(v, AT, 1) : ventus_isa_vle32_v(v, AT, 1));
}

static void
put_vsetvli(struct bench *b, unsigned sew)
{
    put(b, ventus_isa_vsetvli(AT, 0,
                              sew == 8    ? 0
                              : sew == 16 ? 1 << 3
                                          : 2 << 3));
}

static void
put_loads(struct bench *b)
{
    for (unsigned i = 0; i < 6; i++)
        put(b, ventus_isa_lw(X_1 + i, FROM, (int32_t)(4 * i)));
    if (!b->vector)
        return;
    const unsigned v[] = { 0, V_1, V_1 + 1, V_2, V_2 + 1, V_D, V_D + 1 };
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        put_vector_access(b, v[i], FROM, i, false);
}

static void
put_stores(struct bench *b)
{
    put(b, ventus_isa_sw(VALUE, TO, 0));
    put(b, ventus_isa_sw(X_D, TO, 4));
    put(b, ventus_isa_sw(X_D + 1, TO, 8));
    if (!b->vector)
        return;
    put_vector_access(b, V_D, TO, 0, true);
    put_vector_access(b, V_D + 1, TO, 1, true);
}

static void
put_li(struct bench *b, unsigned x, uint32_t value)
{
    put(b, ventus_isa_lui(x, (int32_t)((value + 0x800) >> 12)));
    put(b, ventus_isa_addi(x, x, (int32_t)(value << 20) >> 20));
}

bool
bench_load(struct bench *b, const struct ventus_isa_insn *in, unsigned sew,
           unsigned frm)
{
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    b->n = 0;
    b->vector = false;
    b->scalar_1 = true;
    for (unsigned i = 0; i < f->fields; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        bool is_v = field->kind == VENTUS_ISA_KIND_V;
        b->vector |= is_v && field->member == VENTUS_ISA_SLOT_D;
        b->scalar_1 &= !(is_v && field->member == VENTUS_ISA_SLOT_1);
    }
    put_li(b, FROM, IN);
    put_li(b, TO, OUT);
    put_li(b, LEFT, TURNS);
    put(b, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_FRM, (int32_t)frm));
    unsigned loop = b->n;
    put_vsetvli(b, 32);
    put_loads(b);
    if (sew != 32)
        put_vsetvli(b, sew);
    put(b, ventus_isa_csrrw(0, VENTUS_ISA_CSR_FFLAGS, 0));
    put(b, *in);
    put(b, ventus_isa_csrrs(VALUE, VENTUS_ISA_CSR_FFLAGS, 0));
    if (sew != 32)
        put_vsetvli(b, 32);
    put_stores(b);
    put(b, ventus_isa_addi(LEFT, LEFT, -1));
    put(b, ventus_isa_addi(FROM, FROM, 1024));
    put(b, ventus_isa_addi(FROM, FROM, 1024));
    put(b, ventus_isa_addi(TO, TO, 1024));
    put(b, ventus_isa_bne(LEFT, 0, (int32_t)(loop - b->n) * 4));
    put(b, ventus_isa_endprg(0, 0, 0));
    return ventus_sim_write(b->sim, CODE, b->word, sizeof *b->word * b->n);
}

void
bench_set(struct bench *b, unsigned turn, unsigned lane, enum oracle_slot slot,
          uint64_t bits)
{
    static const unsigned rows[SLOTS] = { S1, S2, 0, D };
    uint32_t *in = b->in + turn * IN_WORDS;
    bool scalar = !b->vector || (slot == SLOT_1 && b->scalar_1);
    uint32_t *at = in + 2 * slot, *above = at + 1;
    if (!scalar) {
        at = in + HEAD + rows[slot] * b->shape.lanes + lane;
        above = at + b->shape.lanes;
    }
    if (slot == (scalar ? SLOT_D : SLOT_3))
        return;
    *at = (uint32_t)bits;
    *above = (uint32_t)(bits >> 32);
}

void
bench_set_mask(struct bench *b, unsigned turn, unsigned lane, uint32_t word)
{
    b->in[turn * IN_WORDS + HEAD + MASK * b->shape.lanes + lane] = word;
}

bool
bench_run(struct bench *b, unsigned turns)
{
    struct ventus_sim_fault fault;
    const struct ventus_sim_launch launch = { .pc = CODE,
                                              .warps = 1,
                                              .threads = b->shape.threads };
    /* The kernel begins with its count of turns in two words, lui and addi. */
    struct ventus_isa_insn first = ventus_isa_lui(LEFT, 0),
                           second = ventus_isa_addi(LEFT, 0, 0);
    second.imm = (int32_t)turns;
    ventus_isa_encode(&first, b->word + 4);
    ventus_isa_encode(&second, b->word + 5);
    if (ventus_sim_write(b->sim, CODE, b->word, sizeof *b->word * b->n) &&
        ventus_sim_launch(b->sim, &launch, &fault))
        return true;
    fprintf(stderr, "%s\n", fault.text);
    return false;
}

uint64_t
bench_result(const struct bench *b, unsigned turn, unsigned lane)
{
    const uint32_t *out = b->out + turn * OUT_WORDS;
    if (!b->vector)
        return out[1] | (uint64_t)out[2] << 32;
    const uint32_t *at = out + HEAD + lane;
    return *at | (uint64_t)at[b->shape.lanes] << 32;
}

unsigned
bench_flags(const struct bench *b, unsigned turn)
{
    return b->out[turn * OUT_WORDS];
}
