/* SPDX-License-Identifier: Apache-2.0 */
/* CPU dispatch: chooses the build of the machine that suits this processor. */
#include "model/dispatch.h"

#include "model/machine.h"

#ifdef MODEL_HAS_LEVELS
#include "sim/cpu_level.h"

extern const struct model_variant model_v3;

static const struct model_variant *
choose_variant(const struct ventus_sim_config *machine)
{
    return !machine->portable && cpu_has_level("v3") ? &model_v3 : &model_plain;
}
#else
static const struct model_variant *
choose_variant(const struct ventus_sim_config *machine)
{
    (void)machine;
    return &model_plain;
}
#endif

struct ventus_model *
ventus_model_create(const struct ventus_sim_config *machine,
                    const struct ventus_model_config *c, char *text,
                    size_t size)
{
    return choose_variant(machine)->create(machine, c, text, size);
}

bool
ventus_model_launch(struct ventus_model *m,
                    const struct ventus_sim_launch *launch,
                    const struct ventus_model_hooks *hooks,
                    struct ventus_model_stats *stats,
                    struct ventus_sim_fault *fault)
{
    return m->variant->launch(m, launch, hooks, stats, fault);
}
