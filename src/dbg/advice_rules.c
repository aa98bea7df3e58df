/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of advice, one for each cause. */
#include "dbg/advice_facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const advice_names[ADVICE_RULES] = {
    "scattered", "banks",    "divergent", "workgroups", "latency",
    "spills",    "repeated", "barrier",   "bandwidth",  "misses",
    "ends",      "atomics",  "vectors"
};

/* The smallest share of cycles: even warps of equal work do not arrive at a barrier
 * together. */
#define LEAST_BARRIER 0.2

/* Lines beyond those that an access with contiguous bytes would need. */
static double
excess_lines(const struct facts *f, const struct spot *s)
{
    const struct spot_use *u = &s->use;
    (void)f;
    if (u->private || u->atomic || u->lines < 2 * u->least)
        return 0;
    return (double)(u->lines - u->least);
}

/* Slots that wait for memory, and for a unit that memory keeps busy. */
static double
memory_waits(const struct facts *f)
{
    return f->cause[VENTUS_MODEL_DEPEND_LSU] + f->cause[VENTUS_MODEL_COLLECT];
}

static const char *
change_of_scattered(struct facts *f)
{
    static const char neighbours[] =
        "let neighbouring work-items access neighbouring elements; if that is "
        "not possible, go through local memory";
    const char *shown = advice_shown_by(f, PROFILE_LOCAL);
    return *shown ? arena_printf(f->arena, "%s (%s)", neighbours, shown)
                  : neighbours;
}

static void
scattered(struct facts *f)
{
    double whole, own;
    long i = advice_costliest(f, excess_lines, &whole, &own);
    if (i < 0)
        return;
    const struct spot_use *u = &f->p->code.row[i].use;
    double n = (double)u->accesses;
    advice_add(
        f, ADVICE_SCATTERED, i,
        advice_simulated(f, PROFILE_LINES, memory_waits(f) * own / f->lines),
        arena_printf(f->arena,
                     "a %s of a warp takes %.1f lines of %u bytes; its bytes "
                     "would fit into %.1f",
                     u->load ? "load" : "store", (double)u->lines / n,
                     f->p->machine.dcache_line_B, (double)u->least / n),
        change_of_scattered(f));
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
    long i = advice_costliest(f, excess_passes, &whole, &own);
    if (i < 0)
        return;
    const struct spot_use *u = &f->p->code.row[i].use;
    double n = (double)u->local;
    advice_add(f, ADVICE_BANKS, i, advice_simulated(f, PROFILE_BANKS, own),
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
    long i = advice_costliest(f, splits, &whole, &own);
    if (i < 0 || !f->lanes_all)
        return;
    double used = f->lanes / f->lanes_all;
    double busy = f->slots - f->cause[VENTUS_MODEL_NO_WARP];
    const struct spot_use *u = &f->p->code.row[i].use;
    if (used > 0.8)
        return;
    advice_add(
        f, ADVICE_DIVERGENT, i, advice_estimated(f, busy * (1 - used)),
        arena_printf(f->arena,
                     "lanes of a warp diverge in %" PRIu64 " of %" PRIu64
                     " branches here; of all lanes %.0f %% are active",
                     u->splits, u->branches, 100 * used),
        "let the condition depend on the warp instead of the lane, sort the "
        "work by it, or compute both sides without a branch");
}

/* Advises on workgroups by slots without a warp that other workgroups could fill: not
 * at the beginning and the end of the launch, and not while the L2 is closed for all. */
static void
workgroups(struct facts *f)
{
    const struct profile_machine *m = &f->p->machine;
    double idle =
        m->one_group ? f->cause[VENTUS_MODEL_NO_WARP] : (double)f->p->alone;
    if (idle < 0.25 * f->slots)
        return;
    const char *change =
        m->one_group
            ? "this machine runs one workgroup at a time: use larger ones"
        : f->workgroups < 2.0 * m->num_sm
            ? "use more and smaller workgroups, or more work in a launch"
            : "use workgroups of equal work, or more of them";
    advice_add(
        f, ADVICE_WORKGROUPS, -1, advice_without(idle, f->slots),
        arena_printf(f->arena,
                     m->one_group
                         ? "%.0f %% of the issue slots had no warp: %.0f "
                           "workgroup%s for %u SMs"
                         : "%.0f %% of the issue slots had no warp while "
                           "another SM had one: %.0f workgroup%s for %u SMs",
                     100 * idle / f->slots, f->workgroups,
                     f->workgroups == 1 ? "" : "s", m->num_sm),
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
    /* The average of the warps, over the cycles in which an SM has work. */
    double warps =
        busy > 0 && cycles > 0 ? f->warp_cycles / cycles * f->slots / busy : 0;
    if (waits < 0.4 * busy || warps > 0.25 * m->num_warp)
        return;
    advice_add(
        f, ADVICE_LATENCY, -1, advice_estimated(f, waits),
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
    long i = advice_costliest(f, private_slots, &whole, &own);
    if (i < 0 || !f->p->spills)
        return;
    advice_add(
        f, ADVICE_SPILLS, i, advice_simulated(f, PROFILE_PRIVATE, whole),
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
    long i = advice_costliest(f, repeated_loads, &whole, &own);
    if (i < 0)
        return;
    const struct spot_use *u = &f->p->code.row[i].use;
    double waits = f->cause[VENTUS_MODEL_DEPEND_LSU] * own / f->loads;
    advice_add(
        f, ADVICE_REPEATED, i, advice_estimated(f, waits + own),
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

/* The last barrier before an instruction, or the instruction itself. */
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

/* The barrier that most warps arrived at; for launches that lost no slot at a barrier. */
static long
some_barrier(const struct facts *f)
{
    long found = -1;
    for (size_t i = 0; i < f->p->code.n; i++) {
        const struct spot *s = &f->p->code.row[i];
        if (s->use.barrier &&
            (found < 0 || s->issued > f->p->code.row[found].issued))
            found = (long)i;
    }
    return found;
}

/* The share of the time that equal work would save.  With equal work all warps arrive
 * when they arrive on average now: of the time between two barriers the share of the
 * warps that wait is saved.  The saving is bounded by the time that the SM needs for
 * what the others issued meanwhile, at its rate while no warp waits, if that is known
 * from a tenth of the time, and by the time for fetching it. */
static double
barrier_share(const struct facts *f)
{
    const struct profile_barriers *b = &f->p->barriers;
    double cycles = (double)f->p->cycles * f->p->machine.num_sm;
    double saved = b->warps_share, rate = f->p->machine.issue_width;
    if (b->free_cycles > 0.1 * cycles && b->free_issued)
        rate = (double)b->free_issued / (double)b->free_cycles;
    double needs = (double)b->issued / rate;
    double fetch = advice_fetch_cycles(f, (double)b->issued);
    double most = (double)b->cycles - (needs > fetch ? needs : fetch);
    if (most < saved)
        saved = most;
    return cycles > 0 && saved > 0 ? saved / cycles : 0;
}

static void
barriers(struct facts *f)
{
    double whole, own, share = barrier_share(f);
    long i = advice_costliest(f, barrier_slots, &whole, &own);
    i = i < 0 ? some_barrier(f) : barrier_before(f, i);
    if (i < 0 || share < LEAST_BARRIER)
        return;
    advice_add(
        f, ADVICE_BARRIER, i, advice_estimated(f, share * f->slots),
        arena_printf(f->arena,
                     "warps wait for others at a barrier in %.0f %% of the "
                     "cycles, and equal work would save %.0f %% of the time",
                     100 * (double)f->p->barriers.cycles /
                         ((double)f->p->cycles * f->p->machine.num_sm),
                     100 * share),
        "give all warps of a workgroup the same work between barriers; more "
        "and smaller workgroups fill the time");
}

static double
most_bytes(const struct facts *f)
{
    return f->p->machine.peak_B * (double)f->p->cycles;
}

static bool
is_bandwidth_bound(const struct facts *f)
{
    double most = most_bytes(f), moved = f->requests * f->p->machine.line_B;
    return most > 0 && moved >= 0.6 * most;
}

static void
bandwidth(struct facts *f)
{
    if (!is_bandwidth_bound(f))
        return;
    advice_add(
        f, ADVICE_BANDWIDTH, -1, (struct bound){ 0, "" },
        arena_printf(f->arena,
                     "external memory moves %.0f %% of the bytes that it can",
                     100 * f->requests * f->p->machine.line_B / most_bytes(f)),
        "move less: smaller types, data that several work-items use in local "
        "memory, one launch instead of two over the same data");
}

/* Advises on misses.  Requests wait before an L1D whose MSHRs are all in use.  If the
 * lines are full of used words, the kernel cannot have fewer misses.  A kernel that loads
 * every 8th word waits so in 20 % of the cycles of `chisel`, and takes 1.5 times those of
 * one that loads every word; with every 12th word 34 % and 2.0 times. */
static void
misses(struct facts *f)
{
    const struct profile_machine *m = &f->p->machine;
    double whole, own, cycles = (double)f->p->cycles * m->num_sm;
    long i = advice_costliest(f, excess_lines, &whole, &own);
    double share = cycles > 0 ? f->mshr_full / cycles : 0;
    double waits = memory_waits(f);
    /* MSHRs stay in use while the L2 is closed, whatever the kernel does. */
    if (f->workgroups > m->num_sm)
        share -= f->closed;
    if (i < 0 || share < 0.3)
        return;
    if (waits > share * f->slots)
        waits = share * f->slots;
    const struct spot_use *u = &f->p->code.row[i].use;
    advice_add(
        f, ADVICE_MISSES, i, advice_simulated(f, PROFILE_LINES, waits),
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

/*
 * The bound of larger workgroups.  The end of a workgroup closes the L2 for thousands
 * of cycles on some machines.  A kernel whose work-items process several elements in a
 * loop has only the ends of the workgroups that run at a time, and does once whatever
 * each workgroup does beside its elements.  Its time is at least that of these
 * workgroups alone, plus, for the elements of the others, the longest of three:
 *   - the cycles of the LSU for their accesses, two and one for each line;
 *   - the cycles of fetch for a loop over them: two instructions for each access, and three
 *     that count, compare and branch, once for each warp;
 *   - the cycles in which memory works on their requests.
 */
static struct bound
bound_of_ends(struct facts *f, uint64_t at_once)
{
    enum { OF_ACCESS = 2, OF_LOOP = 3 };
    double lsu = 0, loop_insns = OF_LOOP * (double)f->p->warps,
           sms = f->p->machine.num_sm;
    double left = f->slots - f->cause[VENTUS_MODEL_ISSUED];
    double others = 1 - (double)at_once / f->workgroups;
    double closed = f->closed * f->slots;
    struct bound walks =
        advice_simulated(f, PROFILE_WALKS, closed < left ? closed : left);
    uint64_t first = f->p->ideal[PROFILE_FIRST];
    f->wanted |= 1u << PROFILE_FIRST;
    for (size_t i = 0; i < f->p->code.n; i++) {
        const struct spot_use *u = &f->p->code.row[i].use;
        lsu += 2 * (double)u->several + (double)u->several_lines;
        loop_insns += OF_ACCESS * (double)u->several;
    }
    if (!first)
        return walks;
    double fetch = advice_fetch_cycles(f, loop_insns);
    double most = lsu > fetch ? lsu / sms : fetch / sms;
    if (most < (double)f->p->memory_busy)
        most = (double)f->p->memory_busy;
    double least = (double)first + most * others;
    struct bound loop = {
        (double)f->p->cycles / least,
        arena_printf(f->arena,
                     "%s; the first %" PRIu64 " workgroups take %" PRIu64
                     " cycles",
                     walks.shown, at_once, first),
    };
    return advice_larger(loop, walks);
}

static void
ends(struct facts *f)
{
    uint64_t at_once = profile_at_once(f->p);
    if (f->closed < 0.1 || f->workgroups <= (double)at_once)
        return;
    advice_add(
        f, ADVICE_ENDS, -1, bound_of_ends(f, at_once),
        arena_printf(
            f->arena,
            "in %.0f %% of the cycles the L2 takes no request, because "
            "it walks its lines at the end of each of %.0f workgroups",
            100 * f->closed, f->workgroups),
        arena_printf(f->arena,
                     "launch no more than the %" PRIu64
                     " workgroups that run at a time, and let each work-item "
                     "do several elements in a loop",
                     at_once));
}

static double
atomic_lanes(const struct facts *f, const struct spot *s)
{
    (void)f;
    return (double)s->use.atomics;
}

/* Advises on atomics, if there are more than one for each workgroup and a few warps. */
static void
atomics(struct facts *f)
{
    double whole, own;
    long i = advice_costliest(f, atomic_lanes, &whole, &own);
    if (i < 0 || whole < 4 * f->workgroups)
        return;
    double share = whole / (f->lines + whole);
    advice_add(
        f, ADVICE_ATOMICS, i,
        advice_simulated(f, PROFILE_ATOMICS, memory_waits(f) * share),
        arena_printf(f->arena,
                     "%.0f atomics of single lanes, one after the other, %.0f "
                     "for each workgroup (volatile accesses are atomics, too)",
                     whole, whole / f->workgroups),
        "combine the values of a work-item in a variable and those of a "
        "workgroup in local memory, and do one atomic with the result");
}

/* Accesses of one word per lane, without private memory, whose layout is the
 * compiler's and not a type's. */
static double
scalar_accesses(const struct facts *f, const struct spot *s)
{
    (void)f;
    return s->use.private ? 0 : (double)s->use.scalars;
}

/* Advises vector types.  Vectors of four elements need a quarter of the accesses, and
 * of the waits for them.  Lanes of atomics wait one after the other, and as long with
 * vectors.  No ideal shows the gain: the loop has fewer iterations, too. */
static void
vectors(struct facts *f)
{
    double whole, own;
    double busy = f->slots - f->cause[VENTUS_MODEL_NO_WARP];
    long i = advice_costliest(f, scalar_accesses, &whole, &own);
    if (i < 0 || whole < 4 * (double)f->p->warps || whole < 0.5 * f->accesses ||
        memory_waits(f) < 0.4 * busy || is_bandwidth_bound(f))
        return;
    double share = whole / (f->accesses + f->atomics);
    advice_add(
        f, ADVICE_VECTORS, i,
        advice_estimated(f, 0.75 * memory_waits(f) * share),
        arena_printf(f->arena,
                     "a warp makes %.0f accesses of one word a work-item to "
                     "neighbouring words, and waits for them in %.0f %% of "
                     "its slots",
                     whole / (double)f->p->warps, 100 * memory_waits(f) / busy),
        "load and store vectors of four elements (int4, vload4)");
}

static void (*const rules[ADVICE_RULES])(struct facts *) = {
    [ADVICE_SCATTERED] = scattered, [ADVICE_BANKS] = banks,
    [ADVICE_DIVERGENT] = divergent, [ADVICE_WORKGROUPS] = workgroups,
    [ADVICE_LATENCY] = latency,     [ADVICE_SPILLS] = spills,
    [ADVICE_REPEATED] = repeated,   [ADVICE_BARRIER] = barriers,
    [ADVICE_BANDWIDTH] = bandwidth, [ADVICE_MISSES] = misses,
    [ADVICE_ENDS] = ends,           [ADVICE_ATOMICS] = atomics,
    [ADVICE_VECTORS] = vectors,
};

static int
by_gain(const void *a, const void *b)
{
    const struct advice *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain < y->gain ? 1 : -1;
    return (x->rule > y->rule) - (x->rule < y->rule);
}

static void
apply_rules(struct facts *f)
{
    f->list->n = 0;
    advice_sum_up(f);
    for (size_t i = 0; i < ADVICE_RULES && f->slots > 0; i++)
        rules[i](f);
    qsort(f->list->at, f->list->n, sizeof *f->list->at, by_gain);
}

void
advice_find(struct arena *a, const struct profile *p, struct advice_list *list)
{
    struct facts f = { .arena = a, .p = p, .list = list };
    apply_rules(&f);
}

unsigned
advice_ideals(struct arena *a, const struct profile *p)
{
    struct advice_list list;
    struct facts f = { .arena = a, .p = p, .list = &list };
    apply_rules(&f);
    return f.wanted;
}
