/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/output/ideals.h"

#include "base/oom.h"
#include "dbg/advice.h"
#include "dev/print.h"

#define IDEALS_MAX_B (UINT64_C(256) << 20)

void
ideals_begin(struct ventus_dev_ticket *t, struct ventus_dev_profile *p)
{
    const struct ventus_dev *d = t->dev;
    bool apart = !d->config.value[CONFIG_host_memory] &&
                 !(t->launch.kernel && print_wanted(&t->launch));
    if (d->ops->copy && apart)
        p->before = d->ops->copy(d->machine, &d->config, IDEALS_MAX_B);
}

/* Cycles of the first `groups` workgroups, as many at a time as in the launch; 0: they
 * failed, or were stopped. */
static uint64_t
count_cycles(const struct ventus_dev_ticket *t, void *machine, uint64_t groups)
{
    const struct ventus_sim_hooks none = { .ctx = NULL };
    uint64_t cycles = 0;
    struct engine_launch b = { .launch = t->run.launch, .cycles = &cycles };
    struct engine_fault fault = { .lane = -1 };
    struct ventus_sim_launch *l = &b.launch;
    l->hooks = &none;
    l->first = l->began_ns = 0;
    l->stats = NULL;
    l->executed = NULL;
    while (l->first < groups) {
        uint64_t left = groups - l->first;
        l->count = left < t->at_once ? left : t->at_once;
        if (!t->dev->ops->launch(machine, &b, &fault))
            return 0;
        l->first += l->count;
    }
    return cycles;
}

struct trial {
    const struct ventus_dev_ticket *ticket;
    struct ventus_dev_profile *profile;
    struct arena arena;
};

static void
try_ideals(void *ctx)
{
    struct trial *r = ctx;
    const struct ventus_dev *d = r->ticket->dev;
    struct profile *p = &r->profile->profile;
    unsigned wanted = advice_ideals(&r->arena, p);
    uint64_t at_once = profile_at_once(p), all = r->ticket->all_groups;
    for (unsigned i = 0; i < PROFILE_IDEALS; i++) {
        const char *setting = profile_ideal_settings[i];
        struct diag_sink quiet = { .arena = &r->arena };
        struct config c = d->config; /* of a machine without the cause */
        c.value[CONFIG_host_threads] = 1;
        if (!(wanted >> i & 1) ||
            (setting && !config_set(&c, &r->arena, setting, &quiet)))
            continue;
        void *m = d->ops->copy(r->profile->before, &c, IDEALS_MAX_B);
        if (!m)
            continue;
        p->ideal[i] = count_cycles(
            r->ticket, m, i == PROFILE_FIRST && at_once < all ? at_once : all);
        d->ops->destroy(m);
    }
}

void
ideals_end(struct ventus_dev_ticket *t, struct ventus_dev_profile *p, bool runs)
{
    struct trial r = { .ticket = t, .profile = p };
    if (!p->before)
        return;
    /* Without host memory for it the rules estimate. */
    if (runs)
        (void)oom_call(try_ideals, &r);
    arena_free(&r.arena);
    t->dev->ops->destroy(p->before);
    p->before = NULL;
}
