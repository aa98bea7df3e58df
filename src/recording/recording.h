/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A recording: launches of a program with the memory that each found, in one file, so
 * that they can be run again (docs/recordings.md has the format).
 *
 *     header    magic, version
 *     block     PAGES      up to 16384 pages of memory
 *     block     PROGRAM    a linked ELF
 *     block     LAUNCH     kernel, arguments, settings; which pages changed
 *     block     RESULT     how it ended; which pages it changed, if wanted
 *     ...
 *     block     END        the numbers of blocks: the file is complete
 *
 * Pages are smaller than those of the system, so that a launch that writes little adds
 * little.  They are numbered from 1 in the order of the file; 0 is a page of zeros.  A
 * range of memory has an id of its own on its device and is zero at first.  A launch
 * lists the pages of a range that differ from those of the previous launch or result
 * that named the range, so that unchanged pages are stored once.
 */
enum {
    RECORDING_VERSION = 3,
    RECORDING_PAGE = 64,
    RECORDING_GRANULE = 4096,      /* granularity of a range's size */
    RECORDING_BLOCK_PAGES = 16384, /* limit of a block PAGES */
    RECORDING_DEVICES = 16         /* numbered from 0 */
};

enum recording_block_kind {
    RECORDING_PAGES = 1,
    RECORDING_PROGRAM,
    RECORDING_LAUNCH,
    RECORDING_RESULT,
    RECORDING_END
};

/* The header: "VENTUSRC", version, header_B, 0, check sum of the preceding bytes. */
#define RECORDING_MAGIC "VENTUSRC"
enum { RECORDING_HEADER_B = 32, RECORDING_BLOCK_B = 32 };

/* Limits of a reader: unpacked bytes of a block. */
#define RECORDING_PROGRAM_MAX (UINT64_C(1) << 30)
#define RECORDING_LAUNCH_MAX  (UINT64_C(1) << 28)
#define RECORDING_RANGE_MAX \
    (UINT64_C(1) << 38) /* limit of the sum of all existing ranges */

/* Pages [first, first + count) of a range have the contents `content`, `content` +
 * step ... */
struct recording_run {
    uint64_t first, count;
    uint64_t content; /* number of a page in the file; 0: zeros */
    bool repeats;     /* step 0: the same page repeated; else 1 */
};

struct recording_runs {
    struct recording_run *at;
    size_t n, cap;
};

/* Bytes [from, to) of a range that the host has written. */
struct recording_bytes {
    uint64_t from, to;
};

enum recording_range_kind {
    RECORDING_BUFFER,
    RECORDING_CODE, /* memory of the program */
    /* Kinds from here on have no contents: the driver writes them. */
    RECORDING_ARGS,
    RECORDING_PRIVATE,
    RECORDING_PRINT,
    RECORDING_RANGE_KINDS
};

/* A range of memory that the launch could access. */
struct recording_range {
    enum recording_range_kind kind;
    uint64_t id;       /* 0: no contents */
    unsigned flags;    /* enum ventus_dev_alloc_flags */
    uint64_t address;  /* multiple of RECORDING_GRANULE */
    uint64_t size;     /* accessible bytes */
    uint64_t capacity; /* size in whole pages, which the runs refer to */
    struct recording_runs runs;
    const struct recording_bytes *written; /* ascending and disjoint */
    size_t n_written;
};

/* An argument, as struct ventus_dev_arg. */
struct recording_arg {
    unsigned kind;
    uint32_t align;
    uint64_t size, address;
    uint64_t part_B;      /* accessible bytes of a buffer, for checks; 0: all */
    const uint8_t *bytes; /* `size` bytes, or NULL */
};

struct recording_launch {
    uint32_t device;
    uint32_t program; /* number of its block, from 0 */
    const char *kernel;
    const char *const *setting; /* settings of the device, "key=value" */
    size_t n_settings;
    uint32_t work_dim;
    uint64_t global[3], local[3], offset[3];
    uint32_t local_B, private_B, print_B;
    bool prints; /* the output of printf was requested */
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
    const char *message; /* reason of the failure, or "" */
    const char *fault;   /* kind of the fault, or "" */
    uint64_t pc;         /* pc of the fault */
    bool has_memory;     /* the ranges have the changes by the launch */
    const struct recording_range *range;
    size_t n_ranges;
};
