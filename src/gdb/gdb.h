/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include "sim/instrumentation.h"

/*
 * A stub of GDB's remote serial protocol for the launches of a device.  The
 * driver opens it once, tells it of each launch, and gives the machine the run
 * loop of gdb_begin.  A launch stops in that loop, on the thread that runs it,
 * while GDB looks around; so nothing else uses the machine meanwhile.
 */
struct gdb;

struct gdb_argument {
    const char *name, *type; /* "" if not recorded */
    const char *kind;        /* "global", "value" ... */
    uint64_t address,
        size;          /* of a buffer or of local memory; size 0: not known */
    const void *bytes; /* of a value; else NULL */
};

/* A source whose text the program has: the host may have no file of it. */
struct gdb_source {
    const char *name, *text;
};

/*
 * Launches of the device before one, to which GDB may go back.  They are
 * numbered from 0; those from `first` to `number` - 1 are there.
 */
struct gdb_past {
    void *ctx;
    uint64_t first, number;
    /* The name of its kernel. */
    const char *(*kernel)(void *ctx, uint64_t number);
    /* Runs it again, elsewhere, with the loop of gdb_begin.  False: it does
     * not run, and `text` says why. */
    bool (*rerun)(void *ctx, uint64_t number, char *text, size_t size);
};

/* Facts of a launch that the driver knows. */
struct gdb_launch {
    const char *kernel;  /* its name */
    const char *program; /* what the ELF is called */
    const void *elf;
    size_t elf_B;
    uint64_t id;          /* of the program: the same for the same one */
    uint64_t code, entry; /* where it is loaded; where the kernel begins */
    unsigned dim;
    uint64_t global[3], local[3], offset[3];
    const struct gdb_argument *arguments;
    size_t n_arguments;
    const struct gdb_source *sources;
    size_t n_sources;
    /* Empties the print buffer; quiet: of what has been printed before.
     * `drained` is what it keeps meanwhile. */
    void (*drain)(void *ctx, bool quiet);
    void *drain_ctx;
    uint32_t *drained;
    uint64_t print_address, print_size; /* physical */
    const struct gdb_past *past;        /* or NULL */
    /* A place in the code in words. */
    bool (*describe)(void *ctx, uint64_t pc, char *text, size_t size);
    void *describe_ctx;
};

/*
 * Listens where GDB will connect: "PORT" of 127.0.0.1, 0 for a free one; "unix:PATH";
 * "fd:N", a socket that listens.  What it is goes to `told`, if not NULL.
 * NULL: `text` says why not.
 */
struct gdb *
gdb_open(const char *where, FILE *told, char *text, size_t size);

/* Tests whether gdb_open could listen there now.  Nothing listens any more when this
 * returns, except fd:N, which the caller has opened.  False: `text` says why not. */
bool
gdb_may_open(const char *where, char *text, size_t size);

/*
 * A launch begins; the first one waits for GDB.  The loop for its hooks; NULL:
 * GDB is gone.  `check`: the loop of checks, or NULL.  *launch stays until
 * gdb_end.
 */
const struct ventus_sim_instrumentation *
gdb_begin(struct gdb *g, const struct gdb_launch *launch,
          const struct ventus_sim_instrumentation *check);

void
gdb_end(struct gdb *g);

/* Stops the launch after the instruction that runs, as a check has found something:
 * for this lane of the warp; -1: for its first one that is active. */
void
gdb_notice(struct gdb *g, int lane, const char *text);

/* Tests whether GDB has left, or will never come. */
bool
gdb_is_gone(const struct gdb *g);

/* The program has ended with this status. */
void
gdb_close(struct gdb *g, int status);
