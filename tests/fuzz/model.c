/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hostile machine code on the cycle model, with configurations of any kind; a
 * launch of one warp runs on the functional machine, too, and both must do
 * the same instruction by instruction: pcs, masks, registers, flags; then
 * fault and memory.  More warps may race, so they only have to end.
 */
#include <ventus/model.h>

#include "machine.h"

/* Of each step, where it was and what it left. */
struct trace {
    unsigned n;
    struct {
        uint64_t pc, hash;
        char text[VENTUS_ISA_TEXT_MAX];
    } step[LIMIT + 1];
};

static uint64_t
mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3) + (hash >> 29);
}

static void
step_hook(void *ctx, const struct ventus_sim_step *s)
{
    struct trace *t = ctx;
    uint64_t h = mix(s->next_pc, s->mask);
    h = mix(mix(mix(h, s->next_mask), s->vl), s->vtype);
    h = mix(mix(mix(h, s->fflags), s->exec), s->stack);
    for (unsigned i = 0; i < 64; i++)
        h = mix(h, s->x[i]);
    const uint32_t *v =
        s->v + (size_t)s->in->reg[VENTUS_ISA_SLOT_D] * s->stride;
    for (unsigned i = 0; i < s->num_thread; i++)
        h = mix(h, v[i]);
    require(t->n <= LIMIT, "more steps than the limit");
    t->step[t->n].pc = s->pc;
    t->step[t->n].hash = h;
    ventus_isa_print(s->in, NULL, t->step[t->n].text, VENTUS_ISA_TEXT_MAX);
    t->n++;
}

static void
require_same_steps(const struct trace *a, const struct trace *b)
{
    for (unsigned i = 0; i < a->n && i < b->n; i++)
        if (a->step[i].pc != b->step[i].pc ||
            a->step[i].hash != b->step[i].hash) {
            fprintf(stderr, "step %u: 0x%llx %s and 0x%llx %s\n", i,
                    (unsigned long long)a->step[i].pc, a->step[i].text,
                    (unsigned long long)b->step[i].pc, b->step[i].text);
            require(false, "a step differs");
        }
    if (a->n != b->n)
        fprintf(stderr, "%u and %u steps\n", a->n, b->n);
    require(a->n == b->n, "numbers of steps differ");
}

static void
issue_hook(void *ctx, uint64_t cycle, unsigned sm, unsigned warp,
           const struct ventus_sim_step *s)
{
    (void)cycle;
    (void)sm;
    (void)warp;
    step_hook(ctx, s);
}

/* ---- configurations ---- */

static void
small_cache(struct ventus_model_cache *c, unsigned sets, unsigned mshrs)
{
    c->sets = sets;
    c->line_B = 128;
    c->mshrs = mshrs;
    c->subentries = mshrs > 1 ? 4 : 1;
}

static void
configure(struct ventus_model_config *c, const struct input *in)
{
    unsigned a = in->head[6], b = in->head[7];
    ventus_model_defaults(c);
    small_cache(&c->icache, a & 1 ? 2 : 32, 4);
    small_cache(&c->dcache, a & 1 ? 1 : 64, a & 2 ? 1 : 4);
    small_cache(&c->l2, a & 1 ? 4 : 64, a & 2 ? 2 : 8);
    c->rcc = a & 4;
    c->fpu_pipes = c->branch_flows = a & 4;
    c->branch_queue = a & 8 ? 1 : 2;
    c->local_in_cache = a & 8;
    c->dram = a & 16;
    c->l2_hits = a & 32;
    c->barrier_waits = a & 64;
    c->icache_emptied = a & 128;
    c->issue_width = 1 + (b & 1);
    c->scheduler = (enum ventus_model_scheduler)((b >> 1 & 7) % 6);
    c->memory_jitter = b & 16 ? 40 : 0;
    c->tlb_entries = b & 32 ? 2 : b & 64 ? 0 : 16;
    c->dcache_keeps_tags = b & 128;
    c->private_by_warp = b & 64;
    c->deadlock = 20000;
    c->launch_cycles = c->dispatch_cycles = 1;
}

/* ---- comparison ---- */

static bool
is_comparable(const struct input *in, const struct ventus_sim_launch *l)
{
    return l->warps == 1 && l->grid[0] * l->grid[1] == 1 && !input_counts(in);
}

/* What never ends: the functional machine's limit, or the model's deadlock. */
static bool
is_endless(const struct ventus_sim_fault *f)
{
    return f->kind == VENTUS_SIM_FAULT_LIMIT ||
           f->kind == VENTUS_SIM_FAULT_DEADLOCK;
}

static void
compare(const struct input *in, const struct ventus_sim_config *c,
        struct ventus_sim_launch *l, const struct ventus_sim *model,
        const struct ventus_sim_fault *fault, const struct trace *trace)
{
    struct ventus_sim_fault own;
    static struct trace own_trace;
    struct ventus_sim_hooks hooks = { .ctx = &own_trace, .step = step_hook };
    l->hooks = &hooks;
    struct ventus_sim *sim = ventus_sim_create(c, NULL, 0);
    require(sim != NULL, "a configuration that is refused");
    own_trace.n = 0;
    put_memory(sim, in);
    ventus_sim_launch(sim, l, &own);
    if (is_endless(&own) || is_endless(fault)) {
        if (!is_endless(&own) || !is_endless(fault))
            fprintf(stderr, "functional: %s\nmodel: %s\n", own.text,
                    fault->text);
        require(is_endless(&own) && is_endless(fault), "only one ends");
    } else {
        require_same_steps(&own_trace, trace);
        require_same_fault(&own, fault);
        require_same_memory(sim, model, DATA, DATA_B);
        require_same_memory(sim, model, PRIVATE, PRIVATE_B);
    }
    ventus_sim_destroy(sim);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct input in;
    char text[256] = "";
    if (!input_read(&in, bytes, size))
        return 0;
    struct ventus_sim_config c = input_config(&in);
    struct ventus_model_config mc;
    configure(&mc, &in);
    struct ventus_model *m = ventus_model_create(&c, &mc, text, sizeof text);
    if (!m)
        fprintf(stderr, "%s\n", text);
    require(m != NULL, "a configuration that is refused");
    struct ventus_sim_launch l = input_launch(&in, &c);
    struct ventus_model_stats stats = { 0 };
    struct ventus_sim_fault fault;
    static struct trace trace;
    struct ventus_model_hooks hooks = { .ctx = &trace, .issue = issue_hook };
    bool compared = is_comparable(&in, &l);
    trace.n = 0;
    put_memory(ventus_model_sim(m), &in);
    ventus_model_launch(m, &l, compared ? &hooks : NULL, &stats, &fault);
    if (compared)
        compare(&in, &c, &l, ventus_model_sim(m), &fault, &trace);
    ventus_model_destroy(m);
    return 0;
}
