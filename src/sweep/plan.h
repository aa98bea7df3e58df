/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

#include "base/diag.h"
#include "sweep/values.h"

/*
 * The plan of a sweep, from an ini file:
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
 * The points are all combinations.  A value of a key is a word, or a range
 * FROM..TO+STEP or FROM..TO*FACTOR.  All text is in the arena.
 */
struct sweep_axis {
    const char *key;
    sweep_words values;
    struct diag_at at;
};

/* A column of the table that is computed by an expression (metrics.h). */
struct sweep_metric {
    const char *name, *text;
};

struct sweep_program {
    const char *name;
    bool host;         /* `run`: an OpenCL program; else `exec`: a kernel */
    sweep_words words; /* words of its command */
    sweep_words files; /* files that it reads, besides those in the words */
    struct diag_at at;
};

struct sweep_plan {
    const char *file;      /* path of the plan */
    const char *base;      /* folder of the plan, where commands start */
    const char *folder;    /* folder of the results */
    bool model;            /* presets are for the cycle-level machine */
    unsigned time_limit_s; /* limit per point; 0: none */
    sweep_words presets, files;
    struct diag_at presets_at;
    vec(struct sweep_axis) axes;
    vec(struct sweep_metric) metrics;
    vec(struct sweep_program) programs;
};

/* A point: a program on a device. */
struct sweep_point {
    const struct sweep_program *program;
    const char *preset;
    const char *const *values; /* value for each axis */
    const uint64_t *settings; /* settings of all keys, for metrics; else NULL */
    const char *key;          /* SHA-256 of all inputs of the result */
};

struct sweep_points {
    struct sweep_point *at;
    size_t n;
};

enum { SWEEP_POINTS_MAX = 100000 };

/* Reads a plan.  False: the file has an error, which is reported. */
bool
sweep_plan_read(struct arena *a, struct sweep_plan *plan, const char *path,
                struct diag_sink *sink);

/* Lists all points: programs, then presets, then the values of the keys, of which the
 * last varies fastest.  The first point of a program is its base.  False: a setting is
 * invalid, or a file cannot be read, which is reported. */
bool
sweep_plan_points(struct arena *a, const struct sweep_plan *plan,
                  struct sweep_points *points, struct diag_sink *sink);

/* The command of a point, a list that ends with NULL; `json` is the file for the
 * launches of a host program. */
const char *const *
sweep_command(struct arena *a, const struct sweep_plan *plan,
              const struct sweep_point *point, const char *json);
