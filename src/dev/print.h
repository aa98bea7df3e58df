/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/*
 * The print buffer, seen from the host.  docs/abi.md has its format:
 *
 *     word 0   bytes in use after the header
 *     word 1   0
 *     then records: word 0 is the size of the record, stored last
 *
 * A record that was begun has its size + 1 there.  A kernel that finds no room sets
 * CSR_PRINT until there is some; then complete records are handed on, up to the first
 * that is not, and their room is given back once all are.
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
    const int *stop;   /* it is to end: of the ticket */
    uint64_t late_B;   /* text that was written after it had to end */
    bool quiet;        /* what is drained was printed before */
    char wrong[256];   /* why what was printed is lost; "": it is not */
};

/* Tests whether the launch has a hook or a stream for what it prints, and can print. */
bool
print_wanted(const struct ventus_dev_launch *l);

/* Empties the buffer of the device; it must have been allocated. */
void
print_open(struct print *p, struct ventus_dev *d,
           const struct ventus_dev_launch *l);

void
print_drain(struct print *p);

/* Hands on the rest after the launch, however it has ended: also the records that
 * follow those whose work-items were ended while they wrote them. */
void
print_end(struct print *p);

/* printed.c: records as text, to launch->printed.  Strings that are no literals
 * are read from the device now.  Sets p->wrong if memory runs out, or the text
 * of one printf is longer than the key print_text; then nothing more is
 * written. */
void
printed_write(struct print *p, const uint8_t *records, size_t size);
