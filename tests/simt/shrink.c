/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a program that an engine gets wrong smaller: whatever can be taken out
 * of it so that the engine still gets it wrong is taken out, large pieces
 * first, until nothing more can.  The reference says anew what is expected.
 */
#include "engines.h"

#include <string.h>

struct shrinker {
    struct job *job;
    unsigned engine;
};

/* Whether *p is a program that the engine gets wrong; then it is the job's. */
static bool
still_differs(struct shrinker *s, const struct program *p)
{
    struct job try = { .program = *p };
    struct outcome o;
    if (!job_make(&try, 4000000))
        return false;
    if (engine_run(s->engine, &try, &o) && o.wrong[0]) {
        job_free(s->job);
        *s->job = try;
        return true;
    }
    job_free(&try);
    return false;
}

/* The link that leads to a node; NULL: it is not in the tree. */
static uint16_t *
link_to(struct program *p, unsigned node)
{
    for (unsigned k = 1; k < p->n; k++) {
        struct node *n = &p->node[k];
        uint16_t *links[] = { &n->next, &n->body, &n->other };
        if (n->kind == NOTHING)
            continue;
        for (unsigned i = 0; i < 3; i++)
            if (*links[i] == node)
                return links[i];
    }
    return NULL;
}

/* Marks what is not in the tree. */
static void
drop(struct program *p, unsigned node)
{
    struct node *n = &p->node[node];
    const uint16_t first[] = { n->body, n->other };
    n->kind = NOTHING;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = first[i]; k; k = p->node[k].next)
            drop(p, k);
}

static bool
try_remove(struct shrinker *s, unsigned node)
{
    struct program p = s->job->program;
    uint16_t *link = link_to(&p, node);
    if (!link)
        return false;
    *link = p.node[node].next;
    drop(&p, node);
    return still_differs(s, &p);
}

/* Puts the statements of one side in the place of the statement. */
static bool
try_unwrap(struct shrinker *s, unsigned node, bool other)
{
    struct program p = s->job->program;
    uint16_t *link = link_to(&p, node);
    struct node *n = &p.node[node];
    unsigned first = other ? n->other : n->body;
    unsigned gone = other ? n->body : n->other;
    if (!link || !first)
        return false;
    unsigned last = first;
    while (p.node[last].next)
        last = p.node[last].next;
    p.node[last].next = n->next;
    *link = (uint16_t)first;
    for (unsigned k = gone; k; k = p.node[k].next)
        drop(&p, k);
    n->kind = NOTHING;
    return still_differs(s, &p);
}

static bool
try_empty(struct shrinker *s, unsigned node, bool other)
{
    struct program p = s->job->program;
    struct node *n = &p.node[node];
    uint16_t *side = other ? &n->other : &n->body;
    unsigned first = *side;
    if (!first)
        return false;
    *side = 0;
    for (unsigned k = first; k; k = p.node[k].next)
        drop(&p, k);
    return still_differs(s, &p);
}

static bool
shrink_node(struct shrinker *s, unsigned node)
{
    unsigned kind = s->job->program.node[node].kind;
    if (kind == NOTHING)
        return false;
    if (kind != FUNCTION && try_remove(s, node))
        return true;
    if (kind != FUNCTION &&
        (try_unwrap(s, node, false) || try_unwrap(s, node, true)))
        return true;
    if (try_empty(s, node, false) || try_empty(s, node, true))
        return true;
    struct program p = s->job->program;
    if ((kind == LOOP || kind == UNIFORM_LOOP) && p.node[node].imm > 1) {
        p.node[node].imm = 1;
        return still_differs(s, &p);
    }
    return false;
}

static bool
shrink_functions(struct shrinker *s)
{
    bool did = false;
    for (unsigned f = 1; f < FUNCTIONS; f++) {
        struct program p = s->job->program;
        if (!p.function[f])
            continue;
        drop(&p, p.function[f]);
        p.function[f] = 0;
        did = still_differs(s, &p) || did;
    }
    return did;
}

static bool
shrink_geometry(struct shrinker *s)
{
    const struct geometry g = s->job->program.at;
    const struct geometry smaller[] = {
        { g.lanes, g.warps, g.threads, g.threads },
        { g.lanes, g.warps, g.threads, g.items - g.items / 2 },
        { g.lanes, 1, g.lanes, g.lanes },
        { g.lanes, g.warps, g.warps * g.lanes,
          geometry_groups(&g) * g.warps * g.lanes },
    };
    bool did = false;
    for (unsigned i = 0; i < sizeof smaller / sizeof *smaller; i++) {
        struct program p = s->job->program;
        if (!memcmp(&p.at, &smaller[i], sizeof p.at) ||
            smaller[i].items > p.at.items + g.threads)
            continue;
        if (i == 3 && p.at.threads == p.at.warps * p.at.lanes)
            continue;
        p.at = smaller[i];
        did = still_differs(s, &p) || did;
    }
    return did;
}

void
shrink(struct job *j, unsigned engine)
{
    struct shrinker s = { .job = j, .engine = engine };
    bool did = true;
    for (unsigned round = 0; did && round < 20; round++) {
        did = shrink_functions(&s);
        if (round == 0)
            did = shrink_geometry(&s) || did;
        for (unsigned k = 1; k < s.job->program.n; k++)
            did = shrink_node(&s, k) || did;
        if (s.job->program.far) {
            struct program p = s.job->program;
            unsigned left = 0;
            for (unsigned k = 1; k < p.n; k++)
                left += p.node[k].kind != NOTHING;
            p.far = false;
            did = (left < 40 && still_differs(&s, &p)) || did;
        }
    }
}
