/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/*
 * The blocks at whose ends the reconvergence address is set.  The machine reads it at each
 * divergent branch and nothing else changes it, so a branch that finds the
 * right one need not set it, and a loop whose branches all meet at one place
 * sets it before.
 */
struct rpc_plan {
    struct ir_block **set; /* by block id: meet that its end sets, or NULL */
    float weight;          /* how often, by depth of loops */
};

/*
 * After register allocation.  May split edges, so f is analysed anew.  With `each`
 * every branch sets its own.
 */
struct rpc_plan
rpc_plan(struct ir_func *f, bool each);
