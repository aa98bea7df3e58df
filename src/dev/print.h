/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

/*
 * The print buffer, seen from the host.  docs/abi.md has its format:
 *
 *     word 0   bytes in use behind the header
 *     word 1   0
 *     then records: word 0 is the size of the record, stored last
 *
 * A kernel that finds no room sets CSR_PRINT until there is some; then, and at
 * the end of a launch, complete records are handed on and their room is given
 * back once all records are complete.
 */
enum { PRINT_HEADER_B = 8 };

struct print {
    uint8_t *at; /* on the host */
    uint64_t size;
    uint32_t drained; /* bytes of records that were handed on */
    const struct ventus_dev_launch *launch;
    struct ventus_dev *dev;
    size_t text_limit;
    uint64_t start_ns; /* of the launch */
    bool quiet;        /* what is drained was printed before */
    char wrong[256];   /* why what was printed is lost; "": it is not */
};

/* Has the launch a hook or a stream for what it prints, and can it print? */
bool
print_wanted(const struct ventus_dev_launch *l);

/* Empties the buffer of the device; it must have been allocated. */
void
print_open(struct print *p, struct ventus_dev *d,
           const struct ventus_dev_launch *l);

void
print_drain(struct print *p);

/* printed.c: records as text, to launch->printed.  Strings that are no literals
 * are read from the device now.  Sets p->wrong if memory runs out, or the text
 * of one printf is longer than the key print_text; then nothing more is
 * written. */
void
printed_write(struct print *p, const uint8_t *records, size_t size);
