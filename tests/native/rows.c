/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every row of the table of instructions, with each prefix that it takes, on two machines
 * of which one translates: registers, memory, flags, counts and faults are the same.
 *
 *     rows [SEED [all]]
 *
 * A program is a page of fragments.  A fragment is a block with an instruction between
 * others that make its operands and use its result; the launch goes from a prologue, which
 * loads all registers from memory, to one of the fragments, and ends.  So each is tried
 * many times, with other operands, addresses and active lanes, after one translation.
 *
 * all: each page with warps of each size; else the pages have them by turns.
 */
#include <stdlib.h>

#include <ventus/isa_build.h>

#include "compare.h"
#include "native/client.h"

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

/* ---- instructions ---- */

struct fragment {
    struct ventus_isa_insn in;
};

struct list {
    enum ventus_isa_version isa;
    struct fragment *at;
    unsigned n, cap;
};

static bool
is_named(const struct ventus_isa_insn *in, const char *meaning)
{
    return strcmp(ventus_isa_info[in->op].meaning, meaning) == 0;
}

static bool
is_access(const struct ventus_isa_insn *in)
{
    return ventus_isa_info[in->op].flags &
           (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE | VENTUS_ISA_F_ATOMIC);
}

/* A branch of threads, which ends at the join of its fragment. */
static bool
divides(const struct ventus_isa_insn *in)
{
    return strncmp(ventus_isa_info[in->op].meaning, "vb", 2) == 0;
}

static bool
is_offset(const struct ventus_isa_insn *in)
{
    return (ventus_isa_info[in->op].flags & VENTUS_ISA_F_PRIVATE) ||
           in->space == VENTUS_ISA_SPACE_PRIVATE ||
           in->space == VENTUS_ISA_SPACE_LOCAL;
}

static unsigned
draw_register(const struct ventus_isa_insn *in,
              const struct ventus_isa_field *f)
{
    bool vector = f->kind == VENTUS_ISA_KIND_V || f->kind == VENTUS_ISA_KIND_A;
    unsigned any = random_below(VALUES);
    if (random_below(3) == 0)
        any &= ~1u;
    if (is_access(in) && f->member == VENTUS_ISA_MEMBER_1) {
        if (is_offset(in))
            return vector ? V_OFFSET : X_OFFSET;
        return vector ? V_ADDRESS : X_ADDRESS;
    }
    if (is_access(in) && f->member == VENTUS_ISA_MEMBER_2 &&
        mem_mode_of(in->op) == MODE_INDEX)
        return V_INDEX;
    if (is_access(in) && f->member == VENTUS_ISA_MEMBER_2 && !vector &&
        mem_mode_of(in->op) == MODE_STRIDE)
        return X_STRIDE;
    if (is_named(in, "jalr") && f->member == VENTUS_ISA_MEMBER_1)
        return X_HERE;
    if (vector && f->out && random_below(2))
        return V_RESULT + any;
    if (!vector && random_below(12) == 0)
        return 0;
    return (vector ? V_VALUE : X_VALUE) + any;
}

static int32_t
draw_number(const struct ventus_isa_insn *in, const struct ventus_isa_field *f)
{
    int32_t top = f->is_signed ? (1 << (f->width - 1)) - 1
                               : (int32_t)((UINT64_C(1) << f->width) - 1);
    int32_t low = f->is_signed ? -top - 1 : 0;
    const int32_t corners[] = { 0, 1, low, top, f->is_signed ? -1 : 16 };
    int32_t any = low + (int32_t)random_below((uint32_t)top - (uint32_t)low);
    if (is_named(in, "jalr"))
        return 12;
    if (is_access(in))
        return random_below(4)   ? 4 * (int32_t)random_below(3)
               : random_below(2) ? (int32_t)random_below(8)
                                 : any;
    return random_below(2)
               ? any
               : corners[random_below(sizeof corners / sizeof *corners)];
}

static int32_t
draw_operand(const struct ventus_isa_insn *in, const struct ventus_isa_field *f)
{
    static const int32_t vtypes[] = { 0, 8, 16, 16, 16, 1, 9, 17, 24, 0x47 };
    unsigned csr;
    switch ((enum ventus_isa_kind)f->kind) {
    case VENTUS_ISA_KIND_X:
    case VENTUS_ISA_KIND_V:
    case VENTUS_ISA_KIND_A:
        return (int32_t)(draw_register(in, f) & (f->scale ? ~1u : ~0u));
    case VENTUS_ISA_KIND_S:
    case VENTUS_ISA_KIND_U:
        return draw_number(in, f);
    case VENTUS_ISA_KIND_HI:
        return (int32_t)random_below(1 << 20);
    case VENTUS_ISA_KIND_B:
    case VENTUS_ISA_KIND_J:
        return 8;
    case VENTUS_ISA_KIND_CSR:
        do
            csr = ventus_isa_csrs[random_below(VENTUS_ISA_CSR_COUNT)].number;
        while (csr_counts(csr));
        return (int32_t)csr;
    case VENTUS_ISA_KIND_VTYPE:
        return vtypes[random_below(sizeof vtypes / sizeof *vtypes)];
    case VENTUS_ISA_KIND_IORW:
    case VENTUS_ISA_KIND_BARRIER:
    case VENTUS_ISA_KIND_AQRL:
        return (int32_t)random_below(4);
    case VENTUS_ISA_KIND_RM:
        return random_below(2) ? 7 : (int32_t)random_below(5);
    case VENTUS_ISA_KIND_VM:
        return random_below(2) != 0;
    case VENTUS_ISA_KIND_EXT:
    case VENTUS_ISA_KIND_EXTI:
    case VENTUS_ISA_KIND_OPT:
        break;
    }
    return 0;
}

static struct ventus_isa_insn
draw(unsigned op, unsigned space)
{
    struct ventus_isa_insn in = { .op = (uint16_t)op,
                                  .vm = 1,
                                  .space = (uint8_t)space };
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[ventus_isa_info[op].format];
    for (unsigned i = 0; i < format->fields; i++) {
        const struct ventus_isa_field *f = &ventus_isa_fields[format->field[i]];
        ventus_isa_set(&in, f, draw_operand(&in, f));
    }
    in.space = 0;
    return in;
}

/* The bits of a prefix: pair, signs and cache hint, and sometimes higher registers. */
static uint32_t
draw_prefix(unsigned prefix)
{
    const struct ventus_isa_info *row = &ventus_isa_info[prefix];
    uint32_t bits = random_below(1 << 7) << 13;
    if (random_below(6) == 0)
        bits |= random_below(1 << 12) << 20;
    return row->match | (bits & ~row->mask);
}

static void
add(struct list *l, struct ventus_isa_insn in)
{
    if (l->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 1024;
        l->at = realloc(l->at, l->cap * sizeof *l->at);
        if (!l->at)
            exit(2);
    }
    l->at[l->n++].in = in;
}

/* An instruction of a row with a prefix, if they fit each other. */
static void
add_prefixed(struct list *l, unsigned op, unsigned prefix)
{
    struct ventus_isa_insn in, alone;
    uint32_t words[3] = { draw_prefix(prefix) };
    if (ventus_isa_decode(l->isa, words, 1, &in) != 1)
        return;
    /* Addresses in private and local memory are other registers. */
    uint32_t with[2] = { words[0], ventus_isa_info[op].match };
    unsigned space =
        ventus_isa_decode(l->isa, with, 2, &in) == 2 ? in.space : 0;
    for (unsigned tries = 0; tries < 8; tries++) {
        alone = draw(op, space);
        if (ventus_isa_encode(&alone, words + 1) == 1 &&
            ventus_isa_decode(l->isa, words, 2, &in) == 2) {
            add(l, in);
            return;
        }
        words[0] = draw_prefix(prefix);
    }
}

/* All rows of a version; false: one cannot be encoded. */
static bool
list_rows(struct list *l)
{
    char text[VENTUS_ISA_TEXT_MAX];
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++) {
        if (!(ventus_isa_info[op].versions & l->isa) ||
            ventus_isa_is_prefix((enum ventus_isa_op)op))
            continue;
        for (unsigned i = 0; i < 3; i++) {
            struct ventus_isa_insn in = draw(op, 0);
            const char *why = ventus_isa_check(l->isa, &in, text, sizeof text);
            if (why) {
                printf("%s: %s\n", ventus_isa_info[op].name, why);
                return false;
            }
            add(l, in);
        }
        for (unsigned p = 1; p < VENTUS_ISA_OP_COUNT; p++)
            if (ventus_isa_is_prefix((enum ventus_isa_op)p) &&
                (ventus_isa_info[p].versions & l->isa))
                add_prefixed(l, op, p);
    }
    return true;
}

/* Neighbours in the list are of different rows. */
static void
shuffle(struct list *l)
{
    for (unsigned i = l->n; i > 1; i--) {
        unsigned k = random_below(i);
        struct fragment f = l->at[i - 1];
        l->at[i - 1] = l->at[k];
        l->at[k] = f;
    }
}

/* ---- programs ---- */

enum { FRAGMENTS_MAX = 200, FRAGMENT_WORDS = 12, TAIL_WORDS = 3 };

struct program {
    uint32_t word[CODE_B / 4];
    unsigned n;
    unsigned join;                   /* where all end */
    unsigned start[FRAGMENTS_MAX];   /* by fragment, in words */
    const struct fragment *fragment; /* the first */
    unsigned fragments;
};

static void
put(struct program *p, struct ventus_isa_insn in)
{
    ventus_isa_add_prefix(VENTUS_ISA_V1, &in);
    p->n += ventus_isa_encode(&in, p->word + p->n);
}

static int32_t
offset(unsigned from, unsigned to)
{
    return 4 * ((int32_t)to - (int32_t)from);
}

/* Loads all registers, divides the threads by v10, goes to x15. */
static void
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

/* An instruction that makes v2 or a later value. */
static struct ventus_isa_insn
draw_before(void)
{
    unsigned d = V_VALUE + random_below(VALUES);
    switch (random_below(4)) {
    case 0:
        return ventus_isa_vadd_vi(d, d, 0, 1);
    case 1:
        return ventus_isa_vadd_vx(V_ADDRESS, V_ADDRESS, 0, 1);
    case 2:
        return ventus_isa_vfadd_vv(d, d, V_VALUE + random_below(VALUES), 1);
    }
    return ventus_isa_addi(X_VALUE + random_below(VALUES), X_ADDRESS, 1);
}

/* One that uses a result, or may fault after it. */
static struct ventus_isa_insn
draw_after(const struct ventus_isa_insn *in)
{
    unsigned d = in->reg[VENTUS_ISA_SLOT_D] & 31;
    switch (random_below(5)) {
    case 0:
        return ventus_isa_vxor_vv(V_RESULT + 1, d, V_RESULT + 1, 1);
    case 1:
        return ventus_isa_vsw12_v(d, V_ADDRESS, 8);
    case 2:
        return ventus_isa_vlw12_v(V_RESULT + 2, V_ADDRESS, 0);
    case 3:
        return ventus_isa_vfmul_vv(V_RESULT + 3, d, V_VALUE, 1);
    }
    return ventus_isa_add(X_VALUE + 1, d ? d : X_VALUE, X_VALUE);
}

static void
put_fragment(struct program *p, const struct ventus_isa_insn *in)
{
    if (random_below(2))
        put(p, draw_before());
    if (is_named(in, "jalr"))
        put(p, ventus_isa_auipc(X_HERE, 0));
    unsigned setrpc = p->n;
    if (divides(in)) {
        put(p, ventus_isa_auipc(X_HERE, 0));
        put(p, ventus_isa_setrpc(X_RETURN, X_HERE, 0));
    }
    p->n += ventus_isa_encode(in, p->word + p->n);
    put(p, draw_after(in));
    if (random_below(2))
        put(p, draw_after(in));
    if (divides(in)) {
        struct program patch = { .n = 0 };
        put(&patch, ventus_isa_setrpc(X_RETURN, X_HERE, offset(setrpc, p->n)));
        p->word[setrpc + 1] = patch.word[0];
        put(p, ventus_isa_join(0, 0, 0));
    }
    put(p, ventus_isa_beq(X_NONE, 0, offset(p->n, p->join)));
}

/* As many fragments of a list as fit into so many words, from its number `first` on. */
static void
make_program(struct program *p, const struct list *l, unsigned first,
             unsigned words)
{
    put_prologue(p);
    p->fragment = l->at + first;
    for (p->fragments = 0;
         first + p->fragments < l->n && p->fragments < FRAGMENTS_MAX &&
         p->n + FRAGMENT_WORDS + TAIL_WORDS < words;
         p->fragments++) {
        p->start[p->fragments] = p->n;
        put_fragment(p, &p->fragment[p->fragments].in);
    }
    put(p, ventus_isa_jal(0, offset(p->n, p->join)));
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

static uint32_t
draw_absent(void)
{
    static const uint32_t places[] = {
        0,        0xfffffffc, 0x60000000,       NEXT + DATA_B,
        DATA - 4, 0x80001000, CONSTANT + DATA_B
    };
    return places[random_below(sizeof places / sizeof *places)];
}

static uint32_t
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

static void
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
static void
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

static uint64_t
entry_of(uint64_t to, unsigned flags)
{
    return to >> 12 << 10 | flags;
}

static void
put_entry(struct ventus_sim *sim, uint64_t table, uint64_t index, uint64_t pte)
{
    ventus_sim_write(sim, table + 8 * index, &pte, 8);
}

/* The table below an entry, which is made if it is not there. */
static uint64_t
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

static void
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

static struct ventus_sim *
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

struct totals {
    unsigned long runs, ended;
    bool through[VENTUS_ISA_OP_COUNT]; /* rows that had no fault */
    struct native_share share;
};

static const char *
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

static int
report(const struct pair *m, const struct program *p, unsigned k,
       const char *what)
{
    char text[VENTUS_ISA_TEXT_MAX];
    const struct ventus_isa_insn *in = &p->fragment[k].in;
    ventus_isa_print(in, NULL, text, sizeof text);
    printf("%s%s%s, %u lanes: %s differ\n%s\n%s\n",
           in->prefix ? ventus_isa_info[in->prefix].name : "",
           in->prefix ? " " : "", text, m->lanes, what, m->fault[0].text,
           m->fault[1].text);
    unsigned end = k + 1 < p->fragments ? p->start[k + 1] : p->n;
    for (unsigned i = p->start[k]; i < end; i++)
        printf("    .word 0x%08x\n", p->word[i]);
    return 1;
}

/* Starts both at the same fragment; NULL: they end alike. */
static const char *
run_fragment(struct pair *m, const struct program *p, unsigned k,
             struct table *t, struct ventus_sim_launch *l)
{
    t->x[X_TARGET] = CODE + 4 * p->start[k];
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

/* Some rounds end after each number of instructions, or have short turns. */
static void
set_limits(struct pair *m, unsigned round, const struct program *p)
{
    uint64_t limit = round % 4 == 3 ? p->join - 8 + random_below(14) : 1000;
    uint64_t slice = round % 8 == 6 ? 1 + random_below(12) : m->slice;
    for (unsigned i = 0; i < 2; i++) {
        m->sim[i]->config.max_instructions = limit;
        m->sim[i]->slice = slice;
    }
}

enum { ROUNDS = 24 };

static bool
try_program(struct pair *m, const struct program *p, struct totals *sum)
{
    static struct table t;
    uint8_t data[DATA_B];
    for (unsigned i = 0; i < 2; i++)
        ventus_sim_write(m->sim[i], CODE, p->word, sizeof p->word);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct ventus_sim_launch l = {
            .pc = CODE,
            .threads = 2 * m->lanes - random_below(m->lanes) * (round % 3 == 2),
            .local_size_B = LOCAL_B,
            .local_bounded = round & 4,
            .pds_base = PRIVATE,
            .pds_size_B = PDS_B,
            .ptbr = round % 8 == 5 ? tables : 0
        };
        fill_table(&t, m->lanes, round);
        for (unsigned i = 0; i < DATA_B; i += 4)
            memcpy(data + i, &(uint32_t){ random_word() }, 4);
        for (unsigned i = 0; i < 2; i++) {
            ventus_sim_write(m->sim[i], DATA, data, sizeof data);
            ventus_sim_write(m->sim[i], NEXT, data, sizeof data);
            ventus_sim_write(m->sim[i], CONSTANT, data, sizeof data);
            ventus_sim_write(m->sim[i], high, data, sizeof data);
        }
        set_limits(m, round, p);
        for (unsigned k = 0; k < p->fragments; k++) {
            const char *what = run_fragment(m, p, k, &t, &l);
            sum->runs++;
            sum->ended += !m->fault[0].kind;
            sum->through[p->fragment[k].in.op] |= !m->fault[0].kind;
            if (what) {
                printf("round %u: ", round);
                report(m, p, k, what);
                return false;
            }
        }
    }
    return true;
}

static bool
try_with_lanes(const struct sim_translator *t, enum ventus_isa_version isa,
               const struct program *p, unsigned lanes, struct totals *sum)
{
    struct pair m = { .lanes = lanes };
    m.sim[0] = open_machine(NULL, isa, lanes);
    m.sim[1] = open_machine(t, isa, lanes);
    m.slice = m.sim[0]->slice;
    bool same = try_program(&m, p, sum);
    struct native_share share = native_share(m.sim[1]);
    if (share.why)
        printf("not translated: %s\n", share.why);
    sum->share.translated += share.translated;
    sum->share.interpreted += share.interpreted;
    ventus_sim_destroy(m.sim[0]);
    ventus_sim_destroy(m.sim[1]);
    return same && !share.why;
}

/* Pages are short and long by turns: the translator treats them differently. */
static bool
try_version(const struct sim_translator *t, enum ventus_isa_version isa,
            bool all, struct totals *sum)
{
    struct list l = { .isa = isa };
    bool same = list_rows(&l);
    shuffle(&l);
    unsigned page = 0;
    for (unsigned first = 0; same && first < l.n; page++) {
        struct program p;
        make_program(&p, &l, first, page % 4 == 3 ? 200 : 900);
        for (unsigned i = 0; same && i < (all ? 4 : 1); i++)
            same = try_with_lanes(t, isa, &p, 8u << ((page + i) % 4), sum);
        first += p.fragments;
    }
    printf("version %u: %u instructions in %u pages\n",
           isa == VENTUS_ISA_V1 ? 1 : 2, l.n, page);
    free(l.at);
    return same;
}

int
main(int argc, char **argv)
{
    const char *why;
    struct native_client *c = native_client_open(0, &why);
    struct totals sum = { .runs = 0 };
    state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    bool all = argc > 2 && !strcmp(argv[2], "all");
    if (!c) {
        printf("%s\n", why);
        return 77;
    }
    const struct sim_translator *t = native_client_translator(c);
    bool same = try_version(t, VENTUS_ISA_V1, all, &sum) &&
                try_version(t, VENTUS_ISA_V2, all, &sum);
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++)
        if (!sum.through[op] && !ventus_isa_is_prefix((enum ventus_isa_op)op)) {
            printf("%s always has a fault\n", ventus_isa_info[op].name);
            same = false;
        }
    native_client_close(c);
    printf(
        "%lu runs, of which %lu have no fault: %llu instructions translated, "
        "%llu interpreted\n",
        sum.runs, sum.ended, (unsigned long long)sum.share.translated,
        (unsigned long long)sum.share.interpreted);
    return !same || !sum.share.translated;
}
