/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tile machine: up to four PEs of eight threads; a thread is a RISC-V hart
 * and a tile core with 256 tile registers and five queues.
 *
 *     struct ventus_tile_machine *m =
 *         ventus_tile_create(&(struct ventus_tile_options){ .threads = 2 });
 *     ventus_tile_load(m, "prog.elf", bytes, size, text, sizeof text);
 *     enum ventus_tile_end end = ventus_tile_run(m, 0);
 *     if (end != VENTUS_TILE_EXITED)
 *         ventus_tile_report(m, stderr);           the fault, hazards, waiting threads
 *     int status = ventus_tile_status(m);
 *     ventus_tile_destroy(m);
 *
 * Every thread starts at the program's entry with its own stack; ttid and
 * tpeid say which one it is.  Services of the host are ecalls with Linux'
 * numbers: write (64), exit (93, ends the thread), exit_group (94, ends all).
 *
 * Modes.  A tile instruction enters the queue of its unit; the architecture does
 * not define when it executes before a t_wait.  VENTUS_TILE_INORDER executes it
 * at once; VENTUS_TILE_DEFERRED as late as permitted, with an order between the
 * queues that depends on the seed.  A correct program gives the same
 * result in both.  `check` reports every access that no t_wait orders, with
 * both pcs.  `timing` gives cycles, from latencies in a configuration file.
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
#ifdef __GNUC__ /* Exported, whatever -fvisibility says. */
#pragma GCC visibility push(default)
#endif

enum ventus_tile_mode { VENTUS_TILE_INORDER, VENTUS_TILE_DEFERRED };

struct ventus_tile_timing {
    unsigned latency[VENTUS_TILE_LAT_COUNT];  /* cycles, issue to result */
    unsigned interval[VENTUS_TILE_LAT_COUNT]; /* cycles the unit is busy */
};

struct ventus_tile_options {
    unsigned pes, threads; /* 0: 1 PE, 1 thread in each */
    enum ventus_tile_mode mode;
    uint64_t seed;
    bool check, timing;
    uint64_t ram_size;  /* 8 KiB to 4 GiB; 0: 256 MiB */
    uint32_t smem_size; /* per PE, up to 16 MiB; 0: 256 KiB */
    uint32_t l2b_size;  /* up to 2 GiB; 0: 4 MiB */
    FILE *out, *trace;  /* output of the program; or NULL */
    const struct ventus_tile_timing *costs; /* NULL: as in tile.isa */
};

enum ventus_tile_end {
    VENTUS_TILE_EXITED,   /* all threads have ended */
    VENTUS_TILE_FAULTED,  /* a thread faulted: ventus_tile_fault_of */
    VENTUS_TILE_HAZARD,   /* the checker found a hazard */
    VENTUS_TILE_DEADLOCK, /* no thread can continue */
    /* The limit of instructions is reached; call again to continue. */
    VENTUS_TILE_LIMIT,
    VENTUS_TILE_NO_MEMORY /* the host has no memory */
};

/* Causes of a fault, as RISC-V's mcause. */
enum ventus_tile_cause {
    VENTUS_TILE_CAUSE_FETCH = 1,
    VENTUS_TILE_CAUSE_ILLEGAL = 2,
    VENTUS_TILE_CAUSE_BREAK = 3,
    VENTUS_TILE_CAUSE_LOAD_MISALIGNED = 4,
    VENTUS_TILE_CAUSE_LOAD = 5,
    VENTUS_TILE_CAUSE_STORE_MISALIGNED = 6,
    VENTUS_TILE_CAUSE_STORE = 7
};

struct ventus_tile_fault {
    enum ventus_tile_cause cause;
    unsigned pe, thread;
    uint64_t pc;    /* address of the first word */
    uint64_t value; /* address of the access, or the first word */
};

/* Two unordered accesses. */
struct ventus_tile_hazard {
    unsigned pe, thread;          /* thread of the second access */
    uint64_t first_pc, second_pc; /* second 0: at the end of the thread */
    enum ventus_tile_unit first,
        second; /* second VENTUS_TILE_UNIT_COUNT: the hart */
    bool first_writes, second_writes;
    int reg;          /* tile register, or -1: memory */
    uint64_t address; /* address in memory */
};

struct ventus_tile_stats {
    uint64_t instructions, cycles;
    uint64_t tile[VENTUS_TILE_OP_COUNT]; /* executed instructions by row */
    uint64_t macs, bytes_global, bytes_share, waits;
};

struct ventus_tile_machine;

/* Creates a machine.  NULL: no host memory, or options out of range. */
struct ventus_tile_machine *
ventus_tile_create(const struct ventus_tile_options *options);

void
ventus_tile_destroy(struct ventus_tile_machine *m);

/* Loads an ELF64 program.  False: the reason is in `text` if not NULL. */
bool
ventus_tile_load(struct ventus_tile_machine *m, const char *name,
                 const uint8_t *image, size_t size, char *text,
                 size_t text_size);

/* Sets the arguments of every thread, in a0 and up; call it after ventus_tile_load. */
void
ventus_tile_set_arguments(struct ventus_tile_machine *m, const uint64_t *args,
                          unsigned n);

/* Runs until the end, or for about `limit` instructions if not 0. */
enum ventus_tile_end
ventus_tile_run(struct ventus_tile_machine *m, uint64_t limit);

/* Reads or writes global memory.  False: part of the range does not exist. */
bool
ventus_tile_read(const struct ventus_tile_machine *m, uint64_t at, void *to,
                 size_t size);

bool
ventus_tile_write(struct ventus_tile_machine *m, uint64_t at, const void *from,
                  size_t size);

/* The address of a symbol of the program, 0 if there is none. */
uint64_t
ventus_tile_symbol(const struct ventus_tile_machine *m, const char *name);

const struct ventus_tile_fault *
ventus_tile_fault_of(const struct ventus_tile_machine *m);

/* The hazards found, at most a few of each pair of instructions. */
const struct ventus_tile_hazard *
ventus_tile_hazards(const struct ventus_tile_machine *m, size_t *count);

const struct ventus_tile_stats *
ventus_tile_stats_of(struct ventus_tile_machine *m);

/* The program's exit status. */
int
ventus_tile_status(const struct ventus_tile_machine *m);

/* Writes why the run ended, in words. */
void
ventus_tile_report(const struct ventus_tile_machine *m, FILE *out);

/* Reads lines "CLASS LATENCY [INTERVAL]" over the defaults; `text` receives the reason
 * of a failure. */
bool
ventus_tile_read_timing(struct ventus_tile_timing *t, const char *name,
                        const char *lines, char *text, size_t text_size);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
