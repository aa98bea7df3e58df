/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A recording: launches of a program with the memory that each found, in one
 * file, so that they can be run again (docs/recordings.md has the format).
 *
 *     header    magic, version
 *     block     PAGES      up to 16384 pages of memory
 *     block     PROGRAM    a linked ELF
 *     block     LAUNCH     kernel, arguments, settings; which pages changed
 *     block     RESULT     how it ended; which pages it changed, if wanted
 *     ...
 *     block     END        how many there are: the file is whole
 *
 * Pages are smaller than those of the system, so that a launch that writes little adds
 * little.  They are numbered from 1 in the order of the file; 0 is a page of zeros.
 * A range of memory has an id of its own on its device and begins with zeros.
 * A launch lists the pages of a range that differ from those of the previous launch
 * or result that named the range, so that pages which do not change are stored once.
 */
enum {
    RECORDING_VERSION = 3,
    RECORDING_PAGE = 64,
    RECORDING_ROOM = 4096,         /* room of a range is a multiple of it */
    RECORDING_BLOCK_PAGES = 16384, /* of a block PAGES at most */
    RECORDING_DEVICES = 16         /* numbered from 0 */
};

enum recording_block_kind {
    RECORDING_PAGES = 1,
    RECORDING_PROGRAM,
    RECORDING_LAUNCH,
    RECORDING_RESULT,
    RECORDING_END
};

/* "VENTUSRC", version, header_B, 0, check of what is before it. */
#define RECORDING_MAGIC "VENTUSRC"
enum { RECORDING_HEADER_B = 32, RECORDING_BLOCK_B = 32 };

/* What a reader takes: bytes of a block, when they are unpacked. */
#define RECORDING_PROGRAM_MOST (UINT64_C(1) << 30)
#define RECORDING_LAUNCH_MOST  (UINT64_C(1) << 28)
#define RECORDING_RANGE_MOST   (UINT64_C(1) << 38) /* of all that exist */

/* Pages [first, first + count) of a range are `content`, `content` + step ... */
struct recording_run {
    uint64_t first, count;
    uint64_t content; /* number of a page of the file; 0: zeros */
    bool repeats;     /* step 0: the same page again and again; else 1 */
};

struct recording_runs {
    struct recording_run *at;
    size_t n, cap;
};

/* Bytes [from, to) of a range: the host has written them. */
struct recording_bytes {
    uint64_t from, to;
};

enum recording_range_kind {
    RECORDING_BUFFER,
    RECORDING_CODE, /* memory of the program */
    RECORDING_ARGS, /* these have no contents: the driver writes them */
    RECORDING_PRIVATE,
    RECORDING_PRINT,
    RECORDING_RANGE_KINDS
};

/* A piece of memory that the launch could access. */
struct recording_range {
    enum recording_range_kind kind;
    uint64_t id;      /* 0: it has no contents */
    unsigned flags;   /* enum ventus_dev_alloc_flags */
    uint64_t address; /* a multiple of RECORDING_ROOM */
    uint64_t size;    /* bytes that the launch could access */
    uint64_t room;    /* the same: the runs are about its pages */
    struct recording_runs runs;
    const struct recording_bytes *written; /* ascending, apart */
    size_t n_written;
};

/* As struct ventus_dev_arg. */
struct recording_arg {
    unsigned kind;
    uint32_t align;
    uint64_t size, address;
    uint64_t part_B;      /* of a buffer, for checks; 0: all */
    const uint8_t *bytes; /* `size` of them, or NULL */
};

struct recording_launch {
    uint32_t device;
    uint32_t program; /* number of its block, from 0 */
    const char *kernel;
    const char *const *setting; /* "key=value" of the device */
    size_t n_settings;
    uint32_t work_dim;
    uint64_t global[3], local[3], offset[3];
    uint32_t local_B, private_B, print_B;
    bool prints; /* what the kernel prints was wanted */
    const struct recording_arg *arg;
    size_t n_args;
    const struct recording_range *range; /* ascending by address */
    size_t n_ranges;
    const uint64_t *released; /* ids that no later launch names */
    size_t n_released;
};

struct recording_result {
    uint32_t device;
    bool ok;
    const char *message; /* why not, or "" */
    const char *fault;   /* its kind, or "" */
    uint64_t pc;         /* of the fault */
    bool has_memory;     /* the ranges say what the launch changed */
    const struct recording_range *range;
    size_t n_ranges;
};
