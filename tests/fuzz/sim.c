/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hostile machine code on the functional machine, twice: with the lane loops
 * of this processor in the usual run loop, and with portable ones in the loop
 * for hooks and statistics.  Both must end alike: fault, memory, registers.
 */
#include "registers.h"

static void
print_hook(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    (void)group;
    (void)warp;
    *(uint64_t *)ctx = *(uint64_t *)ctx * 31 + value;
}

static void
step_hook(void *ctx, const struct ventus_sim_step *step)
{
    (void)ctx;
    require(step->num_thread <= 64, "a step with too many lanes");
}

struct run {
    struct ventus_sim *sim;
    struct ventus_sim_fault fault;
    uint64_t printed;
};

static void
run(struct run *r, const struct input *in, bool other)
{
    struct ventus_sim_config c = input_config(in);
    struct ventus_sim_stats stats = { 0 };
    struct ventus_sim_hooks hooks = { .ctx = &r->printed,
                                      .print =
                                          in->head[1] & 128 ? print_hook : NULL,
                                      .step = other ? step_hook : NULL };
    c.portable = other;
    r->sim = ventus_sim_create(&c, NULL, 0);
    require(r->sim != NULL, "a configuration that is refused");
    struct ventus_sim_launch l = input_launch(in, &c);
    l.hooks = &hooks;
    l.stats = other ? &stats : NULL;
    put_memory(r->sim, in);
    ventus_sim_launch(r->sim, &l, &r->fault);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct input in;
    struct run a = { 0 }, b = { 0 };
    if (!input_read(&in, bytes, size))
        return 0;
    run(&a, &in, false);
    run(&b, &in, true);
    if (!input_counts(&in)) {
        require_same_fault(&a.fault, &b.fault);
        require_same_memory(a.sim, b.sim, DATA, DATA_B);
        require_same_memory(a.sim, b.sim, PRIVATE, PRIVATE_B);
        require(a.printed == b.printed, "prints differ");
        if (!a.fault.kind)
            require_same_registers(a.sim, b.sim,
                                   ventus_sim_configuration(a.sim)->num_thread);
    }
    ventus_sim_destroy(a.sim);
    ventus_sim_destroy(b.sim);
    return 0;
}
