/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/capture/before_images.h"
#include "dev/capture/dirty_pages.h"
#include "dev/capture/past.h"
#include "dev/observer.h"
#include "dev/ticket.h"

/* A recorder, as recorder.c and recorder_launch.c share it. */

/* The launch that runs: what is written about it. */
struct recorder_launch {
    struct arena arena;
    struct recording_launch launch;
    struct recording_range *range;
    struct dirty_pages **pages; /* of each range, NULL: it has no contents */
    const uint8_t **now;
    struct before_images host; /* that it has used so far */
    const uint8_t *
        *found; /* of each range of the host, by its index; or NULL */
};

struct recorder_device {
    struct recorder *recorder;
    struct ventus_dev *dev;
    uint32_t number;
    struct dirty_list list;
    struct recorder_launch running;
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

/* The recorder of a device; NULL: it has none. */
static inline struct recorder_device *
recorder_of(const struct ventus_dev *d)
{
    return dev_observer(d, OBSERVER_RECORDER);
}

struct recorder_ending {
    struct ventus_dev_ticket *ticket;
    struct recording_writer *writer;
};

/* ---- recorder_launch.c ---- */

/* Writes the result of a struct recorder_ending; takes memory. */
void
recorder_write_result(void *ctx);

/* Writes the pages of the host as the launch found them. */
void
recorder_write_before_images(struct recorder_launch *r,
                             struct recording_writer *w);

/* Writes a launch that has failed into the file `on_fault`. */
void
recorder_keep_fault(struct ventus_dev_ticket *t);

/* Keeps a launch that has ended for a debugger to go back to. */
void
recorder_keep_past(struct ventus_dev_ticket *t);
