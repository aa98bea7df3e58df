/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

#include "base/diag.h"
#include "sweep/words.h"

/*
 * What a sweep runs, from an ini file:
 *
 *     [sweep]
 *     model = rtl-verilog chisel    ; presets, on the cycle-level machine
 *
 *     [keys]
 *     num_warp = 4..16*2            ; 4 8 16
 *
 *     [program vecadd]
 *     exec = examples/vecadd.s --grid 64 --arg iota:64 --arg iota:64
 *         --arg zeros:64
 *
 * Its points are all combinations.  A value of a key is a word, or a range
 * FROM..TO+STEP or FROM..TO*FACTOR.  All text is in the arena.
 */
struct sweep_axis {
    const char *key;
    sweep_words values;
    struct diag_at at;
};

/* A column of the table, by an expression (metrics.h). */
struct sweep_metric {
    const char *name, *text;
};

struct sweep_program {
    const char *name;
    bool host;         /* `run`: an OpenCL program; else `exec`: a kernel */
    sweep_words words; /* of its command */
    sweep_words files; /* that it reads, besides those that the words name */
    struct diag_at at;
};

struct sweep_plan {
    const char *file;      /* of the plan */
    const char *base;      /* its folder: commands start there */
    const char *folder;    /* of the results */
    bool model;            /* presets are of the cycle-level machine */
    unsigned time_limit_s; /* of a point; 0: none */
    sweep_words presets, files;
    struct diag_at presets_at;
    vec(struct sweep_axis) axes;
    vec(struct sweep_metric) metrics;
    vec(struct sweep_program) programs;
};

/* A point: which program, on which device. */
struct sweep_point {
    const struct sweep_program *program;
    const char *preset;
    const char *const *values; /* of each axis */
    const uint64_t *settings;  /* of all keys, for metrics; else NULL */
    const char *key;           /* what its result depends on, as SHA-256 */
};

struct sweep_points {
    struct sweep_point *at;
    size_t n;
};

enum { SWEEP_POINTS_MOST = 100000 };

/* False: something is wrong with the file, and reported. */
bool
sweep_plan_read(struct arena *a, struct sweep_plan *plan, const char *path,
                struct diag_sink *sink);

/*
 * All points: programs, then presets, then the values of the keys, of which the
 * last changes first.  The first point of a program is its base.  False: a
 * setting is none, or a file cannot be read, and that is reported.
 */
bool
sweep_plan_points(struct arena *a, const struct sweep_plan *plan,
                  struct sweep_points *points, struct diag_sink *sink);

/* The command of a point, NULL behind the last word; `json` is where a host
 * program writes its launches. */
const char *const *
sweep_command(struct arena *a, const struct sweep_plan *plan,
              const struct sweep_point *point, const char *json);
