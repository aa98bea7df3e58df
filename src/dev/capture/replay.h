/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "recording/memory.h"

/*
 * A launch of a recording on a device again:
 *
 *     recording_memory_read(&memory, recording, i, false, &sink);
 *     struct ventus_dev *d = ...   a new one, of replay_settings or others
 *     if (replay_restore(&replay, d, recording, name, &memory, &sink))
 *         ventus_dev_run(d, &replay.launch, &result);
 *
 * Addresses are those of the recording, so that pointers in memory are right,
 * whatever the device.  A recording is input like any other: what does not fit
 * is an error in the sink.
 */
struct replay {
    struct ventus_dev *dev;
    struct ventus_dev_program *program;
    struct ventus_dev_launch launch;
    const struct recording_memory *memory;
    struct arena arena; /* of launch.args and this struct's texts */
};

/*
 * Settings as ventus_dev_options takes them, NULL after the last: all that
 * the device had, or (`part`) those that another device needs so that the same
 * kernel can run: version of instructions, size of memory, rules.
 */
const char *const *
replay_settings(struct arena *a, const struct recording_launch *l, bool part,
                size_t *n);

/* The device is new and stays the caller's.  `name`: what messages call the
 * program. */
bool
replay_restore(struct replay *r, struct ventus_dev *d, struct recording *from,
               const char *name, const struct recording_memory *m,
               struct diag_sink *sink);

void
replay_free(struct replay *r);

/* "x (argument 0)", or "buffer at 0x90000000": in the arena. */
const char *
replay_name(struct replay *r, struct arena *a, const struct recording_piece *p);

/* Bytes of a piece that are not as expected. */
struct replay_difference {
    const struct recording_piece *piece;
    uint64_t offset; /* of the first one */
    uint8_t found, expected;
    uint64_t count; /* of bytes that differ */
};

/*
 * Compares memory after the launch with what the recording has (`expected`, read with
 * `after`), or with another device.  One of both is NULL.  Up to `most` go to
 * `list`; returns how many pieces differ, SIZE_MAX: reported.
 */
size_t
replay_compare(struct replay *r, struct recording *from,
               const struct recording_memory *expected,
               struct ventus_dev *other, struct replay_difference *list,
               size_t most, struct diag_sink *sink);
