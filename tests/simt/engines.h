/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "reference.h"

/*
 * What programs run on.  A new machine, or another way to run one, is one row
 * of the table in engines.c.
 */
struct engine {
    const char *name;
    const char *preset;
    const char *set[8];
    const char *level; /* of lane loops; NULL: the best of this processor */
    unsigned least;    /* threads of a warp */
    bool counts;       /* its launches ask for statistics */
    bool cycles;       /* a cycle-level machine */
    bool broken;       /* on purpose: only if it is asked for */
};

extern const struct engine engines[];
extern const unsigned n_engines;

/* A program as machine code, and what it must leave. */
struct job {
    struct program program;
    char *text;
    uint8_t *code;
    size_t code_B;
    struct expected expected;
};

struct outcome {
    char wrong[1024];      /* "" if memory is as expected */
    uint64_t instructions; /* of warps; 0 if the engine does not count */
    unsigned max_stack;
};

/* False if it takes over `limit` statements, is not sound, or is too large.
 * What does not assemble ends the process. */
bool
job_make(struct job *j, uint64_t limit);

void
job_free(struct job *j);

/* False: the engine is not for this processor or so many lanes. */
bool
engine_run(unsigned engine, const struct job *j, struct outcome *o);

void
engines_close(void);

/* shrink.c: takes out of the program of *j what it differs without. */
void
shrink(struct job *j, unsigned engine);
