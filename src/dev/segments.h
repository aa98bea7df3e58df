/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "dev/config.h"
#include "obj/elf.h"

/*
 * The runs of pages that the loadable segments of a program occupy.  They may share
 * a page but no byte, so that loading takes time in proportion to the file and the
 * pages: a file of headers alone could ask for any number of copies.
 */
struct segment_run {
    uint64_t lo, hi;  /* first page; end of the last byte */
    uint64_t end;     /* end of the last page, with that of its padding */
    uint64_t padding; /* bytes from hi on */
};

struct segments {
    struct segment_run *run; /* of pages that have segments, ascending */
    size_t n;
    uint64_t lo, hi; /* all pages */
    uint8_t *perm;   /* of each page: enum engine_perm, 0: none has it */
};

/* False, with dev_fail: there are none, or not where programs may be. */
bool
segments_read(struct arena *a, const char *name, const struct elf *elf,
              const struct config *config, struct segments *s);

/*
 * Fills in `end` and `padding` of each run.  Padding has a page after the run if
 * nothing is there.  Code has none, so that what runs over its end finds no
 * instructions of 0.
 */
void
segments_pad(struct segments *s, bool padded);

/* Tests whether the file has contents for the segment or a part of it. */
bool
segments_is_loaded(const struct elf_segment *s);
