/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>

#include <ventus/dev.h>
#include <ventus/model.h>

#include "dbg/profile.h"
#include "dbg/trace.h"
#include "dev/config.h"

/*
 * The interface of an engine, which has memory and executes kernels.  Addresses
 * here are physical.  One file implements it for each engine, engine_table.h lists
 * them with what each is capable of; the driver calls one function at a time.
 * docs/engines.md says how to add one.
 */
/* Choices of the key `execution`. */
enum { EXECUTION_INTERPRETER, EXECUTION_AUTO, EXECUTION_NATIVE };

enum engine_perm {
    ENGINE_READ = 1,
    ENGINE_WRITE = 2,
    ENGINE_EXEC = 4,
    ENGINE_YIELDS = 8 /* checks report the others and do them */
};

enum { ENGINE_MARK = VENTUS_SIM_MARK_B };

struct engine_fault {
    const char *kind; /* "misaligned access" and the like */
    bool has_place;   /* else it was refused before it began */
    bool has_address;
    bool lacks_memory; /* the host does */
    uint64_t pc, address;
    uint32_t group[3];
    unsigned warp;
    int lane;                  /* -1: none in particular */
    struct ventus_isa_insn in; /* op 0: none could be read */
    char text[1024];           /* in the machine's words */
};

/* Observers of the events of a launch: two hooks, three traces, a profile. */
enum { ENGINE_OBSERVERS = 6 };

/* Workgroups [first, first + count) of a grid, in linear order. */
struct engine_launch {
    /* The launch as <ventus/sim.h> describes it.  Members of its hooks may be NULL:
     * engines with VENTUS_DEV_STEPS call `print`, and `step`, in whose place those
     * with VENTUS_DEV_CYCLES have an observer's `issue`; all call `ended`.  Counts
     * are added to `stats`, unless it is NULL. */
    struct ventus_sim_launch launch;
    uint64_t *cycles;                     /* VENTUS_DEV_CYCLES: added to */
    struct ventus_dev_counters *counters; /* the same; or NULL */
    struct ventus_dev_counters *sm;       /* the same of each SM; or NULL */
    /* VENTUS_DEV_CYCLES: issues; VENTUS_DEV_PROFILES: events, too.  In order. */
    struct ventus_model_hooks observer[ENGINE_OBSERVERS];
    unsigned observers;
    struct profile *profile; /* one of them, which SMs' counters end; or NULL */
};

struct engine_ops {
    /* NULL, and a message in `text`, if the configuration is wrong. */
    void *(*create)(const struct config *config, char *text, size_t size);
    void (*destroy)(void *machine);
    /* Zeroed memory, whole pages; false if the host has none. */
    bool (*map)(void *machine, uint64_t address, uint64_t size, unsigned perm);
    /* Maps the bytes at `host`, which the caller owns.  NULL: the engine has no
     * memory but its own. */
    bool (*map_host)(void *machine, uint64_t address, uint64_t size,
                     unsigned perm, void *host);
    /* Programs access only its first `size` bytes, and `padding` bytes after them, of
     * which the launch's hook is told.  All of them are there. */
    void (*bound)(void *machine, uint64_t address, uint64_t size,
                  uint64_t padding);
    bool (*unmap)(void *machine, uint64_t address);
    bool (*read)(void *machine, uint64_t address, void *to, uint64_t size);
    bool (*write)(void *machine, uint64_t address, const void *from,
                  uint64_t size);
    /* Returns the address on the host of a physical one, and in *size how many bytes
     * follow there; NULL: there is no memory. */
    void *(*pointer)(void *machine, uint64_t address, uint64_t *size);
    /* Launches mark from now on what they write into this mapping, a bit for each
     * ENGINE_MARK bytes; marks NULL: no more (ventus_sim_mark_writes).  NULL: the
     * engine does not know what they write. */
    bool (*mark_writes)(void *machine, uint64_t address, uint64_t *marks);
    bool (*launch)(void *machine, const struct engine_launch *launch,
                   struct engine_fault *fault);
    /* NULL: the engine has no code of the host. */
    void (*share)(const void *machine, struct ventus_dev_share *share);
    /* VENTUS_DEV_PROFILES: bytes a cycle from and to memory at best. */
    double (*peak)(const void *machine);
    /* VENTUS_DEV_PROFILES: a machine with these settings and a copy of the memory,
     * for a launch apart; NULL: the host has no room, or the memory is larger than
     * `max_B`. */
    void *(*copy)(void *machine, const struct config *config, uint64_t max_B);
};

#define ENGINE(name, ...) extern const struct engine_ops engine_##name;
#include "dev/engine/engine_table.h"
#undef ENGINE

/* Adds an observer to a launch that has not begun. */
static inline void
engine_observe(struct engine_launch *l, struct ventus_model_hooks observer)
{
    assert(l->observers < ENGINE_OBSERVERS);
    l->observer[l->observers++] = observer;
}

/* The functions of the engine that the configuration names. */
const struct engine_ops *
engine_operations(const struct config *c);

const struct ventus_dev_engine *
engine_of(const struct config *c);

bool
engine_can(const struct config *c, enum ventus_dev_capability capability);
