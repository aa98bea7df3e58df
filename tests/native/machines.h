/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machines for programs whose prologue loads all registers from a table: one translation of
 * a program is tried with many operands, addresses and active lanes.
 */
#pragma once

#include <stdlib.h>

#include <ventus/isa_build.h>

#include "compare.h"
#include "sim/native.h"

enum {
    CODE = 0x80000000,
    CODE_B = SIM_PAGE,
    TABLE = 0x88000000, /* what the prologue loads */
    TABLE_B = 0x2000,
    DATA = 0x90000000, /* two banks, one after the other */
    DATA_B = 0x1000,
    NEXT = DATA + DATA_B,
    CONSTANT = 0x98000000, /* without permission to write */
    PRIVATE = 0xa0000000,
    PRIVATE_B = 0x4000,
    LOCAL_B = 1024,
    PDS_B = 64
};
static const uint64_t high = UINT64_C(0x190000000); /* DATA of pairs with 1 */

/*
 * Registers, as the prologue leaves them.  Those of addresses are the low halves of pairs;
 * offsets are addresses in private and local memory.
 */
enum {
    X_TABLE = 6,
    X_SCRATCH = 7,
    X_ADDRESS = 8,
    X_STRIDE = 10,
    X_FRM = 12,
    X_VL,
    X_VTYPE,
    X_TARGET,
    X_VALUE = 16, /* and the next 7 */
    X_OFFSET = 24,
    X_HERE = 26,
    X_RETURN = 27,
    X_NONE = 31, /* 0 */
    X_LOADED = 32,
    V_VALUE = 2, /* and the next 7; v0 is one, too */
    V_BRANCH = 10,
    V_INDEX = 11,
    V_ADDRESS = 12,
    V_ZERO = 14,
    V_OFFSET = 16,
    V_LOADED = 18,
    V_RESULT = 20,
    VALUES = 8
};

/* TABLE: scalars, then rows of vectors. */
enum { ROW_B = 4 * SIM_LANES_MAX };

struct table {
    uint32_t x[SIM_LANES_MAX];
    uint32_t v[V_LOADED][SIM_LANES_MAX];
};

/* ---- programs ---- */

struct program {
    uint32_t word[CODE_B / 4];
    unsigned n;
    unsigned join; /* where all end */
};

static inline void
put(struct program *p, struct ventus_isa_insn in)
{
    ventus_isa_add_prefix(VENTUS_ISA_V1, &in);
    p->n += ventus_isa_encode(&in, p->word + p->n);
}

static inline int32_t
offset(unsigned from, unsigned to)
{
    return 4 * ((int32_t)to - (int32_t)from);
}

/* Loads all registers, divides the threads by v10, goes to x15. */
static inline void
put_prologue(struct program *p)
{
    p->n = 0;
    put(p, ventus_isa_lui(X_TABLE, (int32_t)(TABLE >> 12)));
    for (unsigned x = X_SCRATCH + 1; x < X_LOADED; x++)
        if (x != X_HERE && x != X_RETURN)
            put(p, ventus_isa_lw(x, X_TABLE, 4 * (int32_t)x));
    put(p, ventus_isa_addi(X_SCRATCH, X_TABLE, ROW_B));
    for (unsigned v = 0; v < V_LOADED; v++) {
        put(p, ventus_isa_vle32_v(v, X_SCRATCH, 1));
        put(p, ventus_isa_addi(X_SCRATCH, X_SCRATCH, ROW_B));
    }
    put(p, ventus_isa_csrrw(0, VENTUS_ISA_CSR_FRM, X_FRM));
    unsigned here = p->n;
    put(p, ventus_isa_auipc(X_SCRATCH, 0));
    put(p, ventus_isa_setrpc(0, X_SCRATCH, 4 * 6)); /* the join */
    put(p, ventus_isa_vbne(V_BRANCH, V_ZERO, 4 * 4));
    put(p, ventus_isa_vsetvl(0, X_VL, X_VTYPE));
    put(p,
        ventus_isa_bne(X_NONE, 0, 4 * 4)); /* the first fragment is a block */
    put(p, ventus_isa_jalr(0, X_TARGET, 0));
    p->join = p->n;
    put(p, ventus_isa_join(0, 0, 0));
    put(p, ventus_isa_endprg(0, 0, 0));
    if (p->join != here + 6)
        exit(2);
}

/* ---- operands ---- */

/* The way that addresses of lanes are made. */
enum pattern {
    ROW,
    SAME,
    GATHERED,
    MISALIGNED, /* of one lane */
    ABSENT,
    ACROSS_BANKS,
    ACROSS_END,
    LOCAL,
    OVERLAPPING,
    READ_ONLY,
    DESCENDING,
    MIXED, /* in several banks and local memory */
    PATTERNS
};

static inline uint32_t
draw_absent(void)
{
    static const uint32_t places[] = {
        0,        0xfffffffc, 0x60000000,       NEXT + DATA_B,
        DATA - 4, 0x80001000, CONSTANT + DATA_B
    };
    return places[random_below(sizeof places / sizeof *places)];
}

static inline uint32_t
draw_address(enum pattern p, unsigned lane, bool odd, unsigned lanes)
{
    uint32_t row = DATA + 256 + 4 * lane;
    uint32_t any = DATA + 4 * random_below(2 * DATA_B / 4 - 16);
    switch (p) {
    case SAME:
        return DATA + 64;
    case GATHERED:
        return any;
    case MISALIGNED:
        return odd ? row + 1 + random_below(3) : row;
    case ABSENT:
        return odd ? draw_absent() : any;
    case ACROSS_BANKS:
        return NEXT - 2 * lanes + 4 * lane - 8 * (lane & 1);
    case ACROSS_END:
        return NEXT + DATA_B - 2 * lanes + 4 * lane;
    case LOCAL:
        return 0x70000000 + LOCAL_B - 4 * lanes + 4 * lane + (odd ? 16 : 0);
    case OVERLAPPING:
        return DATA + 128 + (lane / 2) * 4 + (odd ? 4 : 0);
    case READ_ONLY:
        return odd ? CONSTANT + 4 * lane : row;
    case DESCENDING:
        return DATA + 1024 - 4 * lane;
    case MIXED:
        return random_below(3)   ? any
               : random_below(2) ? 0x70000000 + 4 * random_below(LOCAL_B / 4)
                                 : CONSTANT + 4 * lane;
    case ROW:
    case PATTERNS:
        break;
    }
    return row;
}

static inline void
fill_addresses(struct table *t, unsigned lanes)
{
    enum pattern p = (enum pattern)random_below(PATTERNS);
    unsigned odd = random_below(lanes);
    unsigned tops = random_below(6);
    for (unsigned i = 0; i < lanes; i++) {
        uint32_t a = draw_address(p, i, i == odd, lanes);
        uint32_t o = i == odd && !random_below(4)
                         ? random_word()
                         : 4 * random_below(PDS_B / 4 - 4);
        t->v[V_ADDRESS][i] = a;
        t->v[V_ADDRESS + 1][i] = tops == 1 || (tops == 2 && i == odd);
        t->v[V_OFFSET][i] = o;
        t->v[V_OFFSET + 1][i] = tops == 3 && i == odd;
        t->v[V_INDEX][i] = a - DATA;
        t->v[V_ZERO][i] = 0;
    }
    static const uint32_t strides[] = { 4, 0, 1, 2, (uint32_t)-4, 8, 1000 };
    t->x[X_ADDRESS] = random_below(2) ? DATA : t->v[V_ADDRESS][odd];
    t->x[X_ADDRESS + 1] = tops == 1;
    t->x[X_OFFSET] = t->v[V_OFFSET][odd];
    t->x[X_OFFSET + 1] = 0;
    t->x[X_STRIDE] = strides[random_below(sizeof strides / sizeof *strides)];
}

/* Round 0 has all lanes and nothing unusual. */
static inline void
fill_table(struct table *t, unsigned lanes, unsigned round)
{
    unsigned unusual = round ? random_below(16) : 16;
    for (unsigned i = 0; i < SIM_LANES_MAX; i++)
        t->x[i] = random_word();
    for (unsigned v = 0; v < V_LOADED; v++)
        for (unsigned i = 0; i < SIM_LANES_MAX; i++)
            t->v[v][i] = random_word();
    fill_addresses(t, lanes);
    unsigned some = random_below(4);
    for (unsigned i = 0; i < lanes; i++)
        t->v[V_BRANCH][i] =
            round % 2 && (some ? random_below(some + 1) == 0 : i >= lanes / 2);
    t->x[X_NONE] = 0;
    t->x[X_FRM] = unusual == 0 ? random_below(5) : 0;
    t->x[X_VL] = unusual == 1 ? random_below(lanes) : lanes;
    t->x[X_VTYPE] = unusual == 2 ? 8 * random_below(2) + random_below(2) : 16;
}

/* ---- machines ---- */

struct bank {
    uint64_t at, size;
    unsigned perm;
};

static const struct bank banks[] = {
    { CODE, CODE_B, VENTUS_SIM_READ | VENTUS_SIM_EXEC },
    { TABLE, TABLE_B, VENTUS_SIM_READ },
    { CONSTANT, DATA_B, VENTUS_SIM_READ },
    { PRIVATE, PRIVATE_B, VENTUS_SIM_READ | VENTUS_SIM_WRITE },
    { DATA, DATA_B, VENTUS_SIM_READ | VENTUS_SIM_WRITE },
    { NEXT, DATA_B, VENTUS_SIM_READ | VENTUS_SIM_WRITE },
    { UINT64_C(0x190000000), DATA_B, VENTUS_SIM_READ | VENTUS_SIM_WRITE },
};
enum { BANKS = sizeof banks / sizeof *banks, PAGE = 4096 };

/* Tables of Sv39 that map the banks below 4 GiB as they are; the bank of constants has no
 * permission to write there, either. */
static const uint64_t tables = UINT64_C(0x200000000);
enum { TABLES = 1 + 4 + 8, PTE_TABLE = 1 };

static inline uint64_t
entry_of(uint64_t to, unsigned flags)
{
    return to >> 12 << 10 | flags;
}

static inline void
put_entry(struct ventus_sim *sim, uint64_t table, uint64_t index, uint64_t pte)
{
    ventus_sim_write(sim, table + 8 * index, &pte, 8);
}

/* The table below an entry, which is made if it is not there. */
static inline uint64_t
table_below(struct ventus_sim *sim, uint64_t table, uint64_t index,
            uint64_t *free)
{
    uint64_t pte;
    ventus_sim_read(sim, table + 8 * index, &pte, 8);
    if (pte)
        return pte >> 10 << 12;
    *free += PAGE;
    put_entry(sim, table, index, entry_of(*free, PTE_TABLE));
    return *free;
}

static inline void
put_tables(struct ventus_sim *sim)
{
    uint64_t free = tables;
    for (unsigned i = 0; i < BANKS; i++)
        for (uint64_t a = banks[i].at; a < banks[i].at + banks[i].size;
             a += PAGE) {
            uint64_t middle = table_below(sim, tables, a >> 30, &free);
            uint64_t last = table_below(sim, middle, a >> 21 & 511, &free);
            unsigned write = banks[i].perm & VENTUS_SIM_WRITE ? 4 : 0;
            put_entry(sim, last, a >> 12 & 511, entry_of(a, 0xdb | write));
        }
}

static inline struct ventus_sim *
open_machine(const struct sim_translator *t, enum ventus_isa_version isa,
             unsigned lanes)
{
    struct ventus_sim *sim =
        ventus_sim_create(&(struct ventus_sim_config){ .isa = isa,
                                                       .host_threads = 1,
                                                       .num_thread = lanes,
                                                       .stack_depth = 4 },
                          NULL, 0);
    bool ok = sim != NULL;
    for (unsigned i = 0; i < BANKS; i++)
        ok = ok &&
             ventus_sim_map(sim, banks[i].at, banks[i].size, banks[i].perm);
    ok = ok && ventus_sim_map(sim, tables, (TABLES + 8) * PAGE,
                              VENTUS_SIM_READ | VENTUS_SIM_WRITE);
    if (!ok)
        exit(2);
    put_tables(sim);
    if (t)
        native_attach(sim, t);
    return sim;
}

/* Both machines, and what is the same for them. */
struct pair {
    struct ventus_sim *sim[2];
    unsigned lanes;
    uint64_t slice; /* theirs */
    struct ventus_sim_fault fault[2];
};

static inline const char *
compare_memory(const struct pair *m)
{
    for (unsigned i = 0; i < BANKS; i++) {
        const void *a = ventus_sim_pointer(m->sim[0], banks[i].at, NULL);
        const void *b = ventus_sim_pointer(m->sim[1], banks[i].at, NULL);
        if (memcmp(a, b, banks[i].size))
            return "memory";
    }
    return NULL;
}

/* Fills memory that instructions access. */
static inline void
fill_data(const struct pair *m)
{
    uint8_t data[DATA_B];
    for (unsigned i = 0; i < DATA_B; i += 4)
        memcpy(data + i, &(uint32_t){ random_word() }, 4);
    for (unsigned i = 0; i < 2; i++) {
        ventus_sim_write(m->sim[i], DATA, data, sizeof data);
        ventus_sim_write(m->sim[i], NEXT, data, sizeof data);
        ventus_sim_write(m->sim[i], CONSTANT, data, sizeof data);
        ventus_sim_write(m->sim[i], high, data, sizeof data);
    }
}

/* The launch of a round. */
static inline struct ventus_sim_launch
draw_launch(const struct pair *m, unsigned round)
{
    return (struct ventus_sim_launch){
        .pc = CODE,
        .threads = 2 * m->lanes - random_below(m->lanes) * (round % 3 == 2),
        .local_size_B = LOCAL_B,
        .local_bounded = round & 4,
        .pds_base = PRIVATE,
        .pds_size_B = PDS_B,
        .ptbr = round % 8 == 5 ? tables : 0
    };
}

/* Both end after so many instructions of a warp, whose turns are of `slice`. */
static inline void
set_limits(struct pair *m, uint64_t limit, uint64_t slice)
{
    for (unsigned i = 0; i < 2; i++) {
        m->sim[i]->config.max_instructions = limit;
        m->sim[i]->slice = slice;
    }
}

/* The difference between both after a launch; NULL: there is none. */
static inline const char *
run_both(struct pair *m, const struct table *t,
         const struct ventus_sim_launch *l)
{
    for (unsigned i = 0; i < 2; i++) {
        ventus_sim_write(m->sim[i], TABLE, t, sizeof *t);
        m->fault[i] = (struct ventus_sim_fault){ .kind = 0 };
        ventus_sim_launch(m->sim[i], l, &m->fault[i]);
    }
    if (!is_same_fault(&m->fault[0], &m->fault[1]))
        return "fault";
    const char *what = compare_memory(m);
    return what ? what : compare_groups(m->sim[0], m->sim[1]);
}

struct totals {
    unsigned long runs, ended;
    struct native_share share;
};

static inline struct pair
open_pair(const struct sim_translator *t, enum ventus_isa_version isa,
          unsigned lanes, const struct program *p)
{
    struct pair m = { .lanes = lanes };
    m.sim[0] = open_machine(NULL, isa, lanes);
    m.sim[1] = open_machine(t, isa, lanes);
    m.slice = m.sim[0]->slice;
    for (unsigned i = 0; i < 2; i++)
        ventus_sim_write(m.sim[i], CODE, p->word, sizeof p->word);
    return m;
}

/* False: some code was not translated. */
static inline bool
close_pair(struct pair *m, struct totals *sum)
{
    struct native_share share = native_share(m->sim[1]);
    if (share.why)
        printf("not translated: %s\n", share.why);
    sum->share.translated += share.translated;
    sum->share.interpreted += share.interpreted;
    ventus_sim_destroy(m->sim[0]);
    ventus_sim_destroy(m->sim[1]);
    return !share.why;
}
