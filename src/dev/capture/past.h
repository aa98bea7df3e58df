/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Launches of a device that have ended, so that its debugger can go back to
 * them: each with what it found, as a recording in memory of its own.  The
 * oldest ones go when all together are too large, and one whose recording there
 * was no memory for is a gap, before which nothing is kept.
 */
struct past_launch {
    int fd;        /* of the recording */
    uint64_t size; /* of it, bytes */
    char *kernel, *program;
};

struct past {
    uint64_t max_B; /* 0: nothing is kept */
    uint64_t used_B;
    uint64_t launches;          /* that have ended so far */
    struct past_launch *launch; /* the last `n` of these */
    size_t n, cap;
};

/* The next launch; takes the descriptor.  -1: there is no recording of it. */
void
past_add(struct past *p, int fd, const char *kernel, const char *program);

/* A launch that is kept. */
const struct past_launch *
past_find(const struct past *p, uint64_t number);

void
past_free(struct past *p);
