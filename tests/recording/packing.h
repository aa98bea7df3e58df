/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* A recording of pages that differ, in a folder of the test's own. */
#include "test.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "recording/packer.h"
#include "recording/reader.h"
#include "recording/writer.h"

static char folder[64], path[96];

__attribute__((constructor)) static void
make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/ventus-packer-XXXXXX");
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/a.rec", folder);
}

__attribute__((destructor)) static void
remove_folder(void)
{
    rmdir(folder); /* empty: of what failed nothing is left */
}

/* Pages that differ, and that no packer makes smaller. */
static inline void
make_page(uint8_t *page, uint64_t number)
{
    uint64_t x = number + 1;
    for (size_t i = 0; i < RECORDING_PAGE; i += sizeof x) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        memcpy(page + i, &x, sizeof x);
    }
}

static inline void
write_pages(struct recording_writer *w, uint64_t from, uint64_t to)
{
    uint8_t page[RECORDING_PAGE];
    for (uint64_t i = from; i < to; i++) {
        make_page(page, i);
        CHECK_EQ(recording_writer_page(w, page), i + 1);
    }
}

static inline void
write_launch(struct recording_writer *w)
{
    struct recording_launch l = { .kernel = "k",
                                  .work_dim = 1,
                                  .global = { 1, 1, 1 },
                                  .local = { 1, 1, 1 } };
    l.program = recording_writer_program(w, "elf", 3);
    recording_writer_launch(w, &l);
}

static inline void
check_pages(uint64_t n)
{
    struct arena arena = { 0 };
    struct diag_sink sink = { .arena = &arena };
    uint8_t page[RECORDING_PAGE], wanted[RECORDING_PAGE];
    struct recording *r = recording_open(path, &sink);
    CHECK(r != NULL);
    for (uint64_t i = 0; r && i < n; i++) {
        make_page(wanted, i);
        if (!CHECK(recording_read_page(r, i + 1, page, &sink)) ||
            !CHECK(memcmp(page, wanted, sizeof page) == 0))
            break;
    }
    recording_close(r);
    arena_free(&arena);
}
