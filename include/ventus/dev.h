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
#ifdef __GNUC__ /* Exported, whatever -fvisibility says. */
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

/* Whether this thread's last failed call failed for want of host memory. */
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
    uint64_t min, max;   /* range of numbers and sizes */
    bool power_of_two;   /* only powers of two are allowed */
    uint64_t fallback;   /* the value if nothing sets it */
    const char *choices; /* "v1 v2", the values min, min + 1, ...; or NULL */
    const char *meaning;
};

/* Lists all settings. */
const struct ventus_dev_key *
ventus_dev_keys(size_t *count);

/* A setting that is a text of 1 to 63 printable characters: what a program is told of the
 * device; no machine differs by it. */
struct ventus_dev_text_key {
    const char *section, *name, *meaning;
};

/* Lists these settings. */
const struct ventus_dev_text_key *
ventus_dev_text_keys(size_t *count);

/* Names of the presets, with NULL after the last; freed by free().  The presets are in
 * a folder share/ventus/configs beside the folder of the library or above it; without
 * such a folder they are the built-in ones.  `folder`, if not NULL, receives its path,
 * or "" (free it too).  NULL: no host memory, and nothing to free. */
char **
ventus_dev_presets(char **folder);

/* Abilities of an engine besides executing kernels. */
enum ventus_dev_capability {
    VENTUS_DEV_STEPS = 1,  /* hooks.step after each instruction */
    VENTUS_DEV_CHECKS = 2, /* faults name their instruction; limits are kept */
    VENTUS_DEV_CYCLES = 4, /* cycles, counters of a result; hooks.issue */
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

/* Lists all engines. */
const struct ventus_dev_engine *
ventus_dev_engines(size_t *count);

/* The name of capability 1 << number, as "counts cycles"; NULL: no such capability. */
const char *
ventus_dev_capability_name(unsigned number);

struct ventus_dev_options {
    const char *config;     /* a preset, or the path of an ini; NULL: default */
    const char *const *set; /* "key=value", takes precedence over the file */
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

/* The text of a setting of this kind; "" if it is not set, or there is none of that name. */
const char *
ventus_dev_text(const struct ventus_dev *d, const char *name);

/* The part that a device ran as code of the host so far; none with `execution` =
 * interpreter. */
struct ventus_dev_share {
    /* Instructions of warps, of launches that may run such code.  Those that code of the
     * host calls the interpreter for are native, too. */
    uint64_t native, interpreted;
    /* Why some of it was interpreted, until the next launch; NULL: no obstacle. */
    const char *why;
};

/* Waits for the launches.  Zeros: all was interpreted, or the engine has no such code. */
struct ventus_dev_share
ventus_dev_native_share(struct ventus_dev *d);

/* Whether the engine of the device has this capability. */
bool
ventus_dev_can(const struct ventus_dev *d,
               enum ventus_dev_capability capability);

/* The capabilities (bits of enum ventus_dev_capability) of the engine that a device
 * with these options would have.  Creates no device; false: the options are wrong. */
bool
ventus_dev_capabilities(const struct ventus_dev_options *options,
                        unsigned *capabilities);

/* ---- contexts ---- */

/* Memory and programs of an application: programs of one context access no memory of
 * another, nor of ventus_dev_alloc.  A context costs nothing on the device until it is
 * used.  It is freed before the device is closed.  NULL: no host memory. */
struct ventus_dev_context *
ventus_dev_context_new(struct ventus_dev *d);

/* Waits for the launches of the context, frees its memory and programs.  NULL does
 * nothing. */
void
ventus_dev_context_free(struct ventus_dev_context *c);

/* ---- memory ---- */

enum ventus_dev_alloc_flags {
    VENTUS_DEV_READ_ONLY = 1, /* kernels only read it; ventus_dev_write works */
    /* Kernels only write it, while they are checked. */
    VENTUS_DEV_WRITE_ONLY = 2,
    VENTUS_DEV_WHEN_CHECKED = 4 /* READ_ONLY applies, too, only while checked */
};

/* Allocates zeroed, page-aligned memory; 0 if none is left.  A size of 0 counts as 1. */
uint64_t
ventus_dev_alloc(struct ventus_dev *d, uint64_t size, unsigned flags);

/* Allocates in a context; addresses are unique on the device. */
uint64_t
ventus_dev_alloc_in(struct ventus_dev_context *c, uint64_t size,
                    unsigned flags);

/* Maps the caller's memory [host, host + size) for programs of a context, at the same
 * address: `host` is a multiple of 4096, and the rest of the last page belongs to the
 * caller, too.  Host and kernels may use it at once; atomics of 32 bits are atomic for
 * both.  The memory must exist until ventus_dev_free of its address.  False: the
 * device cannot address it (docs/abi.md, Shared memory), or has no memory for the
 * mapping. */
bool
ventus_dev_share(struct ventus_dev_context *c, void *host, uint64_t size,
                 unsigned flags);

/* Frees an address that ventus_dev_alloc, ventus_dev_alloc_in or ventus_dev_place
 * returned, or that was given to ventus_dev_share. */
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

/* Copies as memmove does. */
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
    const char *name, *type_name; /* "" if the file does not record it */
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
    uint32_t local_B;      /* static local memory of a workgroup, bytes */
    uint32_t private_B;    /* private memory of a work-item, bytes */
    uint32_t required_wg[3], hint_wg[3]; /* all zero if not given */
    uint32_t spills;       /* instructions that save or restore registers */
    const char *hint_type; /* operand of vec_type_hint, or "" */
    bool uniform_groups; /* right only where local sizes divide global sizes */
    bool recorded; /* described by the file; else a symbol, with defaults */
    const struct ventus_dev_param *params;
    size_t n_params;
    /* A range of local_B that library functions alone use: its accesses are no races. */
    uint32_t exchange_at, exchange_B;
    /* Atomic accesses of local memory are all atomic instructions (docs/abi.md). */
    bool exact_atomics;
    /* Lanes of a sub-group, a power of two, at most those of a warp; 0: those. */
    uint32_t required_sub_group;
};

/* Loads a linked ELF; `name` is for messages.  The bytes are copied.  NULL: refused, also
 * if a kernel requires sub-groups of more lanes than a warp has. */
struct ventus_dev_program *
ventus_dev_load(struct ventus_dev *d, const void *elf, size_t size,
                const char *name);

/* Loads a program for the memory of a context. */
struct ventus_dev_program *
ventus_dev_load_in(struct ventus_dev_context *c, const void *elf, size_t size,
                   const char *name);

/* Waits for the launches of the program, then unloads it.  NULL does nothing. */
void
ventus_dev_unload(struct ventus_dev_program *p);

/* The kernels that the file records; if it records none, its global functions. */
const struct ventus_dev_kernel *
ventus_dev_kernels(const struct ventus_dev_program *p, size_t *count);

/* Finds a kernel by name; a name of NULL finds the only kernel.  NULL: not found. */
const struct ventus_dev_kernel *
ventus_dev_find(const struct ventus_dev_program *p, const char *name);

/* Describes an address in the code for messages: "scale+0x1c (scale.s:12)". */
bool
ventus_dev_describe(const struct ventus_dev_program *p, uint64_t pc, char *text,
                    size_t size);

/* ---- launches ---- */

enum ventus_dev_arg_kind {
    VENTUS_DEV_ARG_BYTES,
    VENTUS_DEV_ARG_BUFFER,
    VENTUS_DEV_ARG_LOCAL,
    VENTUS_DEV_ARG_POINTER /* as a buffer, but any address is accepted */
};

struct ventus_dev_arg {
    enum ventus_dev_arg_kind kind;
    const void *bytes;
    uint64_t size;    /* number of the bytes, or size of the local memory */
    uint64_t address; /* in or of a buffer; 0 is the null pointer */
    uint32_t align;   /* at most 2^20; 0: as the kernel records, else by size */
    /* Bytes of the buffer that are meant, for checks; 0: all. */
    uint64_t part_B;
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
    /* Receives raw, whole records of the print buffer in order; launch.printed then
     * receives nothing. */
    void (*print)(void *ctx, const void *records, size_t size);
    /* VENTUS_DEV_STEPS: called after each instruction, see <ventus/sim.h>; slow. */
    void (*step)(void *ctx, const struct ventus_sim_step *step);
    /* VENTUS_DEV_CYCLES: called when an instruction is issued. */
    void (*issue)(void *ctx, uint64_t cycle, unsigned sm, unsigned warp,
                  uint64_t pc, uint32_t word);
};

struct ventus_dev_launch {
    const struct ventus_dev_kernel *kernel;
    unsigned work_dim;  /* 1 to 3 */
    uint64_t global[3]; /* work-items; 0 counts as 1 */
    /* Size of a workgroup; all 0: chosen.  The last workgroup of a row has the
     * remainder of global. */
    uint64_t local[3];
    uint64_t offset[3]; /* offset of global ids */
    const struct ventus_dev_arg *args;
    size_t n_args;
    uint32_t local_B;   /* local memory in addition */
    uint32_t private_B; /* per work-item, if the kernel needs more */
    FILE *printed;      /* receives the printed text of kernels; or NULL */
    /* Size of the print buffer, at least 12; 0: 64 KiB if one is needed. */
    uint32_t print_B;
    const struct ventus_dev_hooks *hooks; /* copied; or NULL */
    bool stats;                           /* fill result.stats; costs speed */
    /* VENTUS_DEV_PROFILES: filled by the launch. */
    struct ventus_dev_profile *profile;
    struct ventus_dev_counters
        *sm; /* with stats, filled for each SM; or NULL */
    /* Filled if launches are checked for races, or for `api` on the functional machine
     * (<ventus/dev_check.h>); or NULL. */
    struct ventus_dev_touched *touched;
    /* Bare devices: the launch, with `hooks` and `stats` of this struct.  All that it
     * refers to is in memory; its own hooks, stats, first, count and stop are ignored.
     * See <ventus/sim.h>. */
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
    unsigned n_classes; /* counts by execution unit */
    struct ventus_dev_class {
        const char *name;
        uint64_t warp, thread;
    } classes[16];
};

/* Adds the counts of a launch to a sum; max_stack becomes the maximum. */
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

/* The value of `item` in a fault of a lane without a work-item; only machines with the
 * key all_lanes run such lanes. */
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
    /* The reason of a failure, one line, more for a deadlock.  After a success: a line
     * for each instruction of the program that has accessed padding for the first
     * time, or "". */
    char message[2048];
    struct ventus_dev_fault fault;
    struct ventus_dev_stats stats;
    /* CLOCK_MONOTONIC: submitted, begun, ended; cycles if the engine counts them. */
    uint64_t queued_ns, start_ns, end_ns;
    uint64_t cycles;
    struct ventus_dev_counters counters;  /* filled with launch.stats */
    const struct ventus_dev_counters *sm; /* the launch's, if it was filled */
    /* Set by machines that count cycles. */
    unsigned num_sm, num_warp, clock_MHz;
    const struct ventus_dev_profile
        *profile; /* the launch's, if it was filled */
};

/* Chooses the size of workgroups for a launch that gives none. */
void
ventus_dev_choose_local(const struct ventus_dev *d,
                        const struct ventus_dev_kernel *k,
                        const uint64_t global[3], uint64_t local[3]);

/* Checks and queues a launch.  NULL: refused, ventus_dev_message says why. */
struct ventus_dev_ticket *
ventus_dev_submit(struct ventus_dev *d, const struct ventus_dev_launch *launch);

enum ventus_dev_state
ventus_dev_query(const struct ventus_dev_ticket *t);

/* Workgroups that have ended, and in *all their total; 0 have ended while the launch
 * waits. */
uint64_t
ventus_dev_progress(const struct ventus_dev_ticket *t, uint64_t *all);

/* Warp instructions that the launch has executed, without the last few thousand: the
 * only progress that a launch of few long workgroups has. */
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

/* Waits for the end of the launch.  False: it failed, as ventus_dev_message and
 * *result say. */
bool
ventus_dev_wait(struct ventus_dev_ticket *t, struct ventus_dev_result *result);

/* Waits for the end of the launch and frees the ticket.  NULL does nothing. */
void
ventus_dev_ticket_free(struct ventus_dev_ticket *t);

/* Submits, waits and frees.  *result has the reason of a failure, also of a refusal. */
bool
ventus_dev_run(struct ventus_dev *d, const struct ventus_dev_launch *launch,
               struct ventus_dev_result *result);

/* ---- profiles, on machines that count cycles ---- */

/* An empty profile, owned by the caller and filled by one launch.  NULL: no host
 * memory. */
struct ventus_dev_profile *
ventus_dev_profile_new(void);

void
ventus_dev_profile_free(struct ventus_dev_profile *p);

/* Files that a device writes about all its launches; NULL: this file is not written. */
struct ventus_dev_record {
    const char *trace;  /* for Perfetto; NAME.pftrace: its own format, else
                           JSON */
    const char *konata; /* pipelines, for Konata */
    const char *events; /* issues, write-backs, requests: docs/events.md */
    const char *json;   /* a line of JSON per launch, with its profile */
    const char *report; /* a page of HTML */
    FILE *hot;          /* at the end: the hottest lines of each kernel */
    /* Limits of the traces; all 0: everything is traced. */
    uint64_t from_cycle, to_cycle; /* cycles of each launch; to 0: its end */
    const char *kernel;            /* only this kernel */
    unsigned sm;
    bool one_sm; /* only the SM `sm` */
    /* Size at which `trace` and `konata` end, approximately; 0: with the last launch.
     * `notes` receives a line if that happens; NULL: no line is written. */
    uint64_t trace_max_B;
    FILE *notes;
};

/* Begins to write the files; called once, before the first launch.  False: the engine
 * has no VENTUS_DEV_PROFILES, or a file cannot be written. */
bool
ventus_dev_record(struct ventus_dev *d, const struct ventus_dev_record *what);

/* Completes the files, as ventus_dev_close does.  False: a file is incomplete. */
bool
ventus_dev_record_end(struct ventus_dev *d);

/* ---- a debugger ---- */

/* Runs launches under GDB, docs/debugging.md.  The first one waits until GDB has
 * connected to `where`, on this host: "PORT", 0 for any; "unix:PATH"; "fd:N", a socket
 * that listens.  `told`, if not NULL, receives the address for GDB.  False: the engine
 * has no VENTUS_DEV_SANITIZES, or nothing can listen there.  Launches then have one
 * host thread and no limits, and fill no statistics. */
bool
ventus_dev_debug(struct ventus_dev *d, const char *where, FILE *told);

/* Waits for launches and tells GDB that there will be no more. */
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
