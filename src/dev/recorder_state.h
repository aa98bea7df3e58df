/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/host_copies.h"
#include "dev/past.h"
#include "dev/tracked.h"

/* A recorder, as recorder.c and recorder_alone.c share it. */

/* The launch that runs: what is written about it. */
struct running {
    struct arena arena;
    struct recording_launch launch;
    struct recording_range *range;
    struct tracked **tracked; /* of each range, NULL: it has no contents */
    const uint8_t **now;
    struct host_copies host; /* that it has used so far */
    const uint8_t *
        *found; /* of each range of the host, by its index; or NULL */
};

struct recorder_device {
    struct recorder *recorder;
    struct ventus_dev *dev;
    uint32_t number;
    struct tracked_list list;
    struct running running;
    const char *
        *setting; /* "key=value" of each key, in `settings`; NULL: not yet */
    struct arena settings;
    bool is_known;    /* `running` is about the launch that runs */
    struct past past; /* if a debugger may go back to launches */
};

struct recorder {
    pthread_mutex_t lock; /* of the writer: devices are used at once */
    struct recording_writer *writer;
    char *path, *on_fault;
    pid_t process;      /* whose launches it records: no forked child's */
    uint64_t past_B;    /* of a device; 0: none */
    bool results, lost; /* lost: no host memory for one launch */
    struct recorder_device *device[RECORDING_DEVICES];
    unsigned n;
};

struct recorder_ending {
    struct ventus_dev_ticket *ticket;
    struct recording_writer *writer;
};

/* ---- recorder_alone.c ---- */

/* Of a struct recorder_ending; takes memory. */
void
recorder_write_result(void *ctx);

/* What the launch found in memory of the host. */
void
recorder_write_host_copies(struct running *r, struct recording_writer *w);

/* The launch has failed: into the file `on_fault`. */
void
recorder_keep_fault(struct ventus_dev_ticket *t);

/* It has ended: for a debugger to go back to. */
void
recorder_keep_past(struct ventus_dev_ticket *t);
