/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs like those of compilers on two machines, of which one translates:
 * registers, memory, flags, counts and faults are the same.
 *
 *     loops [PROGRAMS [SEED [ROUNDS_OF_LOOPS]]]
 *
 * Loops with accumulators, whose addresses come from loads, or are advanced until they are
 * at the end of memory: so a lane has a fault in a later round, after others have gone on.
 * Stores may be what later loads of other lanes read.  Each program runs many times, with
 * other operands, and is ended after numbers of instructions, in turns of any length.
 */
#include <stdlib.h>

#include "draw.h"
#include "native/client.h"

enum {
    X_ROUNDS = 28,
    X_COUNT_DOWN = 29,
    X_OFFSETS = 30, /* mask of what may be added to an address */
    V_GATHER = 22,  /* pair of addresses that are computed */
    V_SUM = 24,     /* and the next 3 */
    V_COUNT_DOWN = 28,
    SUMS = 4
};

struct maker {
    struct program *p;
    enum ventus_isa_version isa;
    unsigned left; /* statements */
};

/* With the prefix that it needs. */
static void
emit(struct maker *m, struct ventus_isa_insn in)
{
    ventus_isa_add_prefix(m->isa, &in);
    m->p->n += ventus_isa_encode(&in, m->p->word + m->p->n);
}

static unsigned
any_vector(void)
{
    return random_below(2) ? V_SUM + random_below(SUMS)
                           : V_VALUE + random_below(VALUES);
}

/* ---- statements ---- */

/* Addresses of lanes in data, from a register that may have been loaded. */
static void
compute_addresses(struct maker *m, unsigned from)
{
    emit(m, ventus_isa_vand_vx(V_GATHER, from, X_OFFSETS, 1));
    emit(m, ventus_isa_vadd_vx(V_GATHER, V_GATHER, X_ADDRESS, 1));
}

static struct ventus_isa_insn
draw_load(const struct maker *m, unsigned d, unsigned address)
{
    static const uint16_t rows[] = { VENTUS_ISA_VLW12_V, VENTUS_ISA_VLW12_V,
                                     VENTUS_ISA_VLH12_V, VENTUS_ISA_VLHU12_V,
                                     VENTUS_ISA_VLB12_V, VENTUS_ISA_VLBU12_V };
    static const uint16_t wide[] = {
        VENTUS_ISA_VLW12D_V,  VENTUS_ISA_VLW12D_V, VENTUS_ISA_VLH12D_V,
        VENTUS_ISA_VLHU12D_V, VENTUS_ISA_VLB12D_V, VENTUS_ISA_VLBU12D_V
    };
    unsigned k = random_below(sizeof rows / sizeof *rows);
    struct ventus_isa_insn in = ventus_isa_vlw12_v(
        d, address, random_below(2) ? 0 : 4 * (int32_t)random_below(8));
    in.op = m->isa == VENTUS_ISA_V2 && random_below(2) ? wide[k] : rows[k];
    return in;
}

static struct ventus_isa_insn
draw_store(const struct maker *m, unsigned data, unsigned address)
{
    static const uint16_t rows[] = { VENTUS_ISA_VSW12_V, VENTUS_ISA_VSW12_V,
                                     VENTUS_ISA_VSH12_V, VENTUS_ISA_VSB12_V };
    static const uint16_t wide[] = { VENTUS_ISA_VSW12D_V, VENTUS_ISA_VSW12D_V,
                                     VENTUS_ISA_VSH12D_V, VENTUS_ISA_VSB12D_V };
    unsigned k = random_below(sizeof rows / sizeof *rows);
    struct ventus_isa_insn in = ventus_isa_vsw12_v(
        data, address, random_below(2) ? 0 : 4 * (int32_t)random_below(8));
    in.op = m->isa == VENTUS_ISA_V2 && random_below(2) ? wide[k] : rows[k];
    return in;
}

/* An access of several words, in version 2. */
static void
widen(const struct maker *m, struct ventus_isa_insn *in)
{
    static const uint16_t prefixes[] = { VENTUS_ISA_PRE_M_64,
                                         VENTUS_ISA_PRE_M_96,
                                         VENTUS_ISA_PRE_M_128 };
    unsigned k = random_below(sizeof prefixes / sizeof *prefixes);
    if (m->isa != VENTUS_ISA_V2 || random_below(4) ||
        (in->op != VENTUS_ISA_VLW12_V && in->op != VENTUS_ISA_VSW12_V &&
         in->op != VENTUS_ISA_VLW12D_V && in->op != VENTUS_ISA_VSW12D_V))
        return;
    in->prefix = prefixes[k];
    in->width = (uint8_t)(2 + k);
}

static void
put_gathers(struct maker *m)
{
    unsigned from = any_vector();
    for (unsigned i = 1 + random_below(3); i; i--) {
        unsigned d = any_vector();
        compute_addresses(m, from);
        struct ventus_isa_insn in = draw_load(m, d, V_GATHER);
        widen(m, &in);
        emit(m, in);
        from = d;
    }
    emit(m, random_below(2)
                ? ventus_isa_vadd_vv(V_SUM, V_SUM, from, 1)
                : ventus_isa_vfadd_vv(V_SUM + 1, V_SUM + 1, from, 1));
}

static void
put_row_access(struct maker *m)
{
    struct ventus_isa_insn in = random_below(2)
                                    ? draw_load(m, any_vector(), V_ADDRESS)
                                    : draw_store(m, any_vector(), V_ADDRESS);
    widen(m, &in);
    emit(m, in);
    if (random_below(2))
        emit(m, ventus_isa_vadd_vx(V_ADDRESS, V_ADDRESS, X_STRIDE, 1));
}

/* Lanes store what other lanes, or the same, load after that. */
static void
put_scatter(struct maker *m)
{
    compute_addresses(m, any_vector());
    emit(m, draw_store(m, any_vector(), V_GATHER));
    if (random_below(2))
        emit(m, draw_load(m, any_vector(),
                          random_below(2) ? V_GATHER : V_ADDRESS));
}

static void
put_private(struct maker *m)
{
    if (m->isa == VENTUS_ISA_V1) {
        emit(m, ventus_isa_vsw_v(any_vector(), V_OFFSET, 4));
        emit(m, ventus_isa_vlw_v(any_vector(), V_OFFSET,
                                 4 * (int32_t)random_below(4)));
        return;
    }
    struct ventus_isa_insn in = ventus_isa_vlw12_v(any_vector(), V_OFFSET, 4);
    in.prefix = random_below(2) ? VENTUS_ISA_PRE_M_PRIVATE_32
                                : VENTUS_ISA_PRE_M_LOCAL_32;
    in.space = in.prefix == VENTUS_ISA_PRE_M_PRIVATE_32
                   ? VENTUS_ISA_SPACE_PRIVATE
                   : VENTUS_ISA_SPACE_LOCAL;
    in.width = 1;
    emit(m, in);
}

static void
put_scalars(struct maker *m)
{
    unsigned d = X_VALUE + random_below(VALUES);
    int32_t at = 4 * (int32_t)random_below(16);
    switch (random_below(4)) {
    case 0:
        emit(m, ventus_isa_lw(d, X_ADDRESS, at));
        break;
    case 1:
        emit(m, ventus_isa_sw(d, X_ADDRESS, at));
        break;
    case 2:
        emit(m, ventus_isa_csrrs(d, VENTUS_ISA_CSR_FFLAGS, 0));
        break;
    default:
        emit(m, ventus_isa_add(d, d, X_VALUE + random_below(VALUES)));
    }
    emit(m, ventus_isa_vxor_vx(V_SUM + 2, V_SUM + 2, d, 1));
}

/* Whether programs have a row among their others: no control flow of its own, and state
 * of the warp as others expect it. */
static bool
is_usual(const struct maker *m, unsigned op)
{
    const unsigned others = VENTUS_ISA_F_BRANCH | VENTUS_ISA_F_ENDS |
                            VENTUS_ISA_F_BARRIER | VENTUS_ISA_F_PREFIX |
                            VENTUS_ISA_F_EFFECT;
    return (ventus_isa_info[op].versions & m->isa) &&
           !(ventus_isa_info[op].flags & others);
}

/* A row; accesses are rare, since many of them have a fault. */
static void
put_any(struct maker *m)
{
    struct ventus_isa_insn in;
    unsigned op, prefix;
    do
        op = 1 + random_below(VENTUS_ISA_OP_COUNT - 1);
    while (!is_usual(m, op) ||
           (is_access(&(struct ventus_isa_insn){ .op = (uint16_t)op }) &&
            random_below(12)));
    do
        prefix = 1 + random_below(VENTUS_ISA_OP_COUNT - 1);
    while (!ventus_isa_is_prefix((enum ventus_isa_op)prefix) ||
           !(ventus_isa_info[prefix].versions & m->isa));
    if (random_below(4) || !draw_prefixed(m->isa, op, prefix, &in))
        in = draw(op, 0);
    m->p->n += ventus_isa_encode(&in, m->p->word + m->p->n);
}

static void
put_atomic(struct maker *m)
{
    if (random_below(3) == 0)
        emit(m, ventus_isa_barrier(0, 0, 0));
    emit(m, ventus_isa_vmv_v_x(V_GATHER, X_ADDRESS));
    emit(m,
         random_below(2)
             ? ventus_isa_amoadd_w(any_vector(), V_GATHER, any_vector(), 0)
             : ventus_isa_amoswap_w(any_vector(), V_GATHER, any_vector(), 0));
}

static void
put_statements(struct maker *m, unsigned n);

/* Replaces an instruction by one that knows its target. */
static void
patch(struct maker *m, unsigned at, struct ventus_isa_insn in)
{
    ventus_isa_encode(&in, m->p->word + at);
}

/* if (x < y) some, for all threads. */
static void
put_uniform_if(struct maker *m)
{
    unsigned a = X_VALUE + random_below(VALUES),
             b = X_VALUE + random_below(VALUES), branch = m->p->n;
    emit(m, ventus_isa_beq(0, 0, 4));
    put_statements(m, 1 + random_below(3));
    int32_t to = offset(branch, m->p->n);
    patch(m, branch,
          random_below(2) ? ventus_isa_bltu(a, b, to)
                          : ventus_isa_bge(a, b, to));
}

/* The same for each thread, and threads join. */
static void
put_thread_if(struct maker *m)
{
    unsigned start = m->p->n;
    emit(m, ventus_isa_auipc(X_HERE, 0));
    emit(m, ventus_isa_setrpc(0, X_HERE, 0));
    emit(m, ventus_isa_vblt(0, 0, 4));
    put_statements(m, 1 + random_below(3));
    patch(m, start + 1, ventus_isa_setrpc(0, X_HERE, offset(start, m->p->n)));
    patch(m, start + 2,
          ventus_isa_vblt(any_vector(), any_vector(),
                          offset(start + 2, m->p->n)));
    emit(m, ventus_isa_join(0, 0, 0));
}

static void
put_statement(struct maker *m)
{
    switch (random_below(16)) {
    case 0:
    case 1:
    case 2:
        put_gathers(m);
        return;
    case 3:
    case 4:
        put_row_access(m);
        return;
    case 5:
        put_scatter(m);
        return;
    case 6:
        put_private(m);
        return;
    case 7:
        put_scalars(m);
        return;
    case 8:
        put_uniform_if(m);
        return;
    case 9:
        put_thread_if(m);
        return;
    case 10:
        if (random_below(3) == 0)
            put_atomic(m);
        return;
    default:
        put_any(m);
    }
}

static void
put_statements(struct maker *m, unsigned n)
{
    while (n-- && m->left) {
        m->left--;
        put_statement(m);
    }
}

/* ---- loops ---- */

/* As many rounds as x28 says, for all threads. */
static void
put_uniform_loop(struct maker *m)
{
    emit(m, ventus_isa_addi(X_COUNT_DOWN, X_ROUNDS, 0));
    unsigned head = m->p->n;
    put_statements(m, 1 + random_below(8));
    emit(m, ventus_isa_addi(X_COUNT_DOWN, X_COUNT_DOWN, -1));
    emit(m, ventus_isa_bne(X_COUNT_DOWN, 0, offset(m->p->n, head)));
}

/* Each thread has its own number of rounds, one to eight. */
static void
put_thread_loop(struct maker *m)
{
    emit(m, ventus_isa_vand_vi(V_COUNT_DOWN, any_vector(), 7, 1));
    emit(m, ventus_isa_vadd_vi(V_COUNT_DOWN, V_COUNT_DOWN, 1, 1));
    unsigned head = m->p->n;
    put_statements(m, 1 + random_below(5));
    emit(m, ventus_isa_vadd_vi(V_COUNT_DOWN, V_COUNT_DOWN, -1, 1));
    unsigned setrpc = m->p->n;
    emit(m, ventus_isa_auipc(X_HERE, 0));
    emit(m, ventus_isa_setrpc(0, X_HERE, 4 * 3));
    emit(m, ventus_isa_vbne(V_COUNT_DOWN, V_ZERO, offset(m->p->n, head)));
    emit(m, ventus_isa_join(0, 0, 0));
    if (m->p->n != setrpc + 4)
        exit(2);
}

static void
make_program(struct program *p, enum ventus_isa_version isa)
{
    struct maker m = { .p = p, .isa = isa, .left = 60 };
    put_prologue(p);
    emit(&m, ventus_isa_vmv_v_x(V_GATHER + 1, X_ADDRESS + 1));
    for (unsigned i = 1 + random_below(3); i; i--) {
        put_statements(&m, random_below(6));
        if (random_below(4))
            put_uniform_loop(&m);
        else
            put_thread_loop(&m);
    }
    put_statements(&m, random_below(6));
    emit(&m, ventus_isa_jal(0, offset(p->n, p->join)));
}

/* ---- runs ---- */

/* Operands with which loops have many rounds before a fault, or none. */
static void
fill_loops(struct table *t, unsigned lanes, unsigned round, unsigned rounds)
{
    static const uint32_t strides[] = { 0, 4, 64, 256, (uint32_t)-4 };
    static const uint32_t offsets[] = { 0x7fc,  0x7fc,  0x7fc,      0x7c,
                                        0x7fe,  0x7ff,  0x1ffc,     0x1fdc,
                                        0x3ffc, 0x1ffe, 0x7ffffffc, 0 };
    fill_table(t, lanes, round);
    t->x[X_ROUNDS] = 1 + random_below(rounds);
    t->x[X_OFFSETS] =
        offsets[random_below(round ? sizeof offsets / sizeof *offsets : 3)];
    if (round && random_below(4) == 0)
        return;
    unsigned step = random_below(2) ? 4 : 8;
    t->x[X_ADDRESS] = DATA;
    t->x[X_ADDRESS + 1] = round % 5 == 4;
    t->x[X_STRIDE] = strides[random_below(sizeof strides / sizeof *strides)];
    for (unsigned i = 0; i < lanes; i++) {
        t->v[V_ADDRESS][i] = DATA + 512 + step * i;
        t->v[V_ADDRESS + 1][i] = t->x[X_ADDRESS + 1];
        t->v[V_OFFSET][i] = 4 * random_below(8);
        t->v[V_OFFSET + 1][i] = 0;
    }
}

static void
report(const struct pair *m, const struct program *p, unsigned number,
       const char *what)
{
    printf("program %u, %u lanes: %s differ\n%s\n%s\n", number, m->lanes, what,
           m->fault[0].text, m->fault[1].text);
    for (unsigned i = 0; i < p->n; i++)
        printf("    .word 0x%08x\n", p->word[i]);
}

enum { ROUNDS = 16, ENDS = 12, LIMIT = 1 << 24 };

/* Instructions of the first warp in the last launch. */
static unsigned
count_instructions(const struct pair *m)
{
    uint64_t n = m->sim[0]->worker[0].group[0].warp[0].retired;
    return n < 1 << 20 ? (unsigned)n + 1 : 1 << 20;
}

/* The whole program, then ended after some numbers of instructions. */
static const char *
try_round(struct pair *m, const struct table *t, unsigned round,
          struct totals *sum)
{
    struct ventus_sim_launch l = draw_launch(m, round);
    set_limits(m, LIMIT, m->slice);
    const char *what = run_both(m, t, &l);
    sum->ended += !m->fault[0].kind;
    unsigned n = count_instructions(m);
    for (unsigned i = 0; i < ENDS && !what && n < 10000; i++) {
        set_limits(m, i % 3 == 2 ? LIMIT : 1 + random_below(n),
                   i % 3 ? 1 + random_below(random_below(2) ? 40 : n)
                         : m->slice);
        what = run_both(m, t, &l);
    }
    sum->runs++;
    return what;
}

static bool
try_program(const struct sim_translator *t, unsigned number, unsigned rounds,
            struct totals *sum)
{
    static struct table table;
    struct program p;
    enum ventus_isa_version isa = number % 2 ? VENTUS_ISA_V2 : VENTUS_ISA_V1;
    make_program(&p, isa);
    struct pair m = open_pair(t, isa, 8u << (number / 2 % 4), &p);
    const char *what = NULL;
    for (unsigned round = 0; round < ROUNDS && !what; round++) {
        fill_loops(&table, m.lanes, round, rounds);
        table.x[X_TARGET] = CODE + 4 * (p.join + 2);
        fill_data(&m);
        what = try_round(&m, &table, round, sum);
    }
    if (what)
        report(&m, &p, number, what);
    return close_pair(&m, sum) && !what;
}

int
main(int argc, char **argv)
{
    const char *why;
    struct native_client *c = native_client_open(0, &why);
    struct totals sum = { .runs = 0 };
    unsigned programs = argc > 1 ? (unsigned)atoi(argv[1]) : 40;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    unsigned rounds = argc > 3 ? (unsigned)atoi(argv[3]) : 12;
    bool same = true;
    if (!c) {
        printf("%s\n", why);
        return 77;
    }
    for (unsigned i = 0; same && i < programs; i++)
        same = try_program(native_client_translator(c), i, rounds, &sum);
    native_client_close(c);
    printf("%u programs, %lu runs, of which %lu have no fault: %llu "
           "instructions translated, %llu interpreted\n",
           programs, sum.runs, sum.ended,
           (unsigned long long)sum.share.translated,
           (unsigned long long)sum.share.interpreted);
    return !same || !sum.share.translated;
}
