/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver: memory, kernels and launches on a Ventus device.
 *
 *     struct ventus_dev_options options = { .config = "default" };
 *     struct ventus_dev *d = ventus_dev_open(&options);
 *     struct ventus_dev_program *p =
 *         ventus_dev_load(d, elf, elf_size, "scale.elf");
 *     uint64_t x = ventus_dev_alloc(d, 4 * n, 0);
 *     ventus_dev_write(d, x, numbers, 4 * n);
 *     struct ventus_dev_arg args[] = { ventus_dev_buffer(x),
 *                                      ventus_dev_bytes(&factor, 4) };
 *     struct ventus_dev_launch launch = {
 *         .kernel = ventus_dev_find(p, "scale"), .work_dim = 1,
 *         .global = { n }, .local = { 64 }, .args = args, .n_args = 2
 *     };
 *     struct ventus_dev_result r;
 *     if (!ventus_dev_run(d, &launch, &r))
 *         puts(ventus_dev_message());
 *     ventus_dev_read(d, x, numbers, 4 * n);
 *     ventus_dev_close(d);
 *
 * Errors: a call that can fail returns false, 0 or NULL and leaves the reason,
 * in words, with ventus_dev_message() of the same thread.  A fault of the
 * kernel is such an error of its launch; the device remains usable.
 *
 * Addresses are virtual.  Buffers lie from 0x90000000 up, end at their last
 * byte, and have 2,048 bytes of padding after it (the key `bounds`) and unmapped memory
 * after that; programs are linked to 0x80000000,
 * and several may be loaded, because each has a page table of its own.  Memory
 * that is allocated in a context is mapped for the programs of that context only.
 * docs/abi.md has the memory map and the state in which a kernel starts.
 *
 * Ownership: the device owns what a call returns until it is freed, unloaded
 * or closed.  The device copies arguments that it needs after the call.
 *
 * Threads: every call may come from any thread.  Launches run one after the
 * other, in the order of their submission, on a thread of the device, or on the
 * thread that calls ventus_dev_run.  Memory calls wait for the running launch.
 * Only ventus_dev_run and ventus_dev_wait wait for launches that have not begun.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* exported, whatever -fvisibility is */
#pragma GCC visibility push(default)
#endif

struct ventus_dev;
struct ventus_dev_context;
struct ventus_dev_program;
struct ventus_dev_ticket;
struct ventus_dev_profile;

/* The reason of this thread's last failed call; never NULL. */
const char *
ventus_dev_message(void);

/* Did it fail because the host has no memory? */
bool
ventus_dev_lacks_memory(void);

/* ---- configuration ---- */

enum ventus_dev_key_type {
    VENTUS_DEV_KEY_NUMBER,
    VENTUS_DEV_KEY_SIZE,
    VENTUS_DEV_KEY_BOOL,
    VENTUS_DEV_KEY_CHOICE
};

/* A setting of a device: a line of an ini file, or key=value. */
struct ventus_dev_key {
    const char *section, *name;
    enum ventus_dev_key_type type;
    const char *unit;    /* "" if it is a plain number */
    uint64_t min, max;   /* of numbers and sizes */
    bool power_of_two;   /* only these are allowed */
    uint64_t fallback;   /* the value if nothing sets it */
    const char *choices; /* "v1 v2", the values min, min + 1, ...; or NULL */
    const char *meaning;
};

/* All settings there are. */
const struct ventus_dev_key *
ventus_dev_keys(size_t *count);

/*
 * Names of the presets, NULL behind the last; freed by free().  The presets are
 * in a folder share/ventus/configs beside the folder of the library or above it;
 * without such a folder the built-in ones.  `folder`, if not NULL, receives its
 * path, or "" (free it too).  NULL: no host memory, and nothing to free.
 */
char **
ventus_dev_presets(char **folder);

/* What an engine is able to do beside executing kernels. */
enum ventus_dev_capability {
    VENTUS_DEV_STEPS = 1,      /* hooks.step after each instruction */
    VENTUS_DEV_CHECKS = 2,     /* faults name their place; it keeps limits */
    VENTUS_DEV_CYCLES = 4,     /* cycles, counters of a result; hooks.issue */
    VENTUS_DEV_PROFILES = 8,   /* launch.profile, ventus_dev_record */
    VENTUS_DEV_ORDERED = 16,   /* results do not depend on its host threads */
    VENTUS_DEV_SANITIZES = 32, /* ventus_dev_check */
    VENTUS_DEV_CAPABILITIES_END = 64
};

/* An engine, which executes kernels: a value of the key `engine`; docs/engines.md. */
struct ventus_dev_engine {
    const char *name, *meaning;
    unsigned capabilities;
};

/* All engines. */
const struct ventus_dev_engine *
ventus_dev_engines(size_t *count);

/* "counts cycles": of the capability 1 << number; NULL: there is none. */
const char *
ventus_dev_capability_name(unsigned number);

struct ventus_dev_options {
    const char *config;     /* a preset, or the path of an ini; NULL: default */
    const char *const *set; /* "key=value", replaces that of the file */
    size_t n_set;
    unsigned host_threads; /* 0: as configured */
    bool bare; /* no translation: ventus_dev_place and launch.bare only */
};

struct ventus_dev *
ventus_dev_open(const struct ventus_dev_options *options);

/* Waits for the launches, then frees everything.  NULL does nothing. */
void
ventus_dev_close(struct ventus_dev *d);

/* Waits, then frees all memory and programs, so that the device is as opened. */
bool
ventus_dev_reset(struct ventus_dev *d);

/* The value in force of a setting; 0 if there is none of that name. */
uint64_t
ventus_dev_setting(const struct ventus_dev *d, const char *name);

/* Does its engine have this capability? */
bool
ventus_dev_can(const struct ventus_dev *d,
               enum ventus_dev_capability capability);

/* The capabilities of the engine that a device of these options would have: bits of
 * enum ventus_dev_capability.  Creates no device; false: the options are wrong. */
bool
ventus_dev_capabilities(const struct ventus_dev_options *options,
                        unsigned *capabilities);

/* ---- contexts ---- */

/*
 * Memory and programs of an application: programs of one context access no
 * memory of another, nor of ventus_dev_alloc.  Costs nothing on the device
 * until it is used.  Free it before the device is closed.  NULL: no host
 * memory.
 */
struct ventus_dev_context *
ventus_dev_context_new(struct ventus_dev *d);

/* Waits for its launches, frees its memory and programs.  NULL does nothing. */
void
ventus_dev_context_free(struct ventus_dev_context *c);

/* ---- memory ---- */

enum ventus_dev_alloc_flags {
    VENTUS_DEV_READ_ONLY = 1,   /* for kernels; ventus_dev_write works */
    VENTUS_DEV_WRITE_ONLY = 2,  /* for kernels, while they are checked */
    VENTUS_DEV_WHEN_CHECKED = 4 /* READ_ONLY, too, only while checked */
};

/* Zeroed, page-aligned memory; 0 if there is none.  A size of 0 counts as 1. */
uint64_t
ventus_dev_alloc(struct ventus_dev *d, uint64_t size, unsigned flags);

/* The same in a context; addresses are unique on the device. */
uint64_t
ventus_dev_alloc_in(struct ventus_dev_context *c, uint64_t size,
                    unsigned flags);

/*
 * The caller's memory [host, host + size) for programs of a context, at the
 * same address: `host` is a multiple of 4096, and the rest of the last page
 * belongs to the caller, too.  Host and kernels may use it at once; atomics of 32
 * bits are atomic for both.  It must exist until ventus_dev_free of its address.
 * False: the device cannot address it (docs/abi.md, Shared memory), or has no room.
 */
bool
ventus_dev_share(struct ventus_dev_context *c, void *host, uint64_t size,
                 unsigned flags);

/* The address must be one that ventus_dev_alloc, ventus_dev_alloc_in or
 * ventus_dev_place gave, or that ventus_dev_share was given. */
bool
ventus_dev_free(struct ventus_dev *d, uint64_t address);

/*
 * Bare devices: memory at [address, address + size), widened to whole pages.
 * Pages that exist already do not change.
 */
bool
ventus_dev_place(struct ventus_dev *d, uint64_t address, uint64_t size);

/* All bytes must lie in one allocation (bare: in memory that exists). */
bool
ventus_dev_read(struct ventus_dev *d, uint64_t address, void *to,
                uint64_t size);

bool
ventus_dev_write(struct ventus_dev *d, uint64_t address, const void *from,
                 uint64_t size);

/* As memmove. */
bool
ventus_dev_copy(struct ventus_dev *d, uint64_t to, uint64_t from,
                uint64_t size);

/* Repeats the pattern of 1 to 128 bytes; size is a multiple of it. */
bool
ventus_dev_fill(struct ventus_dev *d, uint64_t address, const void *pattern,
                size_t pattern_size, uint64_t size);

/* ---- programs ---- */

enum ventus_dev_param_kind {
    VENTUS_DEV_PARAM_VALUE,
    VENTUS_DEV_PARAM_GLOBAL,
    VENTUS_DEV_PARAM_CONSTANT,
    VENTUS_DEV_PARAM_LOCAL,
    VENTUS_DEV_PARAM_IMAGE,
    VENTUS_DEV_PARAM_SAMPLER
};

struct ventus_dev_param {
    const char *name, *type_name; /* "" if not recorded */
    enum ventus_dev_param_kind kind;
    unsigned access, qualifiers; /* as in src/obj/kernels.h */
    uint32_t size_B, align_B;
};

struct ventus_dev_kernel {
    const char *name;
    struct ventus_dev_program *program;
    uint64_t entry;
    unsigned isa;          /* 1 or 2; 0: not recorded */
    unsigned sgprs, vgprs; /* in use, multiples of 4 */
    uint32_t local_B;      /* static local memory of a workgroup */
    uint32_t private_B;    /* private memory of a work-item */
    uint32_t required_wg[3], hint_wg[3]; /* or all zero */
    uint32_t spills;       /* instructions that save or restore registers */
    const char *hint_type; /* of vec_type_hint, or "" */
    bool uniform_groups;   /* right only where local sizes divide global ones */
    bool recorded; /* the file describes it; else a symbol, with defaults */
    const struct ventus_dev_param *params;
    size_t n_params;
    /* Of local_B: only library functions use it; its accesses are no races. */
    uint32_t exchange_at, exchange_B;
    /* Atomic accesses of local memory are all atomic instructions (docs/abi.md). */
    bool exact_atomics;
};

/* Loads a linked ELF; `name` is for messages.  The bytes are copied. */
struct ventus_dev_program *
ventus_dev_load(struct ventus_dev *d, const void *elf, size_t size,
                const char *name);

/* The same for the memory of a context. */
struct ventus_dev_program *
ventus_dev_load_in(struct ventus_dev_context *c, const void *elf, size_t size,
                   const char *name);

/* Waits for its launches, then unloads it.  NULL does nothing. */
void
ventus_dev_unload(struct ventus_dev_program *p);

/* The recorded kernels; of a file that records none, its global functions. */
const struct ventus_dev_kernel *
ventus_dev_kernels(const struct ventus_dev_program *p, size_t *count);

/* By name; NULL as name: the only one.  NULL if there is none. */
const struct ventus_dev_kernel *
ventus_dev_find(const struct ventus_dev_program *p, const char *name);

/* "scale+0x1c (scale.s:12)": a place in the code, for messages. */
bool
ventus_dev_describe(const struct ventus_dev_program *p, uint64_t pc, char *text,
                    size_t size);

/* ---- launches ---- */

enum ventus_dev_arg_kind {
    VENTUS_DEV_ARG_BYTES,
    VENTUS_DEV_ARG_BUFFER,
    VENTUS_DEV_ARG_LOCAL,
    VENTUS_DEV_ARG_POINTER /* as a buffer; there need not be one */
};

struct ventus_dev_arg {
    enum ventus_dev_arg_kind kind;
    const void *bytes;
    uint64_t size;    /* of the bytes, or of the local memory */
    uint64_t address; /* of a buffer; also inside one; 0 is the null pointer */
    uint32_t align;   /* 2^20 at most; 0: as the kernel records, else by size */
    uint64_t part_B; /* of a buffer: bytes that are meant, for checks; 0: all */
};

static inline struct ventus_dev_arg
ventus_dev_bytes(const void *bytes, uint64_t size)
{
    struct ventus_dev_arg a = { VENTUS_DEV_ARG_BYTES, bytes, size, 0, 0, 0 };
    return a;
}

static inline struct ventus_dev_arg
ventus_dev_buffer(uint64_t address)
{
    struct ventus_dev_arg a = { VENTUS_DEV_ARG_BUFFER, NULL, 4, address, 0, 0 };
    return a;
}

static inline struct ventus_dev_arg
ventus_dev_local(uint64_t size)
{
    struct ventus_dev_arg a = { VENTUS_DEV_ARG_LOCAL, NULL, size, 0, 0, 0 };
    return a;
}

struct ventus_sim_launch;
struct ventus_sim_step;

/* Hooks of a launch; all calls are on one thread. */
struct ventus_dev_hooks {
    void *ctx;
    /* Raw records of the print buffer, whole ones, in order; then nothing goes
     * to launch.printed. */
    void (*print)(void *ctx, const void *records, size_t size);
    /* VENTUS_DEV_STEPS: after each instruction, see <ventus/sim.h>; slow. */
    void (*step)(void *ctx, const struct ventus_sim_step *step);
    /* VENTUS_DEV_CYCLES: an instruction is issued. */
    void (*issue)(void *ctx, uint64_t cycle, unsigned sm, unsigned warp,
                  uint64_t pc, uint32_t word);
};

struct ventus_dev_launch {
    const struct ventus_dev_kernel *kernel;
    unsigned work_dim;  /* 1 to 3 */
    uint64_t global[3]; /* work-items; 0 counts as 1 */
    uint64_t local[3];  /* of a workgroup; all 0: chosen.  The last workgroup
                           of a row has what is left of global */
    uint64_t offset[3]; /* of global ids */
    const struct ventus_dev_arg *args;
    size_t n_args;
    uint32_t local_B;   /* local memory in addition */
    uint32_t private_B; /* of a work-item, if the kernel needs more */
    FILE *printed;      /* receives the printed text of kernels; or NULL */
    uint32_t print_B;   /* of the print buffer, 12 at least; 0: 64 KiB if one is
                           needed */
    const struct ventus_dev_hooks *hooks; /* copied; or NULL */
    bool stats;                           /* fill result.stats; costs speed */
    struct ventus_dev_profile *profile;   /* VENTUS_DEV_PROFILES: fill this */
    struct ventus_dev_counters
        *sm; /* and with stats this, for each SM; or NULL */
    /* If launches are checked for races, or with `api` on the functional machine, fill
     * this (<ventus/dev_check.h>); or NULL. */
    struct ventus_dev_touched *touched;
    /* Bare devices: this, hooks and stats.  Everything it says is in memory; its
     * hooks, stats, first, count and stop are not read.  See <ventus/sim.h>. */
    const struct ventus_sim_launch *bare;
    const char *bare_name; /* for traces and reports; or NULL */
};

/* Loads and stores of warps by the pattern of their lanes' addresses. */
struct ventus_dev_stats {
    uint64_t warp_instructions, thread_instructions;
    uint64_t vector_instructions, vector_lanes;
    uint64_t branches, branches_divergent, joins, barriers, workgroups;
    unsigned max_stack;
    uint64_t loads_uniform, loads_unit, loads_gather;
    uint64_t stores_uniform, stores_unit, stores_scatter;
    unsigned n_classes; /* by execution unit */
    struct ventus_dev_class {
        const char *name;
        uint64_t warp, thread;
    } classes[16];
};

/* Sums over launches; max_stack is the deepest. */
void
ventus_dev_stats_add(struct ventus_dev_stats *to,
                     const struct ventus_dev_stats *from);

/* The counters of a machine that counts cycles, by name. */
struct ventus_dev_counters {
    unsigned n;
    struct ventus_dev_counter {
        const char *name;
        uint64_t value;
    } at[96];
};

/* The value of `item` in a fault of a lane without a work-item, which only machines with
 * all_lanes run. */
#define VENTUS_DEV_NO_ITEM UINT64_MAX

/* A fault of the simulated program. */
struct ventus_dev_fault {
    const char *kind; /* "misaligned access" and the like; NULL: no fault */
    uint64_t pc, address;
    uint64_t group[3];
    unsigned warp;
    int lane;         /* -1: no lane in particular */
    uint64_t item[3]; /* global id of the work-item, if lane is not -1, or
                         VENTUS_DEV_NO_ITEM */
    char place[256];  /* "k+0x1c (k.s:12)" */
    char insn[128];   /* "vlw12.v v1, 2(v0)" */
};

enum ventus_dev_state {
    VENTUS_DEV_QUEUED,
    VENTUS_DEV_RUNNING,
    VENTUS_DEV_DONE,
    VENTUS_DEV_FAILED
};

struct ventus_dev_result {
    bool ok;
    /* Why not: a line, more for a deadlock.  If it is ok, a line for each instruction of
     * the program that has accessed padding for the first time; "": none has. */
    char message[2048];
    struct ventus_dev_fault fault;
    struct ventus_dev_stats stats;
    /* CLOCK_MONOTONIC: submitted, begun, ended; cycles if a model counts. */
    uint64_t queued_ns, start_ns, end_ns;
    uint64_t cycles;
    struct ventus_dev_counters counters; /* with launch.stats */
    const struct ventus_dev_counters
        *sm; /* as given, if the launch filled it */
    unsigned num_sm, num_warp, clock_MHz; /* of a machine that counts */
    const struct ventus_dev_profile
        *profile; /* as given, if the launch filled it */
};

/* The size of workgroups that the driver chooses for a launch without one. */
void
ventus_dev_choose_local(const struct ventus_dev *d,
                        const struct ventus_dev_kernel *k,
                        const uint64_t global[3], uint64_t local[3]);

/* Checks and queues.  NULL: refused, ventus_dev_message says why. */
struct ventus_dev_ticket *
ventus_dev_submit(struct ventus_dev *d, const struct ventus_dev_launch *launch);

enum ventus_dev_state
ventus_dev_query(const struct ventus_dev_ticket *t);

/* Workgroups that have ended, and their total; 0 have ended while it waits. */
uint64_t
ventus_dev_progress(const struct ventus_dev_ticket *t, uint64_t *all);

/* Instructions of warps that it has executed, those of the last few thousand left out: a
 * launch of few long workgroups has no other progress. */
uint64_t
ventus_dev_executed(const struct ventus_dev_ticket *t);

/*
 * Stops a launch soon: it fails with a fault "stopped", whose message has the place
 * of each warp, and its result has the counts up to then.  A launch in the queue ends
 * when its turn comes; a launch that has ended does not change.  The call does not
 * wait, and a signal handler may make it.
 */
void
ventus_dev_stop(struct ventus_dev_ticket *t);

/* Waits for the end.  False: the launch failed; ventus_dev_message, and
 * *result. */
bool
ventus_dev_wait(struct ventus_dev_ticket *t, struct ventus_dev_result *result);

/* Waits for the end and frees it.  NULL does nothing. */
void
ventus_dev_ticket_free(struct ventus_dev_ticket *t);

/* Submit, wait, free.  *result has the reason, also if the launch is refused. */
bool
ventus_dev_run(struct ventus_dev *d, const struct ventus_dev_launch *launch,
               struct ventus_dev_result *result);

/* ---- profiles, on machines that count cycles ---- */

/* The caller's; filled by one launch.  NULL: no memory. */
struct ventus_dev_profile *
ventus_dev_profile_new(void);

void
ventus_dev_profile_free(struct ventus_dev_profile *p);

/* Files that a device writes, of all its launches; NULL: not this one. */
struct ventus_dev_record {
    const char *trace;  /* for Perfetto; NAME.pftrace: its own format, else
                           JSON */
    const char *konata; /* pipelines, for Konata */
    const char *events; /* issues, write-backs, requests: docs/events.md */
    const char *json;   /* a line of JSON for each launch, with its profile */
    const char *report; /* a page of HTML */
    FILE *hot;          /* at the end: tables of the lines of each kernel */
    /* What the traces show; all 0: everything. */
    uint64_t from_cycle, to_cycle; /* of each launch; to 0: its end */
    const char *kernel;            /* this one only */
    unsigned sm;
    bool one_sm; /* `sm` only */
    /* `trace` and `konata` end where a file has about so many bytes; 0: with the
     * last launch.  `notes` is told if that happens; NULL: nothing is. */
    uint64_t trace_most_B;
    FILE *notes;
};

/*
 * Begins to write; before the first launch, once.  False: the engine has no
 * VENTUS_DEV_PROFILES, or a file cannot be written.
 */
bool
ventus_dev_record(struct ventus_dev *d, const struct ventus_dev_record *what);

/* Completes the files; ventus_dev_close does it, too.  False: one is not
 * complete. */
bool
ventus_dev_record_end(struct ventus_dev *d);

/* ---- a debugger ---- */

/*
 * Launches run under GDB, docs/debugging.md.  The first one waits until it has
 * connected to `where`, on this host: "PORT", 0 for any; "unix:PATH"; "fd:N", a
 * socket that listens.  `told`, if not NULL, receives the address for GDB.
 * False: the engine has no VENTUS_DEV_SANITIZES, or nothing can listen there.
 * Launches then have one host thread and no limits, and fill no statistics.
 */
bool
ventus_dev_debug(struct ventus_dev *d, const char *where, FILE *told);

/* Waits for launches; tells GDB that there will be no more. */
void
ventus_dev_debug_end(struct ventus_dev *d);

/*
 * Converts cycles to nanoseconds at the configured clock of the device: the time
 * of a launch is ventus_dev_cycles_ns(d, result.cycles).
 */
uint64_t
ventus_dev_cycles_ns(const struct ventus_dev *d, uint64_t cycles);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
