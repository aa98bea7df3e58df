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
#ifdef __GNUC__ /* Exported, whatever -fvisibility says. */
#pragma GCC visibility push(default)
#endif

struct ventus_dev;

/*
 * The checks of the launches of a device, docs/debugging.md; findings do not end
 * a launch.  Members that are 0 or NULL have the default.
 */
struct ventus_dev_check {
    /* Kinds of docs/debugging.md, as "memory,race"; NULL: all. */
    const char *kinds;
    FILE *text; /* receives findings in words; NULL: they are not written */
    const char *suppress; /* a file that names the findings to leave out */
    uint64_t limit;       /* findings that are written in full [100] */
    bool uniform_writes;  /* also reports races that write the same value */
};

/* Begins to check; called once, before the first allocation.  False: a member is
 * wrong, or launches are to be checked and the engine has no VENTUS_DEV_SANITIZES. */
bool
ventus_dev_check(struct ventus_dev *d, const struct ventus_dev_check *what);

/* The number of different findings so far, and the sum of their counts. */
uint64_t
ventus_dev_check_found(struct ventus_dev *d, uint64_t *all);

/* A mistake of the host program, reported with ventus_dev_check_note: it is counted,
 * suppressed and written as those of kernels are; an equal text adds to its count.
 * Without checks nothing happens. */
struct ventus_dev_note {
    /* Name of the finding in files and filters, not copied. */
    const char *finding;
    const char *text;   /* one line */
    const char *kernel; /* name of the kernel, or NULL */
    const char *place;  /* for filters: the call, or the kind of the object */
    uint64_t count;     /* number of occurrences, above 0 */
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

/* Finds `least` consecutive bytes in [at, at + size) that neither a launch nor the
 * program has written.  False: there are none, or `kinds` has neither init nor api. */
bool
ventus_dev_check_unwritten(struct ventus_dev *d, uint64_t at, uint64_t size,
                           uint64_t least, uint64_t *from);

/* Sets the call that created an allocation, for findings.  Without checks or with a
 * text of NULL nothing happens. */
void
ventus_dev_check_origin(struct ventus_dev *d, uint64_t at, const char *text);

/* Writes a summary in words.  False: it is incomplete. */
bool
ventus_dev_check_summary(struct ventus_dev *d, FILE *text);

/* Writes all findings of n devices as JSON.  False: the file is incomplete. */
bool
ventus_dev_check_json(struct ventus_dev *const *device, unsigned n, FILE *out);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
