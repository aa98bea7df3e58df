/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Cases of the upstream simulators: X.metadata describes the launch of a kernel
 * and the addresses of its buffers, X.data beside it has their contents.  Both
 * are text, a word of 8 hex digits a line.
 *
 * X.metadata: numbers of 64 bits, each two lines, low word first, in the order
 * of struct upstream_case up to the number of buffers; then the bases, the
 * sizes and the allocated sizes of all buffers.  X.data: the buffers in the
 * same order, size / 4 words each, rounded up, to be stored little endian.
 *
 * The program is one of the buffers, at start_addr.  In a folder of numbered
 * cases the later files have only new buffers: memory keeps its contents.
 */
struct upstream_buffer {
    uint64_t base;
    uint64_t size_B; /* size of the contents in X.data */
    uint64_t alloc_size_B;
    const uint8_t *contents; /* size_B bytes */
};

struct upstream_case {
    const char *file; /* path of X.metadata */
    uint64_t start_addr, kernel_id;
    uint64_t kernel_size[3]; /* work-groups in x, y, z */
    uint64_t wf_size;        /* threads in a warp */
    uint64_t wg_size;        /* warps in a work-group */
    uint64_t metadata_base;  /* value of CSR_KNL */
    uint64_t lds_size_B;     /* local memory per work-group */
    uint64_t pds_size_B;     /* private memory per thread */
    uint64_t sgpr_usage, vgpr_usage;
    uint64_t pds_base;
    size_t n_buffers;
    const struct upstream_buffer *buffers;
};

/* Reads both files.  False, and errors with their lines, if they are wrong. */
bool
upstream_read(struct arena *a, const char *metadata_path,
              struct upstream_case *out, struct diag_sink *sink);

/* Reads both from memory: first the metadata, whose buffers then have no contents;
 * then the data, which allocates these.  A zero byte must follow the `n` bytes of
 * text, and diagnostics point into it. */
bool
upstream_parse_metadata(struct arena *a, const char *file, const char *text,
                        size_t n, struct upstream_case *out,
                        struct diag_sink *sink);

bool
upstream_parse_data(struct arena *a, const char *file, const char *text,
                    size_t n, struct upstream_case *out,
                    struct diag_sink *sink);
