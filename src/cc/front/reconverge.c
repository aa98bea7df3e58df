/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reconvergence for functions of sub-groups.  Lanes that part at a branch are together again
 * at its post-dominator, which is after the branch's statement only if no exit leaves the
 * statement: a `break` in an inner branch moves it to the end of the loop, and labels that
 * lead to one block to the end of the `switch`.  In functions that may call functions of
 * sub-groups an exit becomes a flag, which lanes carry to the end of each statement that
 * they leave:
 *
 *     for (...) {                 for (...) {
 *         if (a) {                    leave = false;
 *             if (b)                  if (a) {
 *                 break;                  leave = b;
 *             f();           =>           if (!leave)
 *         }                                   f();
 *         g();                        }
 *     }                               if (!leave)
 *                                         g();
 *                                     if (leave)
 *                                         break;
 *                                 }
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"

#include "cc/front/calls.h"
#include "cc/front/extern.h"
#include "cc/front/llvm_passes.h"
#include "cc/front/reconverge.h"

static const char structure_passes[] =
    "function(fix-irreducible,mergereturn,unify-loop-exits,structurizecfg)";

/* A function of another object may call one, too. */
static bool
may_be_of_sub_groups(LLVMValueRef f)
{
    size_t n;
    return front_is_extern(f) ||
           strcmp(LLVMGetValueName2(f, &n), "__ventus_together") == 0;
}

/* ---- functions that are structured as they are ---- */

/* A part of the control flow with one entry, at first a block, and the parts after it. */
struct part {
    struct part *next[2];
    unsigned n,
        entries; /* parts after it, and before it; entries 0: it is in another */
};

static void
remove_next(struct part *p, const struct part *next)
{
    if (p->n == 2 && p->next[0] == next)
        p->next[0] = p->next[1];
    p->n--;
}

/* Whether `side` is a side of the branch at the end of p, from which its lanes go to `to`. */
static bool
is_side(const struct part *side, const struct part *to)
{
    return side->entries == 1 && side->n == 1 && side->next[0] == to;
}

/* Makes a part of p and what is after it, as one of these statements; false: it is none. */
static bool
absorb(struct part *p)
{
    struct part *a = p->n ? p->next[0] : NULL,
                *b = p->n == 2 ? p->next[1] : NULL;
    if (b && (a == p || b == p)) { /* do a loop's body while */
        remove_next(p, p);
        p->entries--;
    } else if (a && !b && a != p && a->entries == 1) { /* a sequence */
        a->entries = 0;
        *p = (struct part){ { a->next[0], a->next[1] }, a->n, p->entries };
    } else if (b && (is_side(a, p) || is_side(a, b))) { /* while, if */
        a->next[0]->entries--;
        a->entries = 0;
        remove_next(p, a);
    } else if (b && (is_side(b, p) || is_side(b, a))) {
        b->next[0]->entries--;
        b->entries = 0;
        remove_next(p, b);
    } else if (b && a->n == 1 && is_side(a, a->next[0]) &&
               is_side(b, a->next[0])) { /* if and else */
        struct part *to = a->next[0];
        a->entries = b->entries = 0;
        to->entries--;
        *p = (struct part){ { to }, 1, p->entries };
    } else {
        return false;
    }
    return true;
}

static struct part *
part_of(struct front_build *b, struct map *map, LLVMBasicBlockRef block)
{
    void **p = map_put_number(b->arena, map, (uintptr_t)block);
    if (!*p)
        *p = arena_new(b->arena, struct part, 1);
    return *p;
}

/* Whether the function is made of statements without exits. */
static bool
is_structured(struct front_build *b, LLVMValueRef f)
{
    struct map map = { 0 };
    front_foreach_block(block, f)
    {
        struct part *p = part_of(b, &map, block);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        unsigned n = LLVMGetNumSuccessors(end);
        assert(n <= 2 && "switches are lowered");
        for (unsigned i = 0; i < n; i++) {
            struct part *next = part_of(b, &map, LLVMGetSuccessor(end, i));
            if (i && next == p->next[0])
                continue;
            p->next[p->n++] = next;
            next->entries++;
        }
    }
    if (!map.n)
        return true;
    struct part *first = part_of(b, &map, LLVMGetEntryBasicBlock(f));
    first->entries++;
    bool changed;
    do {
        changed = false;
        for (size_t i = map.n; i-- > 0;) { /* the inner ones first, as a rule */
            struct part *p = map.entry[i].value;
            while (p->entries && absorb(p))
                changed = true;
        }
    } while (changed);
    return !first->n && first->entries == 1;
}

/* ---- the others, which LLVM passes over ---- */

static void
set_attribute(struct front_build *b, LLVMValueRef f, const char *name, bool on)
{
    const LLVMAttributeIndex at =
        (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    if (on)
        LLVMAddAttributeAtIndex(f, at,
                                LLVMCreateEnumAttribute(b->context, kind, 0));
    else
        LLVMRemoveEnumAttributeAtIndex(f, at, kind);
}

/* Runs LLVM's passes on these functions.  Functions with optnone, which are not valid without
 * noinline, are passed over. */
static void
structure(struct front_build *b, const struct front_callers *c)
{
    size_t all = 0, i = 0;
    front_foreach_function(f, b->module) all++;
    bool *is_inline = arena_new(b->arena, bool, all);
    const unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", 8);
    front_foreach_function(f, b->module)
    {
        is_inline[i++] = !LLVMGetEnumAttributeAtIndex(
            f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, noinline);
        set_attribute(b, f, "noinline", true);
        set_attribute(b, f, "optnone", !front_is_caller(c, f));
    }
    front_run_llvm(b, structure_passes);
    i = 0;
    front_foreach_function(f, b->module)
    {
        set_attribute(b, f, "optnone", false);
        set_attribute(b, f, "noinline", !is_inline[i++]);
    }
}

void
front_reconverge(struct front_build *b)
{
    struct front_callers callers = front_callers(b, may_be_of_sub_groups);
    size_t n = 0;
    for (size_t i = 0; i < callers.n; i++)
        if (!is_structured(b, callers.at[i]))
            callers.at[n++] = callers.at[i];
    callers.n = n;
    if (n)
        structure(b, &callers);
}
