/* SPDX-License-Identifier: Apache-2.0 */
/* Every instruction of the table can be executed, by every build. */
#include "machine.h"

TEST(every_meaning_has_a_unit)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++)
        if (!CHECK(m->sim->how[op].bind != NULL))
            printf("  %s: meaning %s\n", ventus_isa_info[op].name,
                   ventus_isa_info[op].meaning);
    machine_free(m);
}

/* All operands as they are in the bare row. */
static void
bind_all(enum ventus_isa_version version, unsigned num_thread, bool portable)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .isa = version, .num_thread = num_thread, .portable = portable });
    struct sim_op illegal;
    struct ventus_isa_insn none = { 0 };
    bind_op(m->sim, CODE, 0, &none, &illegal);
    for (unsigned i = 1; i < VENTUS_ISA_OP_COUNT; i++) {
        struct ventus_isa_insn in;
        if (!(ventus_isa_info[i].versions & version) ||
            !ventus_isa_decode_word(version, ventus_isa_info[i].match, &in))
            continue;
        struct sim_op op;
        bind_op(m->sim, CODE, 1, &in, &op);
        CHECK_EQ(op.code, i);
        if (!CHECK(op.fn && op.fn != illegal.fn))
            printf("  %s\n", ventus_isa_info[i].name);
    }
    machine_free(m);
}

TEST(every_instruction_has_a_function)
{
    for (unsigned portable = 0; portable < 2; portable++) {
        bind_all(VENTUS_ISA_V1, 32, portable);
        bind_all(VENTUS_ISA_V1, 8, portable);
        bind_all(VENTUS_ISA_V2, 32, portable);
    }
}

TEST(configurations_that_make_no_sense_are_refused)
{
    char text[128];
    CHECK(!ventus_sim_create(&(struct ventus_sim_config){ .num_thread = 24 },
                             text, sizeof text));
    CHECK_STR(text, "num_thread: expected a power of two from 1 to 64");
    CHECK(!ventus_sim_create(&(struct ventus_sim_config){ .num_thread = 128 },
                             NULL, 0));
    CHECK(!ventus_sim_create(&(struct ventus_sim_config){ .isa = 3 }, text,
                             sizeof text));
    CHECK_STR(text, "isa: expected version 1 or 2");
}

TEST_MAIN
