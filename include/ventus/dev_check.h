/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of the launches of a device: mistakes of kernels, of assembly or of any
 * compiler, and of the host program.  Devices are those of <ventus/dev.h>.
 * docs/debugging.md lists the findings and has a session with each.
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

/*
 * The checks of the launches of a device, docs/debugging.md; findings do not end
 * a launch.  Members that are 0 or NULL have the default.
 */
struct ventus_dev_check {
    const char *kinds;    /* "memory,race", or others of docs/debugging.md;
                           * NULL: all */
    FILE *text;           /* findings in words; NULL: nowhere */
    const char *suppress; /* a file: findings to leave out */
    uint64_t limit;       /* findings that are written in full [100] */
    bool uniform_writes;  /* races that write the same value, too */
};

/*
 * Before the first allocation, once.  False: something in it is wrong, or launches
 * are to be checked and the engine has no VENTUS_DEV_SANITIZES.
 */
bool
ventus_dev_check(struct ventus_dev *d, const struct ventus_dev_check *what);

/* The number of different findings so far, and the sum of their counts. */
uint64_t
ventus_dev_check_found(struct ventus_dev *d, uint64_t *all);

/* Reports a mistake of the host program: it is counted, suppressed and written as
 * those of kernels are; an equal text adds to its count.  Without checks it does
 * nothing. */
struct ventus_dev_note {
    const char *finding; /* its name in files and filters, not copied */
    const char *text;    /* a line */
    const char *kernel;  /* or NULL */
    const char *place;   /* of a filter: which call, which kind of object */
    uint64_t count;      /* how often, above 0 */
};

void
ventus_dev_check_note(struct ventus_dev *d, const struct ventus_dev_note *note);

/* Bytes that a launch accessed, by ascending address (`touched` of struct
 * ventus_dev_launch).  `written`: some access wrote; `atomic`: all were atomic. */
struct ventus_dev_touched {
    struct ventus_dev_touch {
        uint64_t from, to;
        bool written, atomic;
    } * at; /* the caller frees it */
    size_t n;
};

/* Where `least` bytes, one behind the other, begin in [at, at + size) that neither a
 * launch nor the program has written.  False: there are none, or `kinds` has neither init
 * nor api. */
bool
ventus_dev_check_unwritten(struct ventus_dev *d, uint64_t at, uint64_t size,
                           uint64_t least, uint64_t *from);

/* Which call created an allocation, for findings.  Without checks, NULL: nothing. */
void
ventus_dev_check_origin(struct ventus_dev *d, uint64_t at, const char *text);

/* Writes a summary in words.  False: not complete. */
bool
ventus_dev_check_summary(struct ventus_dev *d, FILE *text);

/* All findings of n devices as JSON.  False: not complete. */
bool
ventus_dev_check_json(struct ventus_dev *const *device, unsigned n, FILE *out);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
