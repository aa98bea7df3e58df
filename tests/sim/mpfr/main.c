/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every floating-point row of ventus.isa on the functional machine against MPFR:
 * values and flags, in each width, rounding mode and form.
 *
 *     sim_mpfr [COUNT [SEED [NAME]]]
 *
 * COUNT random operand tuples, and all corners crossed if they are not more, for
 * each row, width, rounding mode and shape of the warp; NAME: of one row alone.
 * A row is floating point if its latency class is; one that oracle.c does not
 * know is an error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "operands.h"

/* One work-item alone shows the flags of each operation. */
static const struct shape shapes[] = {
    { "one thread of 4 lanes", 4, 1, false, false, VENTUS_ISA_V1 },
    { "32 lanes", 32, 32, false, false, VENTUS_ISA_V1 },
    { "64 lanes, masked, portable", 64, 64, true, true, VENTUS_ISA_V2 },
    { "8 lanes, masked", 8, 8, true, false, VENTUS_ISA_V1 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes, MODES = 5, DYNAMIC = 7 };

/* A row in one width. */
struct form {
    const struct oracle_row *row;
    enum ventus_isa_op op;
    unsigned sew, from, to;
    bool pair, vector;
};

static struct bench *benches[SHAPES];
static uint64_t count = 100, seed = 1, failures;
static uint64_t compared[OP_COUNT][3]; /* by operation and format */

/* ---- one launch ---- */

struct turns {
    const struct form *form;
    unsigned shape, rm, n; /* n: turns */
    uint64_t slots[TURNS][64][SLOTS];
    bool off[TURNS][64];
};

static struct turns turns; /* large */

static void
report(unsigned turn, unsigned lane, const char *what, uint64_t ours,
       uint64_t right)
{
    const struct form *f = turns.form;
    const uint64_t *s = turns.slots[turn][lane];
    printf("%s, SEW %u%s, rm %u, %s, lane %u: s1 %" PRIx64 ", s2 %" PRIx64
           ", s3 %" PRIx64 ", d %" PRIx64 ": %s %" PRIx64 ", MPFR has %" PRIx64
           "\n",
           ventus_isa_info[f->op].name, f->sew, f->pair ? " pair" : "",
           turns.rm, shapes[turns.shape].name, lane, s[SLOT_1], s[SLOT_2],
           s[SLOT_3], s[SLOT_D], what, ours, right);
    if (++failures == 20)
        exit(1);
}

/* D += A x B: an element of D is a chain of fused operations over k. */
static uint64_t
tensor(unsigned turn, unsigned lane, unsigned *flags)
{
    static const struct oracle_row fused = { .op = OP_FMA,
                                             .order = "12d",
                                             .negate = "" };
    unsigned lanes = shapes[turns.shape].lanes, k = lanes == 32 ? 8 : 4;
    unsigned n = lanes == 32 ? 4 : 2;
    uint64_t(*s)[SLOTS] = turns.slots[turn], d = s[lane][SLOT_D];
    for (unsigned j = 0; j < k; j++) {
        const uint64_t slots[SLOTS] = { s[lane / n * k + j][SLOT_1],
                                        s[lane % n * k + j][SLOT_2], 0, d };
        unsigned raised;
        d = oracle_result(&fused, 32, 32, turns.rm, slots, &raised);
        *flags |= raised;
    }
    return d;
}

static bool
takes_part(unsigned turn, unsigned lane)
{
    unsigned lanes = shapes[turns.shape].lanes;
    if (turns.form->row->op == OP_TENSOR && lane >= (lanes == 32 ? 16u : 4u))
        return false;
    return !turns.off[turn][lane];
}

/* What the destination of a lane must be; flags are added. */
static void
check_lane(unsigned turn, unsigned lane, uint64_t ours, unsigned *flags)
{
    const struct form *f = turns.form;
    const uint64_t *slots = turns.slots[turn][lane];
    uint64_t d = slots[SLOT_D], right;
    unsigned raised = 0;
    if (!takes_part(turn, lane)) {
        if (ours != d)
            report(turn, lane, "an inactive lane has", ours, d);
        return;
    }
    uint64_t kept = f->to == 64 ? 0 : ~UINT64_C(0) << 32;
    unsigned format = f->row->op == OP_TO_INT || f->row->op == OP_TO_UINT
                          ? f->from / 32
                          : f->to / 32;
    compared[f->row->op][format]++;
    if (f->row->op == OP_EXP) {
        uint64_t low = UINT64_MAX >> (64 - f->to);
        if (!oracle_exp_fits(f->to, slots[SLOT_2] & low, ours & ~kept))
            report(turn, lane, "result", ours, 0);
        return;
    }
    right = f->row->op == OP_TENSOR ? tensor(turn, lane, &raised)
                                    : oracle_result(f->row, f->from, f->to,
                                                    turns.rm, slots, &raised);
    if (f->vector)
        right |= d & kept;
    else
        ours &= ~kept;
    if (ours != right)
        report(turn, lane, "result", ours, right);
    *flags |= raised;
}

static void
run_turns(struct bench *b)
{
    const struct shape *shape = &shapes[turns.shape];
    unsigned lanes = turns.form->vector ? shape->threads : 1;
    if (!bench_run(b, turns.n))
        exit(1);
    for (unsigned t = 0; t < turns.n; t++) {
        unsigned flags = 0;
        for (unsigned i = 0; i < lanes; i++)
            check_lane(t, i, bench_result(b, t, i), &flags);
        if (bench_flags(b, t) != flags)
            report(t, 0, "flags", bench_flags(b, t), flags);
    }
}

/* ---- operands into a launch ---- */

static bool
slot_is_scalar(const struct form *f, unsigned slot)
{
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[ventus_isa_info[f->op].format];
    for (unsigned i = 0; i < format->fields; i++) {
        const struct ventus_isa_field *field =
            &ventus_isa_fields[format->field[i]];
        if (field->member == slot + 1 && field->kind == VENTUS_ISA_KIND_V)
            return false;
    }
    return true;
}

static void
fill_lane(struct bench *b, struct operands *o, unsigned lane,
          const uint64_t abc[3])
{
    static const char letters[] = "123d";
    const struct form *f = turns.form;
    unsigned t = turns.n;
    uint64_t *slots = turns.slots[t][lane];
    uint64_t low = UINT64_MAX >> (64 - f->from);
    for (unsigned s = 0; s < SLOTS; s++) {
        const char *at = strchr(f->row->order, letters[s]);
        uint64_t above = fp_random(&o->random) & ~low;
        slots[s] = above | (at ? abc[at - f->row->order] & low : 0);
    }
    if (f->vector && lane && slot_is_scalar(f, SLOT_1))
        slots[SLOT_1] = turns.slots[t][0][SLOT_1];
    for (unsigned s = 0; s < SLOTS; s++)
        bench_set(b, t, lane, (enum oracle_slot)s, slots[s]);
    uint64_t mask = fp_random(&o->random);
    turns.off[t][lane] = shapes[turns.shape].masked && !(mask & 1);
    bench_set_mask(b, t, lane, (uint32_t)mask);
}

/* `total` operand tuples, the crossed corners or random ones. */
static void
run_all(struct bench *b, struct operands *o, uint64_t total, bool crossed)
{
    unsigned lanes = turns.form->vector ? shapes[turns.shape].threads : 1;
    uint64_t done = 0;
    while (done < total) {
        for (turns.n = 0; turns.n < TURNS && done < total; turns.n++) {
            for (unsigned i = 0; i < lanes; i++, done++) {
                uint64_t abc[3];
                if (crossed)
                    operands_crossed(o, done, abc);
                else
                    operands_random(o, abc);
                fill_lane(b, o, i, abc);
            }
        }
        run_turns(b);
    }
}

/* ---- rows and forms ---- */

static struct ventus_isa_insn
instruction(const struct form *f, bool masked, unsigned rm)
{
    struct ventus_isa_insn in = {
        .op = (uint16_t)f->op, .pair = f->pair, .vm = !masked, .rm = (uint8_t)rm
    };
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[ventus_isa_info[f->op].format];
    static const uint8_t vector[] = { V_D, V_1, V_2, 0 };
    static const uint8_t scalar[] = { X_D, X_1, X_2, X_3 };
    for (unsigned i = 0; i < format->fields; i++) {
        const struct ventus_isa_field *field =
            &ventus_isa_fields[format->field[i]];
        if (field->member <= VENTUS_ISA_SLOT_3)
            in.reg[field->member] = field->kind == VENTUS_ISA_KIND_V
                                        ? vector[field->member]
                                        : scalar[field->member];
    }
    return in;
}

static void
run_form(const struct form *f, unsigned shape, unsigned rm, bool dynamic)
{
    struct bench *b = benches[shape];
    struct ventus_isa_insn in =
        instruction(f, shapes[shape].masked, dynamic ? DYNAMIC : rm);
    /* Where the word says how to round, the CSR says otherwise. */
    unsigned frm = dynamic ? rm : (rm + 1) % MODES;
    struct operands o = { .random = { seed * 0x9e3779b97f4a7c15u + f->op },
                          .row = f->row,
                          .from = f->from,
                          .to = f->to };
    turns.form = f;
    turns.shape = shape;
    turns.rm = rm;
    if (!bench_load(b, &in, f->sew, frm))
        exit(1);
    uint64_t all = f->row->op == OP_TENSOR ? 0 : operands_count(&o);
    if (shape == 0 && all <= count)
        run_all(b, &o, all, true);
    run_all(b, &o, count, false);
}

/* Every mode; scalar words name it or leave it to the CSR. */
static void
run_modes(const struct form *f)
{
    bool is_tensor = f->row->op == OP_TENSOR;
    for (unsigned rm = 0; rm < MODES; rm++) {
        for (unsigned shape = 0; f->vector && shape < SHAPES; shape++) {
            unsigned lanes = shapes[shape].lanes;
            if (!is_tensor || lanes == 8 || lanes == 32)
                run_form(f, shape, rm, true);
        }
        if (!f->vector) {
            run_form(f, 0, rm, true);
            run_form(f, 0, rm,
                     !(ventus_isa_info[f->op].flags & VENTUS_ISA_F_ROUNDS));
        }
    }
}

static void
run_widths(const struct oracle_row *row, enum ventus_isa_op op, bool vector)
{
    struct form f = { .row = row, .op = op, .vector = vector };
    bool integers = row->op >= OP_TO_INT && row->op <= OP_FROM_UINT;
    for (f.sew = 8; f.sew <= 64; f.sew *= 2) {
        f.from = row->width == NARROW ? 2 * f.sew : f.sew;
        f.to = row->width == WIDEN ? 2 * f.sew : f.sew;
        f.pair = f.sew == 64;
        bool to_float = row->op != OP_TO_INT && row->op != OP_TO_UINT;
        bool from_float = row->op != OP_FROM_INT && row->op != OP_FROM_UINT;
        if ((to_float && f.to < 16) || (from_float && f.from < 16))
            continue;
        if (row->width == SAME && integers && f.sew == 8)
            continue;
        if (f.from > 64 || f.to > 64 || (!vector && f.sew < 32) ||
            (f.pair && ventus_isa_info[op].flags & VENTUS_ISA_F_NOPAIR) ||
            (row->op == OP_TENSOR && f.sew != 32))
            continue;
        struct form g = f;
        g.sew = f.pair ? 32 : f.sew;
        run_modes(&g);
    }
}

static bool
is_floating_point(enum ventus_isa_op op)
{
    switch (ventus_isa_info[op].lat) {
    case VENTUS_ISA_LAT_FMA:
    case VENTUS_ISA_LAT_FCMP:
    case VENTUS_ISA_LAT_FCVT:
    case VENTUS_ISA_LAT_FDIV:
    case VENTUS_ISA_LAT_FEXP:
    case VENTUS_ISA_LAT_TENSOR:
        return true;
    default:
        return ventus_isa_info[op].flags & VENTUS_ISA_F_ROUNDS ||
               ventus_isa_info[op].unit == VENTUS_ISA_UNIT_FPU;
    }
}

static bool
run_row(enum ventus_isa_op op)
{
    const char *name = ventus_isa_info[op].name;
    const struct oracle_row *row = oracle_find(name);
    if (!row) {
        printf("%s: no oracle knows this floating-point row\n", name);
        return false;
    }
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[ventus_isa_info[op].format];
    bool vector = false;
    for (unsigned i = 0; i < format->fields; i++)
        vector |=
            ventus_isa_fields[format->field[i]].member == VENTUS_ISA_SLOT_D &&
            ventus_isa_fields[format->field[i]].kind == VENTUS_ISA_KIND_V;
    run_widths(row, op, vector);
    return true;
}

/* ---- what was compared ---- */

static void
print_counts(unsigned rows)
{
    static const char *const names[OP_COUNT] = {
        "add",
        "subtract",
        "multiply",
        "divide",
        "square root",
        "fused",
        "between formats",
        "minimum",
        "maximum",
        "equal",
        "not equal",
        "less",
        "less or equal",
        "sign",
        "opposite sign",
        "sign exclusive-or",
        "class",
        "to signed",
        "to unsigned",
        "from signed",
        "from unsigned",
        "rounded to odd",
        "vfrec7",
        "vfrsqrt7",
        "vfexp",
        "vftta",
    };
    uint64_t sums[3] = { 0, 0, 0 };
    printf(
        "| operation | binary16 | binary32 | binary64 |\n|---|---|---|---|\n");
    for (unsigned i = 0; i < OP_COUNT; i++) {
        printf("| %s |", names[i]);
        for (unsigned k = 0; k < 3; k++) {
            printf(" %" PRIu64 " |", compared[i][k]);
            sums[k] += compared[i][k];
        }
        printf("\n");
    }
    printf("| all | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " |\n", sums[0],
           sums[1], sums[2]);
    printf("%u rows, %" PRIu64 " operations, %" PRIu64 " differ\n", rows,
           sums[0] + sums[1] + sums[2], failures);
}

int
main(int argc, char **argv)
{
    const char *only = argc > 3 ? argv[3] : NULL;
    bool known = true;
    unsigned rows = 0;
    count = argc > 1 ? strtoull(argv[1], NULL, 0) : count;
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : seed;
    for (unsigned i = 0; i < SHAPES; i++)
        if (!(benches[i] = bench_open(&shapes[i])))
            return 1;
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++) {
        if (!is_floating_point((enum ventus_isa_op)op) ||
            (only && strcmp(only, ventus_isa_info[op].name) != 0))
            continue;
        known &= run_row((enum ventus_isa_op)op);
        rows++;
    }
    print_counts(rows);
    for (unsigned i = 0; i < SHAPES; i++)
        bench_close(benches[i]);
    oracle_free();
    return failures || !known || !rows;
}
