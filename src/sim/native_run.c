/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When pages are translated, and the run loop that enters their code.
 *
 * A host thread counts the instructions that it interprets, and a part of those that
 * translated code does, at the ends of slices, for the page where the slice ended.  The
 * thread that finds a page hot asks the translator for its code, quick code first; any
 * thread looks at the end of a slice whether it is there, and publishes it.  Who does so
 * has `busy`; the others go on.
 */
#include "sim/native.h"

#include <assert.h>
#include <stdlib.h>

#include "base/buf.h"
#include "sim/cpu_level.h"
#include "sim/state.h"

/* ---- code of pages ---- */

static inline const struct native_code *
code_of(const struct sim_code_page *p)
{
    return atomic_load_explicit(&p->code, memory_order_acquire);
}

static void
free_code(struct sim_native *s, struct native_code *c)
{
    if (c && c->image)
        s->translator->release(s->translator->ctx, c->image);
    free(c);
}

/* Code that was replaced may run until its launch ends. */
static void
free_old(struct sim_native *s)
{
    for (struct native_code *c = s->old, *next; c; c = next) {
        next = c->next;
        free_code(s, c);
    }
    s->old = NULL;
}

static void
publish(struct sim_native *s, struct sim_code_page *p, struct native_code *c)
{
    struct native_code *before =
        atomic_exchange_explicit(&p->code, c, memory_order_acq_rel);
    if (before) {
        before->next = s->old;
        s->old = before;
    }
    atomic_store_explicit(&s->any, true, memory_order_release);
}

/* Asks for the code of a page, quick code if it is the first. */
static void
ask(struct ventus_sim *sim, struct sim_code_page *p)
{
    struct sim_native *s = &sim->native;
    struct native_code *c = calloc(1, sizeof *c);
    struct buf request = { 0 };
    assert(!s->asked && p->native);
    p->native->better = !s->translator->hot || p->native->quick;
    p->native->quick = true;
    p->native->changed = false;
    if (!c)
        return;
    native_describe(sim, p, c->entry, &request);
    bool ok = s->translator->start(
        s->translator->ctx, (const struct native_request *)request.at, &s->why);
    buf_free(&request);
    if (!ok) {
        free(c);
        return;
    }
    s->asked = p;
    s->coming = c;
    atomic_store_explicit(&s->waits, true, memory_order_relaxed);
}

/* Publishes what was asked for, if it is there. */
static void
take(struct sim_native *s, bool wait)
{
    struct native_code *c = s->coming;
    assert(s->asked && c);
    if (!s->translator->take(s->translator->ctx, wait, &c->run, &c->image,
                             &s->why))
        return;
    if (c->run)
        publish(s, s->asked, c);
    else
        free_code(s, c);
    s->asked = NULL;
    s->coming = NULL;
    atomic_store_explicit(&s->waits, false, memory_order_relaxed);
}

void
native_forget(struct ventus_sim *sim)
{
    struct sim_native *s = &sim->native;
    if (s->asked)
        s->translator->drop(s->translator->ctx);
    free_code(s, s->coming);
    s->asked = NULL;
    s->coming = NULL;
    atomic_store(&s->waits, false);
    for (size_t i = 0; i < sim->code.n; i++) {
        struct sim_code_page *p = sim->code.page[i];
        free_code(s, atomic_exchange(&p->code, NULL));
        free(p->native);
        p->native = NULL;
        atomic_store(&p->hot, 0);
    }
    free_old(s);
    atomic_store(&s->any, false);
    atomic_store(&s->busy, false);
}

/* ---- launches ---- */

/* Translated code has 32-bit elements in strips of eight lanes. */
const char *
native_obstacle(const struct ventus_sim *sim)
{
    if (!cpu_has_level("v3"))
        return "the host's processor is no x86-64-v3 (AVX2)";
    if (sim->config.num_thread < 8)
        return "warps have less than 8 threads (num_thread)";
    if (sim->config.portable)
        return "portable = yes";
    return sim->config.round_robin ? "round_robin = yes" : NULL;
}

/* Why this launch is interpreted; NULL: it need not be. */
static const char *
find_obstacle(const struct sim_run *run)
{
    const struct ventus_sim_hooks *hooks = run->launch.hooks;
    if (run->launch.stats || (hooks && (hooks->step || hooks->instrumentation)))
        return "launches with statistics, steps, checks or a debugger are "
               "interpreted";
    return native_obstacle(run->sim);
}

/* Looks at the code that the launch reaches from its beginning. */
static void
reach(struct sim_worker *k)
{
    const struct ventus_sim_launch *l = &k->run->launch;
    native_reach(k, (uint32_t)l->pc);
    if (l->kernel <= UINT32_MAX)
        native_reach(k, (uint32_t)l->kernel);
}

static void
translate_all(struct ventus_sim *sim)
{
    reach(&sim->worker[0]);
    for (size_t i = 0; i < sim->code.n; i++) {
        struct sim_code_page *p = sim->code.page[i];
        if (!p->native || !p->native->changed)
            continue;
        ask(sim, p);
        if (sim->native.asked)
            take(&sim->native, true);
    }
}

bool
native_prepare(struct sim_run *run)
{
    struct sim_native *s = &run->sim->native;
    const char *obstacle = s->translator ? find_obstacle(run) : NULL;
    if (obstacle)
        s->why = obstacle;
    if (obstacle || !s->translator)
        return false;
    free_old(s);
    atomic_store(&s->busy, false); /* an assertion may have failed meanwhile */
    if (s->asked)
        take(s, false);
    if (!s->translator->hot)
        translate_all(run->sim);
    return true;
}

void
native_attach(struct ventus_sim *sim, const struct sim_translator *t)
{
    assert(!sim->code.n && "a machine gets its translator before it runs");
    sim->native.translator = t;
}

struct native_share
native_share(const struct ventus_sim *sim)
{
    struct native_share s = { .why = sim->native.why };
    for (unsigned i = 0; i < sim->config.host_threads; i++) {
        s.translated += sim->worker[i].translated;
        s.interpreted += sim->worker[i].interpreted;
    }
    return s;
}

/* ---- the run loop ---- */

/* Translated code is for 32-bit elements, one register each, and rounds to nearest. */
static bool
is_ordinary(const struct sim_warp *w)
{
    return !w->grouped && !(w->slow & SLOW_SEW) && w->frm == FP_RNE;
}

/* Clang's UndefinedBehaviorSanitizer reads the type of a called function before its first
 * instruction, where translated code has none. */
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
/* Runs translated code at op; false: there is none.  *next is the op after it. */
static bool
enter(struct sim_warp *w, const struct sim_op *op, const struct sim_op **next)
{
    const struct native_code *c = code_of(w->page);
    uint16_t at = c ? c->entry[op - w->page->ops] : NATIVE_NO_ENTRY;
    if (at == NATIVE_NO_ENTRY || !is_ordinary(w))
        return false;
    uint64_t left = w->left;
    fp_host_set_rm(w->fp, FP_RNE);
    *next = c->run(w, w->page->ops, c->entry, at);
    assert(w->left <= left && "translated code counts what it does");
    w->worker->translated += left - w->left;
    return w->left != left;
}

/* Interprets one instruction, or, where no code is, all of a page; *op is the next one,
 * or that which ended the slice, as the NULL that is returned then says. */
static const struct sim_op *
interpret(struct sim_warp *w, const struct sim_op **op)
{
    const struct sim_code_page *p = w->page;
    const struct sim_op *at = *op, *next;
    bool cold = !code_of(p);
    do {
        w->left--;
        next = w->grouped ? grouped_call(w, at) : at->fn(w, at);
        at = next ? next : at;
    } while (cold && next && w->left && w->page == p);
    *op = at;
    return next;
}

void
warp_run_native(struct sim_warp *w, uint64_t instructions)
{
    assert(w->next && w->stop == STOP_SLICE);
    const struct sim_op *op = w->next, *next = op;
    w->slice = w->left = instructions;
    while (w->left && next) {
        if (code_of(w->page) && enter(w, op, &next))
            op = next ? next : op;
        else
            next = interpret(w, &op);
    }
    if (w->stop == STOP_SLICE)
        w->next = op;
    assert(w->left <= w->slice && w->next);
    w->retired += w->slice - w->left;
    w->slice = w->left = 0;
    fp_collect(w);
}

/* ---- what is hot ---- */

/* The page that a warp is in is hot. */
static void
ask_for(struct sim_worker *k, const struct sim_warp *w)
{
    struct sim_code_page *p = (struct sim_code_page *)(uintptr_t)w->page;
    reach(k);
    if (!p->native && w->stop == STOP_SLICE) /* by a jump to a register */
        native_reach(k, p->base + 4 * (uint32_t)(w->next - p->ops));
    atomic_store_explicit(&p->hot, 0, memory_order_relaxed);
    if (p->native && (p->native->changed || (code_of(p) && !p->native->better)))
        ask(k->sim, p);
}

/* After some instructions, the last of them in the warp's page. */
static void
look(struct sim_worker *k, const struct sim_warp *w)
{
    struct sim_native *s = &k->sim->native;
    struct sim_code_page *p = (struct sim_code_page *)(uintptr_t)w->page;
    uint64_t hot =
        atomic_fetch_add_explicit(&p->hot, k->unlooked, memory_order_relaxed) +
        k->unlooked;
    k->unlooked = 0;
    bool waits = atomic_load_explicit(&s->waits, memory_order_relaxed);
    if ((!waits && hot < s->translator->hot) ||
        atomic_exchange_explicit(&s->busy, true, memory_order_acquire))
        return;
    if (s->asked)
        take(s, false);
    if (!s->asked && hot >= s->translator->hot)
        ask_for(k, w);
    atomic_store_explicit(&s->busy, false, memory_order_release);
}

/* Counts what the host thread ran since it counted last. */
static void
count(struct sim_worker *k)
{
    uint64_t translated = k->translated - k->counted;
    uint64_t interpreted =
        k->unchecked > translated ? k->unchecked - translated : 0;
    k->counted = k->translated;
    k->interpreted += interpreted;
    k->unlooked += interpreted + translated / NATIVE_WEIGHT;
}

void
native_look(struct sim_worker *k, const struct sim_warp *w)
{
    count(k);
    if (k->sim->native.translator->hot && k->unlooked >= k->sim->slice &&
        w->page)
        look(k, w);
}

void
native_end(struct sim_run *run)
{
    for (unsigned i = 0; i < run->workers; i++) {
        struct sim_worker *k = &run->sim->worker[i];
        if (k->native)
            native_look(k, &k->group[0].warp[0]);
        k->unchecked = 0;
    }
}
