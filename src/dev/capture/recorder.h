/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/*
 * Records the launches of devices into one file (recording/recording.h):
 *
 *     struct recorder *r = recorder_open(&what);
 *     recorder_add(r, device);          before its first allocation
 *     ... launches ...
 *     recorder_close(r);                before the device is closed
 *
 * A launch is recorded before it runs, when its thread holds the machine's lock.  With
 * `on_fault` alone nothing is written until one fails.
 */
struct recorder_options {
    const char *path;     /* all launches; NULL: none */
    const char *on_fault; /* the first one that fails, by itself; or NULL */
    bool results;         /* in `path` also what memory is after each */
    uint64_t past_B;      /* of recordings that a debugger may go back to */
};

struct recorder;

/* NULL: ventus_dev_message says why. */
struct recorder *
recorder_open(const struct recorder_options *what);

/* Adds a device; memory that was allocated before counts as written by the host.  False:
 * ventus_dev_message. */
bool
recorder_add(struct recorder *r, struct ventus_dev *d);

/* Waits for the launches, writes the file out.  False: ventus_dev_message says
 * why it is not there.  NULL does nothing. */
bool
recorder_close(struct recorder *r);

/* Launches of a device that have ended, if a debugger may go back to them; else NULL.
 * For other files of the driver; the machine's lock must be held. */
struct past *
recorder_past(const struct ventus_dev *d);
