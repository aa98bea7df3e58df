/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hostile machine code on two functional machines, of which one translates all that the
 * launch reaches.  Both must end alike: fault, memory, registers.
 */
#include "sim/native.h"
#include "native/client.h"
#include "registers.h"

struct run {
    struct ventus_sim *sim;
    struct ventus_sim_fault fault;
};

static void
run(struct run *r, const struct input *in, const struct sim_translator *t)
{
    struct ventus_sim_config c = input_config(in);
    r->sim = ventus_sim_create(&c, NULL, 0);
    require(r->sim != NULL, "a configuration that is refused");
    if (t)
        native_attach(r->sim, t);
    struct ventus_sim_launch l = input_launch(in, &c);
    put_memory(r->sim, in);
    ventus_sim_launch(r->sim, &l, &r->fault);
}

static const struct sim_translator *
open_translator(void)
{
    static struct native_client *client;
    const char *why;
    if (!client)
        client = native_client_open(0, &why);
    require(client != NULL, "ventus-native is not there");
    return native_client_translator(client);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct input in;
    struct run a = { 0 }, b = { 0 };
    if (!input_read(&in, bytes, size) || input_counts(&in) ||
        input_config(&in).num_thread < 8)
        return 0;
    run(&a, &in, NULL);
    run(&b, &in, open_translator());
    require_same_fault(&a.fault, &b.fault);
    require_same_memory(a.sim, b.sim, DATA, DATA_B);
    require_same_memory(a.sim, b.sim, PRIVATE, PRIVATE_B);
    require_same_registers(a.sim, b.sim,
                           ventus_sim_configuration(a.sim)->num_thread);
    ventus_sim_destroy(a.sim);
    ventus_sim_destroy(b.sim);
    return 0;
}
