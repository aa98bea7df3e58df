/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch on the cycle model that the host ends.  The model looks for that every few
 * thousand cycles, whatever its warps are doing then.
 */
#include "program.h"

struct host {
    int stop;
    uint64_t group; /* with whose first warp the host ends the launch */
};

static void
stop_at(void *ctx, const struct ventus_model_event *e)
{
    struct host *h = ctx;
    h->stop |= e->kind == VENTUS_MODEL_EVENT_WARP && e->group == h->group;
}

TEST(a_launch_is_stopped_where_a_warp_has_issued_its_last_instruction)
{
    for (unsigned i = 0; i < 64; i++) {
        struct host host = { .group = 100 * i };
        struct ventus_sim_fault fault;
        program_run(&(struct program){
            .insn = { { .op = VENTUS_ISA_ENDPRG } },
            .groups = 20000,
            .sms = 2,
            .launch = { .stop = &host.stop },
            .event = stop_at,
            .ctx = &host,
            .fault = &fault,
        });
        CHECK_EQ(fault.kind, VENTUS_SIM_FAULT_STOPPED);
        if (!CHECK(strstr(fault.text, "stopped")))
            puts(fault.text);
    }
}

TEST_MAIN
