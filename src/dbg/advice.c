/* SPDX-License-Identifier: Apache-2.0 */
#include "dbg/advice.h"

#include <stdlib.h>
#include <string.h>

/* A smaller gain is not worth a change of the kernel. */
#define LEAST_GAIN 1.05

const char *const advice_names[ADVICE_RULES] = {
    "scattered", "banks",   "divergent", "workgroups", "latency", "spills",
    "repeated",  "barrier", "bandwidth", "misses",     "ends"
};

/* The launch as a whole. */
struct facts {
    struct arena *arena;
    const struct profile *p;
    double slots, cause[VENTUS_MODEL_STALLS];
    double accesses, lines; /* of memory, of all instructions */
    double requests;        /* to external memory */
    double lanes, lanes_all, warp_cycles, workgroups;
    double mshr_full; /* cycles, of all SMs */
    double closed;    /* share of the cycles in which the L2 took nothing */
    struct advice_list *list;
};

static void
sum_up(struct facts *f)
{
    const struct profile *p = f->p;
    for (unsigned b = 0; b < PROFILE_BINS; b++) {
        f->requests += (double)p->bin[b].requests;
        f->warp_cycles += (double)p->bin[b].warps;
        for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++) {
            f->cause[i] += (double)p->bin[b].slots[i];
            f->slots += (double)p->bin[b].slots[i];
        }
    }
    for (size_t i = 0; i < p->code.n; i++) {
        const struct spot *s = &p->code.row[i];
        f->accesses += (double)s->use.accesses;
        f->lines += (double)s->use.lines;
    }
    for (unsigned i = 0; i < p->sms; i++) {
        f->workgroups += (double)p->sm[i].workgroups;
        f->lanes += (double)p->sm[i].vector_lanes;
        f->mshr_full += (double)p->sm[i].mshr_full;
        f->lanes_all +=
            (double)(p->sm[i].vector_issued * p->machine.num_thread);
        f->closed += (double)p->sm[i].l2_walks;
    }
    f->closed = p->cycles ? f->closed / (double)p->cycles : 0;
    if (f->closed > 1)
        f->closed = 1;
}

static double
gain_without(const struct facts *f, double slots)
{
    double left = f->slots - slots;
    return left > f->slots / 100 ? f->slots / left : 100;
}

/* `line` is the number of a row of the code; -1: of no line. */
static void
add(struct facts *f, enum advice_rule rule, long line, double gain,
    const char *cause, const char *change)
{
    if (gain != 0 && gain < LEAST_GAIN)
        return;
    struct advice *to = &f->list->at[f->list->n++];
    *to = (struct advice){
        .rule = rule, .cause = cause, .change = change, .gain = gain
    };
    if (line >= 0) {
        to->place = &f->p->place[line];
        to->pc = f->p->code.row[line].pc;
    }
}

static bool
same_line(const struct facts *f, size_t i, size_t j)
{
    const struct profile_place *a = &f->p->place[i], *b = &f->p->place[j];
    return i == j ||
           (a->line && a->line == b->line && strcmp(a->file, b->file) == 0);
}

typedef double
cost_of(const struct facts *f, const struct spot *s);

/* The instruction whose line costs most by a measure, -1 if none costs anything;
 * *whole: all of them together; *own: its line. */
static long
costliest(const struct facts *f, cost_of *cost, double *whole, double *own)
{
    long found = -1;
    double most = 0;
    *whole = *own = 0;
    for (size_t i = 0; i < f->p->code.n; i++) {
        double x = cost(f, &f->p->code.row[i]);
        *whole += x;
        if (x > most) {
            most = x;
            found = (long)i;
        }
    }
    for (size_t i = 0; found >= 0 && i < f->p->code.n; i++)
        if (same_line(f, i, (size_t)found))
            *own += cost(f, &f->p->code.row[i]);
    return found;
}

/* ---- the rules ---- */

/* Lines that an access with all its bytes in a row would not need. */
static double
excess_lines(const struct facts *f, const struct spot *s)
{
    const struct spot_use *u = &s->use;
    (void)f;
    if (u->private || u->lines < 2 * u->least)
        return 0;
    return (double)(u->lines - u->least);
}

static void
scattered(struct facts *f)
{
    double whole, own;
    long i = costliest(f, excess_lines, &whole, &own);
    if (i < 0)
        return;
    const struct spot_use *u = &f->p->code.row[i].use;
    double n = (double)u->accesses;
    double waits =
        f->cause[VENTUS_MODEL_DEPEND_LSU] + f->cause[VENTUS_MODEL_COLLECT];
    add(f, ADVICE_SCATTERED, i, gain_without(f, waits * own / f->lines),
        arena_printf(f->arena,
                     "a %s of a warp takes %.1f lines of %u bytes; its bytes "
                     "would fit into %.1f",
                     u->load ? "load" : "store", (double)u->lines / n,
                     f->p->machine.dcache_line_B, (double)u->least / n),
        "let neighbouring work-items access neighbouring elements; if that is "
        "not possible, go through local memory");
}

static double
excess_passes(const struct facts *f, const struct spot *s)
{
    (void)f;
    return s->use.passes > s->use.least_passes
               ? (double)(s->use.passes - s->use.least_passes)
               : 0;
}

static void
banks(struct facts *f)
{
    double whole, own;
    long i = costliest(f, excess_passes, &whole, &own);
    if (i < 0)
        return;
    const struct spot_use *u = &f->p->code.row[i].use;
    double n = (double)u->local;
    add(f, ADVICE_BANKS, i, gain_without(f, own),
        arena_printf(
            f->arena,
            "an access of local memory takes %.1f passes: one for each "
            "line of %u bytes, more for lanes in one of its %u banks; "
            "%.1f would do",
            (double)u->passes / n, f->p->machine.dcache_line_B,
            f->p->machine.local_banks, (double)u->least_passes / n),
        "let neighbouring work-items access neighbouring words of local "
        "memory: store the array by columns");
}

static double
splits(const struct facts *f, const struct spot *s)
{
    (void)f;
    return (double)s->use.splits;
}

static void
divergent(struct facts *f)
{
    double whole, own;
    long i = costliest(f, splits, &whole, &own);
    if (i < 0 || !f->lanes_all)
        return;
    double used = f->lanes / f->lanes_all;
    double busy = f->slots - f->cause[VENTUS_MODEL_NO_WARP];
    const struct spot_use *u = &f->p->code.row[i].use;
    if (used > 0.8)
        return;
    add(f, ADVICE_DIVERGENT, i, gain_without(f, busy * (1 - used)),
        arena_printf(f->arena,
                     "lanes of a warp go different ways in %.0f %% of the "
                     "branches here; of all lanes %.0f %% are active",
                     100.0 * (double)u->splits / (double)u->branches,
                     100 * used),
        "let the condition depend on the warp instead of the lane, sort the "
        "work by it, or compute both sides without a branch");
}

static void
workgroups(struct facts *f)
{
    double idle = f->cause[VENTUS_MODEL_NO_WARP];
    unsigned sms = f->p->machine.num_sm;
    if (idle < 0.25 * f->slots)
        return;
    const char *change =
        f->p->machine.one_group
            ? "this machine runs one workgroup at a time: use larger ones"
        : f->workgroups < 2.0 * sms
            ? "use more and smaller workgroups, or more work in a launch"
            : "use larger workgroups: their start and end take a share of the "
              "time";
    add(f, ADVICE_WORKGROUPS, -1, gain_without(f, idle),
        arena_printf(f->arena,
                     "%.0f %% of the issue slots had no warp: %.0f workgroup%s "
                     "for %u SMs",
                     100 * idle / f->slots, f->workgroups,
                     f->workgroups == 1 ? "" : "s", sms),
        change);
}

static void
latency(struct facts *f)
{
    const struct profile_machine *m = &f->p->machine;
    double waits = f->cause[VENTUS_MODEL_DEPEND_LSU] +
                   f->cause[VENTUS_MODEL_DEPEND] +
                   f->cause[VENTUS_MODEL_BRANCH] + f->cause[VENTUS_MODEL_FETCH];
    double busy = f->slots - f->cause[VENTUS_MODEL_NO_WARP];
    double cycles = (double)f->p->cycles * m->num_sm;
    /* Of the cycles in which an SM has work. */
    double warps =
        busy > 0 && cycles > 0 ? f->warp_cycles / cycles * f->slots / busy : 0;
    if (waits < 0.4 * busy || warps > 0.25 * m->num_warp)
        return;
    add(f, ADVICE_LATENCY, -1, gain_without(f, waits),
        arena_printf(f->arena,
                     "%.0f %% of the issue slots wait for results, branches "
                     "and instructions, with %.1f of %u warps in an SM",
                     100 * waits / f->slots, warps, m->num_warp),
        "let more warps run in an SM: more work-items, fewer registers or less "
        "local memory for each workgroup; or more independent work in each "
        "work-item");
}

static double
private_slots(const struct facts *f, const struct spot *s)
{
    double sum = 0;
    (void)f;
    for (unsigned i = 0; s->use.private && i < VENTUS_MODEL_STALLS; i++)
        sum += (double)s->slots[i];
    return sum;
}

static void
spills(struct facts *f)
{
    double whole, own;
    long i = costliest(f, private_slots, &whole, &own);
    if (i < 0 || !f->p->spills)
        return;
    add(f, ADVICE_SPILLS, i, gain_without(f, whole),
        arena_printf(f->arena,
                     "%u instructions save or restore registers in private "
                     "memory: the kernel needs more than there are",
                     f->p->spills),
        "keep fewer values at a time: smaller private arrays, less unrolling, "
        "or a kernel in two");
}

static double
repeated_loads(const struct facts *f, const struct spot *s)
{
    const struct spot_use *u = &s->use;
    bool often = u->accesses >= 4 * f->p->warps && u->same > u->accesses / 2;
    return u->load && !u->private && often ? (double)u->same : 0;
}

static void
repeated(struct facts *f)
{
    double whole, own;
    long i = costliest(f, repeated_loads, &whole, &own);
    if (i < 0)
        return;
    const struct spot_use *u = &f->p->code.row[i].use;
    double waits = f->cause[VENTUS_MODEL_DEPEND_LSU];
    add(f, ADVICE_REPEATED, i, gain_without(f, waits * own / f->accesses),
        arena_printf(f->arena,
                     "a warp loads %.0f times here, %.0f %% of them the word "
                     "that was loaded before",
                     (double)u->accesses / (double)f->p->warps,
                     100.0 * (double)u->same / (double)u->accesses),
        "load it into a variable before the loop; `restrict` and `const` let "
        "the compiler do that");
}

static double
barrier_slots(const struct facts *f, const struct spot *s)
{
    (void)f;
    return (double)s->slots[VENTUS_MODEL_BARRIER];
}

/* The barrier that an instruction waits behind, or itself. */
static long
barrier_before(const struct facts *f, long i)
{
    long found = i;
    uint32_t pc = f->p->code.row[i].pc, best = 0;
    for (size_t k = 0; k < f->p->code.n; k++) {
        const struct spot *s = &f->p->code.row[k];
        if (s->use.barrier && s->pc <= pc && s->pc >= best) {
            best = s->pc;
            found = (long)k;
        }
    }
    return found;
}

static void
barriers(struct facts *f)
{
    double whole, own, waits = f->cause[VENTUS_MODEL_BARRIER];
    long i = costliest(f, barrier_slots, &whole, &own);
    if (i < 0 || waits < 0.05 * f->slots)
        return;
    add(f, ADVICE_BARRIER, barrier_before(f, i), gain_without(f, waits),
        arena_printf(f->arena,
                     "%.0f %% of the issue slots wait for other warps at a "
                     "barrier",
                     100 * waits / f->slots),
        "give all warps of a workgroup the same work between barriers; more "
        "and smaller workgroups fill the time");
}

static void
bandwidth(struct facts *f)
{
    const struct profile_machine *m = &f->p->machine;
    double most = m->peak_B * (double)f->p->cycles;
    double moved = f->requests * m->line_B;
    if (most <= 0 || moved < 0.6 * most)
        return;
    add(f, ADVICE_BANDWIDTH, -1, 0,
        arena_printf(f->arena,
                     "external memory moves %.0f %% of the bytes that it can",
                     100 * moved / most),
        "move less: smaller types, data that several work-items use in local "
        "memory, one launch instead of two over the same data");
}

/* Requests wait before an L1D that can have no more misses.  If the lines are full of
 * words that are used, the kernel cannot have fewer misses.  30 %: docs/model.md. */
static void
misses(struct facts *f)
{
    const struct profile_machine *m = &f->p->machine;
    double whole, own, cycles = (double)f->p->cycles * m->num_sm;
    long i = costliest(f, excess_lines, &whole, &own);
    double share = cycles > 0 ? f->mshr_full / cycles : 0;
    double waits =
        f->cause[VENTUS_MODEL_DEPEND_LSU] + f->cause[VENTUS_MODEL_COLLECT];
    /* They are full while the L2 is closed, whatever the kernel does. */
    if (f->workgroups > m->num_sm)
        share -= f->closed;
    if (i < 0 || share < 0.3)
        return;
    if (waits > share * f->slots)
        waits = share * f->slots;
    const struct spot_use *u = &f->p->code.row[i].use;
    add(f, ADVICE_MISSES, i, gain_without(f, waits),
        arena_printf(
            f->arena,
            "in %.0f %% of the cycles a request waits because all %u "
            "MSHRs of the L1D are in use; this line uses %.0f %% of the "
            "bytes that it requests",
            100 * share, m->dcache_mshrs,
            100 * (double)u->bytes / ((double)u->lines * m->dcache_line_B)),
        "use whole lines: let a warp access words that lie together, and keep "
        "in local memory or registers what is used again");
}

/* The end of a workgroup closes the L2 for thousands of cycles on some machines.
 * Of that, warps lose the slots in which they wait for memory or are not there. */
static void
ends(struct facts *f)
{
    double waits =
        f->cause[VENTUS_MODEL_DEPEND_LSU] + f->cause[VENTUS_MODEL_COLLECT] +
        f->cause[VENTUS_MODEL_FETCH] + f->cause[VENTUS_MODEL_NO_WARP];
    if (f->closed < 0.1 || f->workgroups <= f->p->machine.num_sm)
        return;
    if (waits > f->closed * f->slots)
        waits = f->closed * f->slots;
    add(f, ADVICE_ENDS, -1, gain_without(f, waits),
        arena_printf(
            f->arena,
            "in %.0f %% of the cycles the L2 takes no request, because "
            "it walks its lines at the end of each of %.0f workgroups",
            100 * f->closed, f->workgroups),
        "launch no more workgroups than run at a time, and let each work-item "
        "do several elements in a loop");
}

static int
by_gain(const void *a, const void *b)
{
    const struct advice *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain < y->gain ? 1 : -1;
    return (x->rule > y->rule) - (x->rule < y->rule);
}

void
advice_find(struct arena *a, const struct profile *p, struct advice_list *list)
{
    static void (*const rules[ADVICE_RULES])(struct facts *) = {
        [ADVICE_SCATTERED] = scattered, [ADVICE_BANKS] = banks,
        [ADVICE_DIVERGENT] = divergent, [ADVICE_WORKGROUPS] = workgroups,
        [ADVICE_LATENCY] = latency,     [ADVICE_SPILLS] = spills,
        [ADVICE_REPEATED] = repeated,   [ADVICE_BARRIER] = barriers,
        [ADVICE_BANDWIDTH] = bandwidth, [ADVICE_MISSES] = misses,
        [ADVICE_ENDS] = ends,
    };
    struct facts f = { .arena = a, .p = p, .list = list };
    list->n = 0;
    sum_up(&f);
    for (size_t i = 0; i < ADVICE_RULES && f.slots > 0; i++)
        rules[i](&f);
    qsort(list->at, list->n, sizeof *list->at, by_gain);
}
