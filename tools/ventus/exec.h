/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `ventus exec`, shared by its files. */
#pragma once

#include <getopt.h>
#include <stdio.h>

#include <ventus/dev.h>
#include <ventus/dev_check.h>
#include <ventus/isa.h>

#include "base/diag.h"
#include "base/vec.h"
#include "dev/capture/recorder.h"

/* INDEX=FILE of --dump, or INDEX[:TYPE] of --show. */
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
    const char *const *files; /* files of the kernel, or of cases */
    unsigned n_files;
    const char *kernel; /* name of the kernel; NULL: the only one */
    unsigned work_dim;
    uint64_t grid[3], local[3], offset[3];
    bool offset_given;
    /* Enum ventus_isa_version; 0: that of the preset, of the file, or v1. */
    unsigned version;
    vec(const char *) set;
    vec(const char *) args;
    vec(struct exec_output) outputs;
    vec(struct exec_dump) dumps;
    const char *device, *log, *log_dir, *issues;
    const char *engine; /* of --engine; NULL: not given */
    unsigned threads;
    bool stats, json, all_lanes, quiet, hot, coherence;
    bool piped; /* standard output receives a file, and no text for people */
    struct ventus_dev_record record;
    bool checked;
    struct ventus_dev_check check;
    const char *check_json, *check_sarif;
    const char *gdb; /* address for GDB */
    /* Recording of the launch with its memory. */
    struct recorder_options recording;
    struct recorder *recorder;
    const char *language;    /* language of standard input: cl or s; NULL: cl */
    vec(const char *) build; /* options of `ventus cc`, for OpenCL C */
};

/* The name in messages: "exec", or "replay", which shares these files. */
extern const char *exec_name;

/* exec_options.c: takes an option of `ventus exec`; false: an error, which is
 * reported. */
bool
exec_take_option(struct exec *e, int c);

/* exec_record.c: begins to write traces and reports, and ends; false: an error, which
 * is reported. */
bool
exec_record(struct exec *e, struct ventus_dev *dev);

bool
exec_record_end(struct ventus_dev *dev);

/* Writes a line of --issues to ctx, a FILE. */
void
exec_issue(void *ctx, uint64_t cycle, unsigned sm, unsigned warp, uint64_t pc,
           uint32_t word);

/* exec_record.c: whether a device of these options supports the checks and the
 * debugger.  Prints the reason if not. */
bool
exec_may_check(const struct exec *e);

/* exec_record.c: begins the requested checks; and sums them up, false: there are
 * findings, or an error, which is reported. */
bool
exec_check(struct exec *e, struct ventus_dev *dev);

bool
exec_check_end(const struct exec *e, struct ventus_dev *dev);

/* exec_record.c: begins to record the launch, and ends; false: an error, which is
 * reported. */
bool
exec_recorder(struct exec *e, struct ventus_dev *dev);

bool
exec_recorder_end(struct exec *e);

/* exec_build.c: whether a file is OpenCL C, by its name or, for standard input, by -x. */
bool
exec_is_source(const struct exec *e, const char *path);

/* exec_build.c: makes a program from FILE.elf, FILE.s or FILE.cl; NULL: an error,
 * which is reported. */
const uint8_t *
exec_build(struct exec *e, const char *path, size_t *size);

/* exec_output.c: says after a launch what ran as code of the host, if --engine was given. */
void
exec_tell_share(const struct exec *e, struct ventus_dev *dev);

/* Whether --engine native is there, and an option which interprets. */
bool
exec_wants_both(const struct exec *e);

/* exec_output.c: checks that all outputs name buffers.  False: an error, which is
 * reported. */
struct spec;

bool
exec_check_outputs(const struct exec *e, const struct spec *spec, size_t n);

/* Checks that all files of the options can be written.  0, or the exit status after a
 * report. */
int
exec_may_write(struct exec *e);

/* Prints and writes the outputs. */
bool
exec_write_outputs(struct exec *e, const struct spec *spec,
                   struct ventus_dev *dev);

/* exec_launch.c: a launch.  The caller sets kernel, sizes and arguments of `launch`;
 * the run fills the result, and the profile if there is one.  False: the message of
 * the result has the reason, or it is reported. */
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

/* exec_progress.c: waits for the end of a launch, and shows its progress on a
 * terminal.  Ctrl-C stops the launch, a second one ends the process. */
void
exec_watch(struct ventus_dev_ticket *t, const char *name);

/* The stream of text for people: standard output, unless that receives a file. */
FILE *
exec_text(const struct exec *e);

/* Whether Ctrl-C has ended a launch. */
bool
exec_interrupted(void);

/* The exit status: 0 or 1, and 130 after Ctrl-C. */
int
exec_status(bool ok);

/* exec_cases.c: runs upstream cases; returns the exit status. */
int
exec_cases(struct exec *e);

/* Prints the message of the last call; returns 1. */
int
exec_fail(void);
