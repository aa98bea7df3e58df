/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/sim.h>

/*
 * Checks of a program's launches on the functional machine.  A launch whose
 * hooks have sanitize_watch() runs in a loop that knows what each instruction
 * reads and writes, and keeps beside memory and registers
 *
 *     init   which bytes and which lanes of registers nothing has written
 *     race   who accessed each word last, and how (race.h)
 *     scalar for which lanes a scalar register has the right value
 *
 * `memory` needs no such state: the machine's own bounds find the access, the
 * loop reports it and does the instruction without that lane.  A launch goes
 * on after a finding, unless that is a loop without end (loops.h), which ends it
 * with a fault; the same mistake at the same place is reported once.
 */
enum sanitize_kind_number {
#define SANITIZE_KIND(kind, name, help) SANITIZE_KIND_##kind,
#define HOST_KIND(kind, name, help)
#include "sanitize/kinds.def"
    SANITIZE_KIND_COUNT
};

/* Kinds of mistakes, a bit each. */
enum sanitize_kind {
#define SANITIZE_KIND(kind, name, help) \
    SANITIZE_##kind = 1 << SANITIZE_KIND_##kind,
#define HOST_KIND(kind, name, help)
#include "sanitize/kinds.def"
    SANITIZE_KINDS = (1 << SANITIZE_KIND_COUNT) - 1
};

/* SANITIZE_WHAT(name, kind, id, text): `id` is what files and filters call it. */
#define SANITIZE_LIST(X)                                                       \
    X(OUTSIDE, MEMORY, "out-of-bounds", "access outside of memory")            \
    X(NULL, MEMORY, "null", "access by a null pointer")                        \
    X(PERMISSION, MEMORY, "permission", "access that is not permitted")        \
    X(MISALIGNED, MEMORY, "misaligned", "misaligned access")                   \
    X(PRIVATE, MEMORY, "private-bounds", "access outside of private memory")   \
    X(LOCAL, MEMORY, "local-bounds", "access outside of local memory")         \
    X(ARRAY, MEMORY, "array-bounds", "an index outside of an array")           \
    X(IMAGE, MEMORY, "image-bounds", "coordinates outside of an image")        \
    X(UNINIT_BRANCH, INIT, "uninitialised-branch",                             \
      "a branch depends on an uninitialised value")                            \
    X(UNINIT_ADDRESS, INIT, "uninitialised-address",                           \
      "an address depends on an uninitialised value")                          \
    X(UNINIT_OUTPUT, INIT, "uninitialised-output",                             \
      "an uninitialised value is written to global memory")                    \
    X(UNINIT_PRINT, INIT, "uninitialised-output",                              \
      "an uninitialised value is printed")                                     \
    X(DATA_RACE, RACE, "race", "data race")                                    \
    X(DIVERGENT, SYNC, "divergent-barrier",                                    \
      "a barrier that only some work-items of a warp reach")                   \
    X(PLACES, SYNC, "barrier-places",                                          \
      "work-items of a work-group wait at different barriers")                 \
    X(MISSING, SYNC, "missing-barrier",                                        \
      "a barrier that some work-items of the work-group never reach")          \
    X(COPY_DIVERGES, SYNC, "divergent-copy",                                   \
      "the work-items of a work-group do not copy or wait alike")              \
    X(COPY_UNWAITED, SYNC, "copy-not-waited",                                  \
      "a copy of the work-group that nothing waits for")                       \
    X(EVENT_INVALID, SYNC, "invalid-event", "a wait for an event of no copy")  \
    X(ENDLESS, SYNC, "endless-loop", "a loop that can never end")              \
    X(SIMT, SYNC, "simt-deadlock", "work-items of a warp wait for each other") \
    X(SCALAR_PATH, SCALAR, "scalar-path",                                      \
      "a scalar register with the value of a path not taken")                  \
    X(RPC_PATH, SCALAR, "rpc-path",                                            \
      "a branch diverges with the rpc of a path not taken")                    \
    X(NO_JOIN, SCALAR, "no-join",                                              \
      "a branch diverges, and there is no join at its rpc")                    \
    X(REGISTER, SCALAR, "undeclared-register",                                 \
      "a register beyond what the kernel declares")                            \
    X(DIVIDE, ARITH, "division-by-zero", "a division of integers by zero")

enum sanitize_what {
#define X(name, kind, id, text) SANITIZE_##name,
    SANITIZE_LIST(X)
#undef X
        SANITIZE_WHATS
};

const char *
sanitize_id(enum sanitize_what what);

const char *
sanitize_text(enum sanitize_what what);

enum sanitize_kind
sanitize_kind_of(enum sanitize_what what);

/* A side of a finding: who did what, where. */
struct sanitize_party {
    bool known;
    uint64_t pc;
    uint64_t group; /* linear number */
    unsigned warp;
    int lane; /* -1: the warp */
    bool write, atomic;
};

struct sanitize_finding {
    enum sanitize_what what;
    struct sanitize_party here, other;
    bool has_address;
    bool local, private; /* whose memory; an offset if private */
    uint64_t address;
    unsigned size_B;
    struct ventus_isa_insn in; /* op 0: none could be read */
    const char *note;          /* what else there is to say, or NULL */
};

struct sanitize;

/* A set of enum sanitize_kind. */
struct sanitize_options {
    unsigned kinds;
    unsigned untold;     /* of these: state is kept, and nothing is reported */
    bool uniform_writes; /* races of writes of the same value, too */
};

/* NULL: no host memory. */
struct sanitize *
sanitize_create(const struct sanitize_options *options);

/* NULL does nothing. */
void
sanitize_destroy(struct sanitize *c);

/*
 * A finding that is new: of this kind, at this place of this kernel.  `number`
 * counts them from 0.  Called from any host thread of the launch, one at a time.
 */
typedef void
sanitize_report_fn(void *ctx, const struct sanitize_finding *finding,
                   size_t number);

struct sanitize_range {
    uint64_t at, size_B;
};

/* Memory that the source of kernels does not name. */
struct sanitize_quiet {
    /* Nothing is reported of these: where the driver and kernels talk, and what generic
     * accesses of private memory access beside it (src/cc/front/generic.c). */
    struct sanitize_range print, nowhere;
    /* Local memory that the library uses as warps run in step, with no barrier
     * (lib/collective.cl): no races are checked there. */
    struct sanitize_range exchange;
    uint64_t own_local; /* where the kernel's own local memory begins */
    /* Atomic accesses of local memory are all atomic instructions; else a plain one may
     * be one (happens_before.c). */
    bool exact_atomics;
};

/* For the hooks of a launch. */
const struct ventus_sim_instrumentation *
sanitize_begin(struct sanitize *c, sanitize_report_fn *report, void *ctx,
               const struct sanitize_quiet *quiet);

/* Memory that is there and that no argument of the launch is about. */
struct sanitize_gap {
    uint64_t from, to;
};

/* Sets the memory that each argument points to; size_B 0: not known.  Kept until the end
 * of the launch. */
void
sanitize_set_arguments(struct sanitize *c,
                       const struct sanitize_range *argument, size_t n);

/* Sets gaps until the next launch has ended; an access to one is out of bounds. */
void
sanitize_set_gaps(struct sanitize *c, const struct sanitize_gap *gap, size_t n);

/* How often a finding was made so far. */
uint64_t
sanitize_count(const struct sanitize *c, size_t number);

void
sanitize_end(struct sanitize *c);

/* Bytes that a launch accessed.  `written`: some access wrote; `atomic`: all were. */
struct sanitize_touch {
    uint64_t from, to;
    bool written, atomic;
};

struct sanitize_touched {
    struct sanitize_touch *at;
    size_t n;
};

/* With `race`: those of global memory of the last launch, by ascending address.  False:
 * no host memory, and none.  The caller frees list->at. */
bool
sanitize_touched(const struct sanitize *c, struct sanitize_touched *list);

/* With `init`: where `least` bytes, one after the other, begin that nothing has written;
 * false: there are none. */
bool
sanitize_find_unwritten(struct sanitize *c, uint64_t address, uint64_t size,
                        uint64_t least, uint64_t *from);

/* Acts of the host on memory: contents unknown, known, copied, gone, written by
 * both.  Without a checker, NULL, nothing. */
void
sanitize_allocated(struct sanitize *c, uint64_t address, uint64_t size);

void
sanitize_written(struct sanitize *c, uint64_t address, uint64_t size);

void
sanitize_copied(struct sanitize *c, uint64_t to, uint64_t from, uint64_t size);

void
sanitize_released(struct sanitize *c, uint64_t address, uint64_t size);

void
sanitize_shared(struct sanitize *c, uint64_t address, uint64_t size);
