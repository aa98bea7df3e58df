/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch from the bytes of an input, for the machines that run Ventus code.
 *
 *     0     version, lanes, translation, page permissions
 *     1     rules of the machine, a bit each
 *     2     warps, workgroups
 *     3     the last warp's lanes, depth of the SIMT stack
 *     4     bounds of local and private memory, and registers
 *     5     how many patches of page tables follow behind byte 8
 *     6, 7  the configuration of the cycle model
 *     8     patches: table, index (2 bytes each), entry (8 bytes)
 *           then words of code, up to MAX_WORDS
 *
 * Before the code stands a prologue that gives x1 to x15 and v0 to v15 values:
 * addresses of data, of code, of local and private memory, lane numbers and
 * operands at the corners; behind it endprg.
 */
#pragma once

#include <ventus/isa_build.h>
#include <ventus/sim.h>

#include "machine_code.h"

enum {
    CODE = 0x80000000,
    CODE_B = 0x2000,
    MAX_WORDS = 1024,
    DATA = 0x90000000,
    DATA_B = 0x8000,
    PRIVATE = 0xa0000000,
    PRIVATE_B = 0x8000,
    HEAD_B = 8,
    PATCH_B = 12,
    PAGE = 4096,
    PTE_TABLE = 1,
    PTE_LEAF = 0xdf, /* valid, all permissions, user, accessed, dirty */
    TABLES = 5,
    LIMIT = 600 /* instructions of a warp */
};
static const uint64_t tables = UINT64_C(0x100000000);

struct input {
    uint8_t head[HEAD_B];
    const uint8_t *patches;
    unsigned n_patches;
    uint32_t code[MAX_WORDS];
    unsigned n_code;
    enum ventus_isa_version isa;
};

/* What must be known of the code itself, for comparisons. */
struct code_facts {
    bool counts; /* reads cycles or time */
};

static inline bool
input_read(struct input *in, const uint8_t *bytes, size_t size)
{
    if (size < HEAD_B + 4)
        return false;
    memcpy(in->head, bytes, HEAD_B);
    in->patches = bytes + HEAD_B;
    in->n_patches = in->head[5] % 5;
    size_t at = HEAD_B + PATCH_B * in->n_patches;
    if (size < at + 4)
        return false;
    size_t n = (size - at) / 4;
    in->n_code = n < MAX_WORDS ? (unsigned)n : MAX_WORDS;
    memcpy(in->code, bytes + at, 4 * in->n_code);
    in->isa = in->head[0] & 1 ? VENTUS_ISA_V2 : VENTUS_ISA_V1;
    return true;
}

static inline bool
input_counts(const struct input *in)
{
    for (unsigned i = 0; i < in->n_code; i++) {
        struct ventus_isa_insn d;
        if (!ventus_isa_decode_word(in->isa, in->code[i], &d))
            continue;
        const struct ventus_isa_format_info *f =
            &ventus_isa_formats[ventus_isa_info[d.op].format];
        for (unsigned k = 0; k < f->fields; k++)
            if (ventus_isa_fields[f->field[k]].kind == VENTUS_ISA_KIND_CSR &&
                (d.aux & ~0x83u) == VENTUS_ISA_CSR_CYCLE)
                return true;
    }
    return false;
}

static inline bool
input_translates(const struct input *in)
{
    return in->head[0] >> 4 & 1;
}

static inline struct ventus_sim_config
input_config(const struct input *in)
{
    unsigned rules = in->head[1];
    return (struct ventus_sim_config){
        .isa = in->isa,
        .num_thread = 1u << (in->head[0] >> 1 & 7) % 7,
        .num_sm = 1,
        .num_warp = 8,
        .local_size_B = 0x2000,
        .stack_depth = in->head[3] >> 5 ? 0 : 2,
        .host_threads = 1,
        .max_instructions = LIMIT,
        .all_lanes = rules & 1,
        .ignore_vm = rules & 2,
        .scalar_amo = rules & 4,
        .vadd12_signed = rules & 8,
        .barrier_all = rules & 16,
        .common_pds = rules & 32,
        .join_check = rules & 64,
    };
}

static inline struct ventus_sim_launch
input_launch(const struct input *in, const struct ventus_sim_config *c)
{
    unsigned warps = 1 + (in->head[2] & 3);
    unsigned last = in->head[3] % c->num_thread;
    return (struct ventus_sim_launch){
        .pc = CODE,
        .grid = { 1 + (in->head[2] >> 2 & 3), 1 + (in->head[2] >> 4 & 1), 1 },
        .warps = warps,
        .threads = (warps - 1) * c->num_thread + (last ? last : c->num_thread),
        .knl = DATA,
        .local_size_B = in->head[4] & 1 ? 256 : 1024,
        .local_bounded = in->head[4] & 2,
        .pds_base = PRIVATE,
        .pds_size_B = in->head[4] & 4 ? 16 : 64,
        .pds_zeroed = in->head[4] & 8,
        .sgpr = in->head[4] & 16 ? 32 : 0,
        .vgpr = in->head[4] & 32 ? 64 : 0,
        .ptbr = input_translates(in) ? tables : 0,
    };
}

/* ---- memory ---- */

static inline void
put_entry(struct ventus_sim *sim, unsigned table, unsigned index, uint64_t pte)
{
    ventus_sim_write(sim, tables + table * PAGE + 8 * index, &pte, 8);
}

static inline uint64_t
entry_of(uint64_t to, unsigned flags)
{
    return to >> 12 << 10 | flags;
}

/* Root, second levels for 0x8.. to 0xa.., last levels; then the patches. */
static inline void
put_tables(struct ventus_sim *sim, const struct input *in)
{
    put_entry(sim, 0, 2, entry_of(tables + PAGE, PTE_TABLE));
    for (unsigned i = 0; i < 3; i++)
        put_entry(sim, 1, 128 * i,
                  entry_of(tables + (2 + i) * PAGE, PTE_TABLE));
    for (unsigned i = 0; i < CODE_B / PAGE; i++)
        put_entry(sim, 2, i, entry_of(CODE + i * PAGE, PTE_LEAF));
    for (unsigned i = 0; i < DATA_B / PAGE; i++)
        put_entry(sim, 3, i, entry_of(DATA + i * PAGE, PTE_LEAF));
    for (unsigned i = 0; i < PRIVATE_B / PAGE; i++)
        put_entry(sim, 4, i, entry_of(PRIVATE + i * PAGE, PTE_LEAF));
    for (unsigned i = 0; i < in->n_patches; i++) {
        uint16_t at[2];
        uint64_t pte;
        memcpy(at, in->patches + i * PATCH_B, 4);
        memcpy(&pte, in->patches + i * PATCH_B + 4, 8);
        put_entry(sim, at[0] % TABLES, at[1] % 512, pte);
    }
}

static inline void
put_code_word(struct ventus_sim *sim, uint32_t *pc, struct ventus_isa_insn in)
{
    uint32_t words[2];
    unsigned n = ventus_isa_encode(&in, words);
    require(n != 0, "a prologue that does not encode");
    ventus_sim_write(sim, *pc, words, 4 * n);
    *pc += 4 * n;
}

static inline void
put_prologue(struct ventus_sim *sim, uint32_t *pc)
{
    static const uint32_t upper[] = { DATA,       DATA + 0x1000, CODE,
                                      0x70000000, PRIVATE,       0xfffff000,
                                      0x7f800000 };
    for (unsigned i = 0; i < sizeof upper / sizeof *upper; i++)
        put_code_word(sim, pc,
                      ventus_isa_lui(1 + i, (int32_t)(upper[i] >> 12)));
    put_code_word(sim, pc, ventus_isa_addi(8, 0, 1));
    put_code_word(sim, pc, ventus_isa_addi(9, 0, -1));
    put_code_word(sim, pc, ventus_isa_addi(10, 0, 7));
    put_code_word(sim, pc, ventus_isa_csrrs(11, VENTUS_ISA_CSR_TID, 0));
    put_code_word(sim, pc, ventus_isa_vid_v(1, 1));
    put_code_word(sim, pc, ventus_isa_vsll_vi(2, 1, 2, 1));
    put_code_word(sim, pc, ventus_isa_vadd_vx(3, 2, 1, 1)); /* DATA + 4 lane */
    put_code_word(sim, pc, ventus_isa_vadd_vx(4, 2, 4, 1)); /* local */
    put_code_word(sim, pc, ventus_isa_vle32_v(5, 1, 1));
    put_code_word(sim, pc, ventus_isa_vle32_v(6, 2, 1));
    put_code_word(sim, pc, ventus_isa_vmv_v_x(7, 7));
    put_code_word(sim, pc, ventus_isa_vsll_vi(8, 1, 7, 1));
    put_code_word(sim, pc, ventus_isa_vadd_vx(8, 8, 2, 1)); /* a line each */
    put_code_word(sim, pc, ventus_isa_vadd_vi(0, 1, 1, 1)); /* lanes by turns */
}

/* Numbers at the corners, addresses, and others. */
static inline void
put_data(struct ventus_sim *sim)
{
    static const uint32_t corner[] = { 0,          1,          0x7fffffff,
                                       0x80000000, 0xffffffff, 0x3f800000,
                                       0x7fc00000, 0xff800000, 0x00000001,
                                       0x00800000, DATA + 64,  0x70000010 };
    uint32_t words[DATA_B / 4];
    for (unsigned i = 0; i < DATA_B / 4; i++)
        words[i] = i % 3 ? corner[i / 3 % 12] : i * 2654435761u;
    ventus_sim_write(sim, DATA, words, sizeof words);
}

/* The machine's memory as every engine must find it. */
static inline void
put_memory(struct ventus_sim *sim, const struct input *in)
{
    unsigned code = VENTUS_SIM_READ | VENTUS_SIM_EXEC;
    uint32_t pc = CODE;
    bool ok =
        ventus_sim_map(sim, CODE, CODE_B, code) &&
        ventus_sim_map(sim, DATA, DATA_B, VENTUS_SIM_READ | VENTUS_SIM_WRITE) &&
        ventus_sim_map(sim, PRIVATE, PRIVATE_B,
                       VENTUS_SIM_READ | VENTUS_SIM_WRITE);
    if (input_translates(in)) {
        ok = ok && ventus_sim_map(sim, tables, TABLES * PAGE,
                                  VENTUS_SIM_READ | VENTUS_SIM_WRITE);
        put_tables(sim, in);
    }
    require(ok, "memory is not mapped");
    put_prologue(sim, &pc);
    ventus_sim_write(sim, pc, in->code, 4 * in->n_code);
    pc += 4 * in->n_code;
    put_code_word(sim, &pc, ventus_isa_endprg(0, 0, 0));
    put_data(sim);
    ventus_sim_bound(sim, DATA, DATA_B - (in->head[4] & 64 ? 12 : 0));
}

/* ---- comparison ---- */

static inline void
require_same_memory(const struct ventus_sim *a, const struct ventus_sim *b,
                    uint64_t at, size_t size)
{
    const uint8_t *pa = ventus_sim_pointer(a, at, NULL),
                  *pb = ventus_sim_pointer(b, at, NULL);
    if (memcmp(pa, pb, size) == 0)
        return;
    for (size_t i = 0; i < size; i++)
        if (pa[i] != pb[i]) {
            fprintf(stderr, "at 0x%llx: 0x%02x and 0x%02x\n",
                    (unsigned long long)(at + i), pa[i], pb[i]);
            require(false, "memory differs");
        }
}

static inline void
require_same_fault(const struct ventus_sim_fault *a,
                   const struct ventus_sim_fault *b)
{
    bool same = a->kind == b->kind &&
                (!a->kind || (a->pc == b->pc && a->group == b->group &&
                              a->warp == b->warp && a->lane == b->lane &&
                              a->address == b->address));
    if (!same)
        fprintf(stderr, "one: %s\nother: %s\n", a->kind ? a->text : "no fault",
                b->kind ? b->text : "no fault");
    require(same, "faults differ");
}

/* ---- the mutator ---- */

static inline void
make_v1(struct rng *r, uint8_t *at)
{
    uint32_t word = code_word(r, VENTUS_ISA_V1);
    memcpy(at, &word, 4);
}

static inline void
make_v2(struct rng *r, uint8_t *at)
{
    uint32_t word = code_word(r, VENTUS_ISA_V2);
    memcpy(at, &word, 4);
}

/* An entry that may mean something: a leaf or a table of ours, or any bits. */
static inline void
make_patch(struct rng *r, uint8_t *at)
{
    static const uint64_t to[] = { CODE, DATA, PRIVATE, DATA + PAGE,
                                   0x70000000 };
    uint16_t place[2] = { (uint16_t)rng_below(r, TABLES),
                          (uint16_t)rng_below(r, 8) };
    uint64_t pte = entry_of(to[rng_below(r, 5)], rng_word(r) & 0xff);
    if (rng_one_of(r, 4))
        pte = entry_of(tables + PAGE * rng_below(r, TABLES), rng_word(r) & 15);
    if (rng_one_of(r, 8))
        pte = (uint64_t)rng_word(r) << 32 | rng_word(r);
    memcpy(at, place, 4);
    memcpy(at + 4, &pte, 8);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    struct rng r = rng_of(seed);
    if (size < HEAD_B + 4 || rng_one_of(&r, 32))
        return LLVMFuzzerMutate(bytes, size, max_size);
    unsigned n = bytes[5] % 5;
    if (rng_one_of(&r, 6))
        bytes[rng_below(&r, HEAD_B)] = (uint8_t)rng_word(&r);
    else if (n && size >= HEAD_B + PATCH_B * n + 4 && rng_one_of(&r, 6))
        make_patch(&r, bytes + HEAD_B + PATCH_B * rng_below(&r, n));
    unsigned times = 1 + rng_below(&r, 4);
    size_t head = HEAD_B + PATCH_B * (bytes[5] % 5);
    while (times-- && head + 4 <= max_size)
        size = mutate_units(&r, bytes, size, max_size, head, 4,
                            bytes[0] & 1 ? make_v2 : make_v1);
    return size;
}
