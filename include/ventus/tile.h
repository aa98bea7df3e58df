/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tile machine: up to four PEs of eight threads; a thread is a RISC-V hart
 * and a tile core with 256 tile registers and five queues.
 *
 *     struct tile_machine *m =
 *         tile_create(&(struct tile_options){ .threads = 2 });
 *     tile_load(m, "prog.elf", bytes, size, &sink);
 *     enum tile_end end = tile_run(m, 0);
 *     if (end != TILE_EXITED)
 *         tile_report(m, stderr);           the fault, hazards, who waits
 *     int status = tile_status(m);
 *     tile_destroy(m);
 *
 * Every thread starts at the program's entry with its own stack; ttid and
 * tpeid say which one it is.  Services of the host are ecalls with Linux'
 * numbers: write (64), exit (93, ends the thread), exit_group (94, ends all).
 *
 * Modes.  A tile instruction is put into its unit's queue; when it is executed
 * the architecture leaves open until a t_wait.  TILE_INORDER executes it at
 * once; TILE_DEFERRED as late as it may, the queues against each other in an
 * order that the seed decides.  A correct program gives the same result in
 * both.  `check` reports every access that no t_wait orders, with both pcs.
 * `timing` gives cycles, from latencies in a configuration file.
 *
 * A machine belongs to one host thread; the same options and program give the
 * same results.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <ventus/tile_isa.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tile_mode { TILE_INORDER, TILE_DEFERRED };

struct tile_timing {
    unsigned latency[TILE_LAT_COUNT];  /* cycles, issue to result */
    unsigned interval[TILE_LAT_COUNT]; /* cycles the unit is busy */
};

struct tile_options {
    unsigned pes, threads; /* 0: 1 PE, 1 thread in each */
    enum tile_mode mode;
    uint64_t seed;
    bool check, timing;
    uint64_t ram_size;               /* 0: 256 MiB */
    uint32_t smem_size, l2b_size;    /* 0: 256 KiB a PE, 4 MiB */
    FILE *out, *trace;               /* what the program writes; or NULL */
    const struct tile_timing *costs; /* NULL: as in tile.isa */
};

enum tile_end {
    TILE_EXITED,   /* all threads have ended */
    TILE_FAULTED,  /* tile_fault_of */
    TILE_HAZARD,   /* the checker found something */
    TILE_DEADLOCK, /* no thread can go on */
    TILE_LIMIT,    /* instructions used up; may be called again */
    TILE_NO_MEMORY /* of the host */
};

/* RISC-V's mcause. */
enum tile_cause {
    TILE_CAUSE_FETCH = 1,
    TILE_CAUSE_ILLEGAL = 2,
    TILE_CAUSE_BREAK = 3,
    TILE_CAUSE_LOAD_MISALIGNED = 4,
    TILE_CAUSE_LOAD = 5,
    TILE_CAUSE_STORE_MISALIGNED = 6,
    TILE_CAUSE_STORE = 7
};

struct tile_fault {
    enum tile_cause cause;
    unsigned pe, thread;
    uint64_t pc;    /* of the first word */
    uint64_t value; /* address, or the first word */
};

/* Two accesses that nothing orders. */
struct tile_hazard {
    unsigned pe, thread;          /* of the second one */
    uint64_t first_pc, second_pc; /* second 0: at the end of the thread */
    enum tile_unit first, second; /* second TILE_UNIT_COUNT: the hart */
    bool first_writes, second_writes;
    int reg;          /* tile register, or -1: memory */
    uint64_t address; /* of memory */
};

struct tile_stats {
    uint64_t instructions, cycles;
    uint64_t tile[TILE_OP_COUNT]; /* executed, by row */
    uint64_t macs, bytes_global, bytes_share, waits;
};

struct tile_machine;
struct diag_sink;

struct tile_machine *
tile_create(const struct tile_options *options);

void
tile_destroy(struct tile_machine *m);

/* An ELF64 program; false, and errors in the sink, if it cannot be loaded. */
bool
tile_load(struct tile_machine *m, const char *name, const uint8_t *image,
          size_t size, struct diag_sink *sink);

/* Arguments in a0.. of every thread; call it after tile_load. */
void
tile_set_arguments(struct tile_machine *m, const uint64_t *args, unsigned n);

/* Runs until the end, or for about `limit` instructions if not 0. */
enum tile_end
tile_run(struct tile_machine *m, uint64_t limit);

/* Global memory; false if the range is not all there. */
bool
tile_read(const struct tile_machine *m, uint64_t at, void *to, size_t size);

bool
tile_write(struct tile_machine *m, uint64_t at, const void *from, size_t size);

/* The address of a symbol of the program, 0 if there is none. */
uint64_t
tile_symbol(const struct tile_machine *m, const char *name);

const struct tile_fault *
tile_fault_of(const struct tile_machine *m);

/* The hazards found, at most a few of each pair of instructions. */
const struct tile_hazard *
tile_hazards(const struct tile_machine *m, size_t *count);

const struct tile_stats *
tile_stats_of(struct tile_machine *m);

/* What exit was called with. */
int
tile_status(const struct tile_machine *m);

/* Why it ended, in words. */
void
tile_report(const struct tile_machine *m, FILE *out);

/* Reads "CLASS LATENCY [INTERVAL]" lines over the defaults. */
bool
tile_read_timing(struct tile_timing *t, const char *name, const char *text,
                 struct diag_sink *sink);

#ifdef __cplusplus
}
#endif
