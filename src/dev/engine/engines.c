/* SPDX-License-Identifier: Apache-2.0 */
/* The table of engines. */
#include <assert.h>

#include "dev/engine/engine.h"

static const struct ventus_dev_engine engines[] = {
#define ENGINE(name, capabilities, meaning) { #name, meaning, (capabilities) },
#include "dev/engine/engine_table.h"
#undef ENGINE
};

static const struct engine_ops *const operations[] = {
#define ENGINE(name, ...) &engine_##name,
#include "dev/engine/engine_table.h"
#undef ENGINE
};

static const char *const capabilities[] = {
    "steps", "checks", "counts cycles", "profiles", "one order", "sanitizes",
};

const struct ventus_dev_engine *
ventus_dev_engines(size_t *count)
{
    if (count)
        *count = ENGINES;
    return engines;
}

const char *
ventus_dev_capability_name(unsigned number)
{
    static_assert(1 << (sizeof capabilities / sizeof *capabilities) ==
                      VENTUS_DEV_CAPABILITIES_END,
                  "a name for each of enum ventus_dev_capability");
    return number < sizeof capabilities / sizeof *capabilities
               ? capabilities[number]
               : NULL;
}

const struct engine_ops *
engine_operations(const struct config *c)
{
    assert(c->value[CONFIG_engine] < ENGINES);
    return operations[c->value[CONFIG_engine]];
}

const struct ventus_dev_engine *
engine_of(const struct config *c)
{
    assert(c->value[CONFIG_engine] < ENGINES);
    return &engines[c->value[CONFIG_engine]];
}

bool
engine_can(const struct config *c, enum ventus_dev_capability capability)
{
    return engine_of(c)->capabilities & capability;
}
