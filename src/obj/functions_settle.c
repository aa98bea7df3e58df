/* SPDX-License-Identifier: Apache-2.0 */
/* The needs of kernels including all their callees, in one object or several. */
#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "obj/functions.h"
#include "obj/kernels.h"

struct node {
    struct function_info f; /* complete once the node is done */
    bool open, done;
    const struct node *from; /* the caller on the current path */
};

struct settle {
    struct arena *arena;
    const char *file;
    struct diag_sink *sink;
    struct map nodes; /* name -> struct node */
};

static struct node *
node_of(struct settle *s, const char *name)
{
    void **at = map_put(s->arena, &s->nodes, name, strlen(name));
    if (!*at) { /* a function without a record */
        struct node *n = arena_new(s->arena, struct node, 1);
        n->f = (struct function_info){ .name = name,
                                       .sgprs = FUNCTION_SGPRS,
                                       .vgprs = FUNCTION_VGPRS,
                                       .private_B = FUNCTION_PRIVATE_B,
                                       .stack_B = FUNCTION_STACK_B };
        *at = n;
    }
    return *at;
}

/* Reports a cycle of calls: "f calls g calls f". */
static bool
fail_circle(struct settle *s, const struct node *n, const struct node *last)
{
    const char *path = n->f.name;
    for (const struct node *at = last; at != n; at = at->from) {
        assert(at->open && at->from && "the chain of callers leads to n");
        path = arena_printf(s->arena, "%s calls %s", at->f.name, path);
    }
    diag_report(s->sink, DIAG_ERROR, (struct diag_at){ .file = s->file },
                "function '%s' calls itself (%s calls %s): its stack would "
                "have no end",
                n->f.name, n->f.name, path);
    return false;
}

static void
add_callee(struct function_info *to, const struct function_info *callee,
           const struct function_call *call)
{
    assert(call->private_B <= FUNCTION_PRIVATE_MAX_B);
    assert(callee->private_B <= FUNCTION_PRIVATE_MAX_B + 4);
    assert(call->stack_B <= FUNCTION_STACK_MAX_B);
    uint32_t private_B = call->private_B + callee->private_B;
    /* Too large, and stays so when more is added. */
    if (private_B > FUNCTION_PRIVATE_MAX_B)
        private_B = FUNCTION_PRIVATE_MAX_B + 4;
    uint32_t stack_B = call->stack_B + callee->stack_B;
    if (to->sgprs < callee->sgprs)
        to->sgprs = callee->sgprs;
    if (to->vgprs < callee->vgprs)
        to->vgprs = callee->vgprs;
    if (to->private_B < private_B)
        to->private_B = private_B;
    if (to->stack_B < stack_B)
        to->stack_B = stack_B;
}

static bool
visit_function(struct settle *s, struct node *n)
{
    if (n->done)
        return true;
    assert(!n->open && "a cycle of calls was refused");
    n->open = true;
    for (size_t i = 0; i < n->f.n_calls; i++) {
        const struct function_call *call = &n->f.calls[i];
        struct node *to = node_of(s, call->callee);
        if (to->open)
            return fail_circle(s, to, n);
        to->from = n;
        if (!visit_function(s, to))
            return false;
        assert(to->done && !to->open &&
               "callees are settled before their callers");
        add_callee(&n->f, &to->f, call);
    }
    n->open = false;
    n->done = true;
    return true;
}

static bool
settle_kernel(struct settle *s, const struct elf *elf, uint8_t *image,
              const struct kernel_info *kernel)
{
    if (!map_find(&s->nodes, kernel->name, strlen(kernel->name)))
        return true;
    struct node *n = node_of(s, kernel->name);
    n->f.sgprs = kernel->sgprs;
    n->f.vgprs = kernel->vgprs;
    n->f.private_B = kernel->private_B;
    if (!visit_function(s, n))
        return false;
    if (n->f.stack_B > FUNCTION_STACK_MAX_B) {
        diag_report(s->sink, DIAG_ERROR, (struct diag_at){ .file = s->file },
                    "kernel '%s': it and what it calls need %u bytes of the "
                    "warp's stack, which has %u",
                    kernel->name, n->f.stack_B, FUNCTION_STACK_MAX_B);
        return false;
    }
    struct kernel_info now = *kernel;
    now.sgprs = (n->f.sgprs + 3) / 4 * 4;
    now.vgprs = (n->f.vgprs + 3) / 4 * 4;
    now.private_B = (n->f.private_B + 3) / 4 * 4;
    return kernels_rewrite(elf, image, &now, s->sink);
}

bool
functions_settle(struct arena *a, const char *file, uint8_t *image, size_t size,
                 struct diag_sink *sink)
{
    struct settle s = { .arena = a, .file = file, .sink = sink };
    struct elf elf;
    struct function_list functions;
    struct kernel_list kernels;
    if (!elf_read(a, file, image, size, &elf, sink) ||
        !functions_read(a, &elf, &functions, sink))
        return false;
    if (!functions.n)
        return true;
    for (size_t i = 0; i < functions.n; i++)
        node_of(&s, functions.at[i].name)->f = functions.at[i];
    if (!kernels_read(a, &elf, &kernels, sink))
        return false;
    for (size_t i = 0; i < kernels.n; i++)
        if (!settle_kernel(&s, &elf, image, &kernels.at[i]))
            return false;
    return true;
}
