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
 * A launch is recorded before it runs, when its device has got the turn.  With
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

/* What was allocated before counts as written by the host.  False:
 * ventus_dev_message. */
bool
recorder_add(struct recorder *r, struct ventus_dev *d);

/* Waits for the launches, writes the file out.  False: ventus_dev_message says
 * why it is not there.  NULL does nothing. */
bool
recorder_close(struct recorder *r);

/* ---- for the other files of the driver; the turn must be held ---- */

struct recorder_device;

void
recorder_before(struct ventus_dev_ticket *t);

/* Its result is known. */
void
recorder_after(struct ventus_dev_ticket *t);

void
recorder_allocated(struct recorder_device *d, uint64_t physical, uint64_t room,
                   bool shared);

/* By the host: bytes [from, to) of it. */
void
recorder_written(struct recorder_device *d, uint64_t physical, uint64_t from,
                 uint64_t to);

void
recorder_released(struct recorder_device *d, uint64_t physical);

/* The launch that runs uses a page of the host program, at this moment. */
void
recorder_host_page(struct recorder_device *d, uint64_t address,
                   const void *bytes);

/* Launches that have ended, if a debugger may go back to them; else NULL. */
struct past *
recorder_past(struct recorder_device *d);

/* All memory of the device is gone. */
void
recorder_forget(struct recorder_device *d);
