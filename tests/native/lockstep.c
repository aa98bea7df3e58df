/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random instructions on two machines, of which one translates: registers, memory,
 * counts and faults are the same after each program.
 *
 *     lockstep [PROGRAMS [SEED [late]]]
 *
 * A program loads registers from a table with corners and random words, does random
 * instructions of every row of the table of instructions, some of them under branches of
 * threads and in a loop, and ends.
 *
 * late: code arrives while a program runs, after each number of turns of its warps, which
 * are of a few instructions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/isa_build.h>

#include "compare.h"
#include "native/client.h"

enum { CODE = 0x80000000, DATA = 0x90000000, DATA_B = 1 << 16, WORDS = 900 };
enum { VECTORS = 12, SCALARS = 8, FIRST = 16 }; /* x16 and later hold values */

/* ---- programs ---- */

struct program {
    uint32_t word[WORDS + 16];
    unsigned n;
};

static void
put(struct program *p, struct ventus_isa_insn in)
{
    if (!ventus_isa_add_prefix(VENTUS_ISA_V1, &in))
        ventus_isa_add_prefix(VENTUS_ISA_V2, &in);
    if (p->n < WORDS)
        p->n += ventus_isa_encode(&in, p->word + p->n);
}

/* Registers of addresses in the table: one for all, a row, words anywhere; those of pairs. */
enum { X_TABLE = 6, X_PAIR = 8, V_ROW = 1, V_SAME = 13, V_PAIR = 14 };

/* Addresses of lanes, the pair being those of a row or any. */
static void
load_addresses(struct program *p)
{
    put(p, ventus_isa_vmv_v_x(V_SAME, X_TABLE));
    put(p, ventus_isa_addi(7, 0, 0x7fc));
    put(p, ventus_isa_vand_vx(V_PAIR, 2, 7, 1));
    put(p, ventus_isa_vadd_vx(V_PAIR, V_PAIR, X_TABLE, 1));
    if (random_below(2))
        put(p, ventus_isa_vadd_vi(V_PAIR, V_ROW, 0, 1));
    put(p, ventus_isa_vmv_v_i(V_PAIR + 1, 0));
    put(p, ventus_isa_addi(X_PAIR, X_TABLE, 0));
    put(p, ventus_isa_addi(X_PAIR + 1, 0, 0));
}

/* x6 = table, v(r) = rows of it, x(16 + r) = words of it. */
static void
load_registers(struct program *p, bool partial)
{
    put(p, ventus_isa_lui(6, (int32_t)(DATA >> 12)));
    put(p, ventus_isa_vid_v(1, 1));
    put(p, ventus_isa_vsll_vi(1, 1, 2, 1));
    put(p, ventus_isa_vadd_vx(1, 1, 6, 1));
    for (int r = 2; r < VECTORS; r++)
        put(p, ventus_isa_vlw12_v((unsigned)r, 1, 128 * r));
    for (int r = 0; r < SCALARS; r++)
        put(p, ventus_isa_lw((unsigned)(FIRST + r), 6,
                             4 * (int32_t)random_below(500)));
    put(p, ventus_isa_vadd_vi(0, 3, 0, 1));
    load_addresses(p);
    if (partial)
        put(p, ventus_isa_vadd_vi(12, 4, 0, 1));
}

static bool
is_control(const struct ventus_isa_insn *in)
{
    const char *m = ventus_isa_info[in->op].meaning;
    static const char *const names[] = { "jal", "jalr", "barrier", "endprg",
                                         "barriersub" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(m, names[i]))
            return true;
    return (m[0] == 'b' && strlen(m) <= 4) || !strncmp(m, "vb", 2);
}

/* Rows that fault here, whatever their operands: most programs do without them. */
static bool faults[VENTUS_ISA_OP_COUNT];

/* An instruction of a random row, with registers that hold something; addresses are
 * mostly in the table. */
static void
put_row(struct program *p, unsigned op)
{
    struct ventus_isa_insn in = { .op = (uint16_t)op, .vm = 1 };
    unsigned flags = ventus_isa_info[in.op].flags;
    if (is_control(&in) || (faults[in.op] && random_below(200)))
        return;
    for (unsigned slot = 0; slot < 4; slot++) {
        const struct ventus_isa_field *f =
            ventus_isa_slot_field(in.op, (enum ventus_isa_slot)slot);
        if (f && f->kind == VENTUS_ISA_KIND_V)
            in.reg[slot] = (uint8_t)(2 + random_below(VECTORS - 2));
        else if (f)
            in.reg[slot] = (uint8_t)(FIRST + random_below(SCALARS));
    }
    in.imm = (int32_t)random_below(32);
    if (flags & (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE)) {
        const struct ventus_isa_field *f =
            ventus_isa_slot_field(in.op, VENTUS_ISA_SLOT_1);
        static const uint8_t rows[] = { V_ROW, V_ROW, V_SAME, V_PAIR };
        bool vector = f && f->kind == VENTUS_ISA_KIND_V;
        in.pair = !random_below(5);
        in.width = (uint8_t)(random_below(3) ? 0 : random_below(5));
        bool wide = in.pair || (f && f->pair);
        if (wide)
            in.reg[VENTUS_ISA_SLOT_1] = vector ? V_PAIR : X_PAIR;
        else
            in.reg[VENTUS_ISA_SLOT_1] =
                vector ? rows[random_below(sizeof rows)] : X_TABLE;
        in.imm = 4 * (int32_t)random_below(300) + !random_below(60);
    } else {
        in.pair = !random_below(3);
    }
    if (flags & VENTUS_ISA_F_MASKED)
        in.vm = random_below(3) != 0;
    put(p, in);
}

static void
put_random(struct program *p)
{
    put_row(p, 1 + random_below(VENTUS_ISA_OP_COUNT - 1));
}

static void
put_some(struct program *p, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        put_random(p);
}

/* if (v2 < v3) some; else some others; and join. */
static void
put_split(struct program *p, unsigned n)
{
    unsigned setrpc = p->n, branch, skip;
    put(p, ventus_isa_auipc(7, 0));
    put(p, ventus_isa_setrpc(0, 7, 0));
    branch = p->n;
    put(p, ventus_isa_vblt(2, 3, 0));
    put_some(p, n);
    skip = p->n;
    put(p, ventus_isa_jal(0, 0));
    unsigned other = p->n;
    put_some(p, n);
    unsigned end = p->n;
    put(p, ventus_isa_join(0, 0, 0));
    struct program patch = { .n = 0 };
    put(&patch, ventus_isa_setrpc(0, 7, 4 * ((int32_t)end - (int32_t)setrpc)));
    p->word[setrpc + 1] = patch.word[0];
    patch.n = 0;
    unsigned kind = random_below(3);
    int32_t to = 4 * ((int32_t)other - (int32_t)branch);
    put(&patch, kind == 0   ? ventus_isa_vblt(2, 3, to)
                : kind == 1 ? ventus_isa_vbne(4, 5, to)
                            : ventus_isa_vbgeu(3, 6, to));
    p->word[branch] = patch.word[0];
    patch.n = 0;
    put(&patch, ventus_isa_jal(0, 4 * ((int32_t)end - (int32_t)skip)));
    p->word[skip] = patch.word[0];
}

static void
make_program(struct program *p)
{
    p->n = 0;
    load_registers(p, random_below(2));
    put(p, ventus_isa_addi(5, 0, (int32_t)(1 + random_below(4))));
    unsigned start = p->n;
    put_some(p, 1 + random_below(30));
    for (unsigned i = random_below(3); i; i--)
        put_split(p, 1 + random_below(12));
    put_some(p, random_below(10));
    put(p, ventus_isa_addi(5, 5, -1));
    unsigned pair = random_below(2); /* with its prefix before it */
    struct ventus_isa_insn back =
        ventus_isa_bne(5, 0, 4 * ((int32_t)start - (int32_t)(p->n + pair)));
    back.pair = (uint8_t)pair;
    put(p, back);
    put(p, ventus_isa_endprg(0, 0, 0));
}

/* ---- machines ---- */

static uint8_t table[DATA_B];

static uint64_t slice; /* of both machines; 0: theirs */

static struct ventus_sim *
open_machine(const struct sim_translator *t, unsigned lanes)
{
    struct ventus_sim *sim = ventus_sim_create(
        &(struct ventus_sim_config){ .host_threads = 1,
                                     .num_thread = lanes,
                                     .max_instructions = 20000,
                                     .join_check = random_below(2) },
        NULL, 0);
    const unsigned all = VENTUS_SIM_READ | VENTUS_SIM_WRITE;
    if (!sim || !ventus_sim_map(sim, CODE, 1 << 14, all | VENTUS_SIM_EXEC) ||
        !ventus_sim_map(sim, DATA, DATA_B, all))
        exit(2);
    if (t)
        native_attach(sim, t);
    if (slice)
        sim->slice = slice;
    return sim;
}

static bool
run(struct ventus_sim *sim, const struct program *p, unsigned threads,
    struct ventus_sim_fault *fault)
{
    struct ventus_sim_launch l = { .pc = CODE,
                                   .grid = { 2, 1, 1 },
                                   .threads = threads,
                                   .local_size_B = 1024,
                                   .pds_base = DATA + DATA_B / 2,
                                   .pds_size_B = 64 };
    ventus_sim_write(sim, CODE, p->word, sizeof p->word);
    ventus_sim_write(sim, DATA, table, sizeof table);
    *fault = (struct ventus_sim_fault){ .kind = VENTUS_SIM_FAULT_NONE };
    return ventus_sim_launch(sim, &l, fault);
}

static const char *
compare(struct ventus_sim *a, struct ventus_sim *b,
        const struct ventus_sim_fault *fa, const struct ventus_sim_fault *fb)
{
    static uint8_t left[DATA_B], right[DATA_B];
    ventus_sim_read(a, DATA, left, sizeof left);
    ventus_sim_read(b, DATA, right, sizeof right);
    if (!is_same_fault(fa, fb))
        return "fault";
    if (memcmp(left, right, sizeof left))
        return "memory";
    return compare_groups(a, b);
}

/* Fills `faults`: of a row that faults twice by itself. */
static void
try_rows(void)
{
    struct ventus_sim *sim = open_machine(NULL, 32);
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++) {
        bool ok = false;
        for (unsigned i = 0; i < 2 && !ok; i++) {
            struct ventus_sim_fault f;
            struct program p = { .n = 0 };
            load_registers(&p, false);
            put_row(&p, op);
            put(&p, ventus_isa_endprg(0, 0, 0));
            ok = run(sim, &p, 32, &f);
        }
        faults[op] = !ok;
    }
    ventus_sim_destroy(sim);
}

static void
fill_table(void)
{
    for (size_t k = 0; k < sizeof table; k += 4) {
        uint32_t word = random_word();
        memcpy(table + k, &word, sizeof word);
    }
}

/* ---- code that arrives late ---- */

/* A translator whose answers are there at once, and which gives each after some looks. */
struct late {
    struct sim_translator translator;
    const struct sim_translator *real;
    struct buf request; /* the last, and its answer */
    native_fn *run;
    void *image;
    const char *why;
    unsigned delay, left; /* looks until an answer is given */
    unsigned looks, given;
};

static void
forget_answer(struct late *l)
{
    if (l->image)
        l->real->release(l->real->ctx, l->image);
    l->image = NULL;
    buf_free(&l->request);
}

static bool
late_start(void *ctx, const struct native_request *r, const char **why)
{
    struct late *l = ctx;
    size_t size = sizeof *r + r->n * sizeof r->op[0];
    l->left = l->delay;
    if (l->request.n == size && !memcmp(l->request.at, r, size))
        return true;
    forget_answer(l);
    buf_put(&l->request, r, size);
    return l->real->start(l->real->ctx, r, why) &&
           l->real->take(l->real->ctx, true, &l->run, &l->image, &l->why);
}

static bool
late_take(void *ctx, bool wait, native_fn **run, void **image, const char **why)
{
    struct late *l = ctx;
    l->looks++;
    if (l->left && !wait) {
        l->left--;
        return false;
    }
    l->given++;
    *run = l->run;
    *image = l->image;
    if (!l->run)
        *why = l->why;
    return true;
}

/* The answer stays for the next machine. */
static void
late_nothing(void *ctx)
{
    (void)ctx;
}

static void
late_release(void *ctx, void *image)
{
    (void)ctx;
    (void)image;
}

static struct late
make_late(const struct sim_translator *real)
{
    return (struct late){ .translator = { .hot = 1,
                                          .start = late_start,
                                          .take = late_take,
                                          .drop = late_nothing,
                                          .release = late_release },
                          .real = real };
}

static int
fail(const struct program *p, unsigned number, const char *what,
     const struct ventus_sim_fault *a, const struct ventus_sim_fault *b)
{
    printf("program %u: %s differ\n%s\n%s\n", number, what, a->text, b->text);
    for (unsigned i = 0; i < p->n; i++)
        printf("    .word 0x%08x\n", p->word[i]);
    return 1;
}

struct totals {
    struct native_share share;
    unsigned ended, runs;
};

/* Runs a program on a machine with this translator and on one without. */
static bool
compare_runs(const struct program *p, const struct sim_translator *t,
             unsigned lanes, unsigned number, struct totals *sum)
{
    struct ventus_sim_fault fa, fb;
    unsigned threads = 2 * lanes - random_below(lanes) * random_below(2);
    uint64_t before = state;
    struct ventus_sim *a = open_machine(NULL, lanes);
    state = before;
    struct ventus_sim *b = open_machine(t, lanes);
    run(a, p, threads, &fa);
    run(b, p, threads, &fb);
    const char *what = compare(a, b, &fa, &fb);
    struct native_share share = native_share(b);
    what = what ? what : share.why;
    if (what)
        fail(p, number, what, &fa, &fb);
    sum->ended += !fa.kind;
    sum->runs++;
    sum->share.translated += share.translated;
    sum->share.interpreted += share.interpreted;
    ventus_sim_destroy(a);
    ventus_sim_destroy(b);
    return !what;
}

/* The answer comes after 0, 1, 2 ... looks; of many looks after some of each length. */
static bool
compare_late(const struct program *p, const struct sim_translator *real,
             unsigned lanes, unsigned number, struct totals *sum)
{
    struct late l = make_late(real);
    uint64_t before = state;
    bool same = true;
    l.translator.ctx = &l;
    slice = 1 + random_below(40);
    for (bool given = true; same && given; l.delay += 1 + l.delay / 24) {
        l.given = 0;
        state = before;
        same = compare_runs(p, &l.translator, lanes, number, sum);
        given = l.given;
    }
    forget_answer(&l);
    return same;
}

int
main(int argc, char **argv)
{
    unsigned programs = argc > 1 ? (unsigned)atoi(argv[1]) : 40;
    bool late = argc > 3 && !strcmp(argv[3], "late");
    const char *why;
    struct native_client *c = native_client_open(0, &why);
    struct totals sum = { .runs = 0 };
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    if (!c) {
        printf("%s\n", why);
        return 77;
    }
    const struct sim_translator *t = native_client_translator(c);
    fill_table();
    try_rows();
    for (unsigned i = 0; i < programs; i++) {
        struct program p;
        unsigned lanes = random_below(4) ? 32 : 8u << random_below(4);
        make_program(&p);
        fill_table();
        if (!(late ? compare_late : compare_runs)(&p, t, lanes, i, &sum))
            return 1;
    }
    native_client_close(c);
    printf("%u programs, %u runs, of which %u have no fault: %llu instructions "
           "translated, %llu interpreted\n",
           programs, sum.runs, sum.ended,
           (unsigned long long)sum.share.translated,
           (unsigned long long)sum.share.interpreted);
    return !sum.share.translated || (late && !sum.share.interpreted);
}
