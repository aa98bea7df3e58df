/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `ventus exec`, as its files share it. */
#pragma once

#include <getopt.h>
#include <stdio.h>

#include <ventus/dev.h>
#include <ventus/dev_check.h>
#include <ventus/isa.h>

#include "base/diag.h"
#include "base/vec.h"
#include "dev/recorder.h"

/* INDEX=FILE of --dump, INDEX[:TYPE] of --show. */
struct exec_output {
    unsigned index;
    const char *what; /* the file, or the type */
    bool show;
};

struct exec_dump {
    uint64_t address, size;
    const char *file;
};

struct exec {
    struct arena arena;
    struct diag_sink sink;
    const char *const *files; /* the kernel, or cases */
    unsigned n_files;
    const char *kernel; /* name; NULL: the only one */
    unsigned work_dim;
    uint64_t grid[3], local[3], offset[3];
    bool offset_given;
    unsigned version; /* enum ventus_isa_version; 0: the preset's, else as
                         the file says, or v1 */
    vec(const char *) set;
    vec(const char *) args;
    vec(struct exec_output) outputs;
    vec(struct exec_dump) dumps;
    const char *device, *log, *log_dir, *issues;
    unsigned threads;
    bool stats, json, all_lanes, quiet, hot;
    bool piped; /* a file that is not text for people is standard output */
    struct ventus_dev_record record;
    bool checked;
    struct ventus_dev_check check;
    const char *check_json, *check_sarif;
    const char *gdb;                   /* where GDB connects */
    struct recorder_options recording; /* of the launch, with its memory */
    struct recorder *recorder;
    const char *language;    /* of standard input: cl or s; NULL: cl */
    vec(const char *) build; /* options of `ventus cc`, for OpenCL C */
};

/* What messages begin with: "exec", or "replay", which shares these files. */
extern const char *exec_name;

/* exec_options.c: for getopt_long; takes what it returned, false: wrong. */
extern const struct option exec_options[];

bool
exec_take_option(struct exec *e, int c);

/* exec_record.c: begins to write traces and reports, and ends; false:
 * reported. */
bool
exec_record(struct exec *e, struct ventus_dev *dev);

bool
exec_record_end(struct ventus_dev *dev);

/* Writes a line of --issues to ctx, a FILE. */
void
exec_issue(void *ctx, uint64_t cycle, unsigned sm, unsigned warp, uint64_t pc,
           uint32_t word);

/* exec_record.c: would a device of these options take the checks and the debugger?
 * Prints why not. */
bool
exec_may_check(const struct exec *e);

/* exec_record.c: begins the checks that are wanted; sums them up, false: there
 * are findings, or that is reported. */
bool
exec_check(struct exec *e, struct ventus_dev *dev);

bool
exec_check_end(const struct exec *e, struct ventus_dev *dev);

/* exec_record.c: begins to record the launch, and ends; false: reported. */
bool
exec_recorder(struct exec *e, struct ventus_dev *dev);

bool
exec_recorder_end(struct exec *e);

/* exec_build.c: is it OpenCL C, by its name or, of standard input, by -x? */
bool
exec_is_source(const struct exec *e, const char *path);

/* exec_build.c: a program from FILE.elf, FILE.s or FILE.cl; NULL: reported. */
const uint8_t *
exec_build(struct exec *e, const char *path, size_t *size);

/* exec_output.c: do all outputs name buffers?  False: reported. */
struct spec;

bool
exec_check_outputs(const struct exec *e, const struct spec *spec, size_t n);

/* Could all files of the options be written?  0, or the status: reported. */
int
exec_may_write(struct exec *e);

/* Prints and writes them. */
bool
exec_write_outputs(struct exec *e, const struct spec *spec,
                   struct ventus_dev *dev);

/* exec_launch.c: kernel, sizes and arguments of `launch` are given; fills the
 * result, and the profile if there is one.  False: the message says why not, or
 * that is reported. */
struct exec_launch {
    struct exec *e;
    struct ventus_dev *dev;
    struct ventus_dev_launch launch;
    struct ventus_dev_result result;
    struct ventus_dev_profile *profile;
};

bool
exec_launch(struct exec_launch *k);

/* exec_kernel.c: runs the kernel; returns the exit status. */
int
exec_kernel(struct exec *e);

/* exec_progress.c: waits for the end of a launch; how far it is, on a terminal.
 * Ctrl-C stops it, a second one ends the process. */
void
exec_watch(struct ventus_dev_ticket *t, const char *name);

/* Where text for people goes: standard output, unless it has something else. */
FILE *
exec_text(const struct exec *e);

/* Has Ctrl-C ended a launch? */
bool
exec_interrupted(void);

/* 0 or 1, and 130 after Ctrl-C. */
int
exec_status(bool ok);

/* exec_cases.c: runs upstream cases; returns the exit status. */
int
exec_cases(struct exec *e);

/* Prints the message of the last call; returns 1. */
int
exec_fail(void);
