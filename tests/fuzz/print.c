/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel may leave in the print buffer, and what a program may have as
 * its formats.  The input: the size of the section .ventus.printf (2 bytes),
 * the section, then the buffer, a piece at a time as warps write it; each
 * piece begins with its size and place.  Whatever is there is drained and
 * printed, within the buffer and in proportion to it.
 */
#include "dev/print.h"
#include "abi/print_format.h"
#include "random.h"

enum { BUFFER_B = 1 << 12, TEXT_MAX = 64 << 20 };

struct drained {
    struct print_strings strings;
    const uint8_t *buffer;
    struct buf out;
};

static const char *
string_at(void *ctx, uint64_t address)
{
    (void)ctx;
    return address & 1 ? "" : "a string of the device";
}

static void
take(void *ctx, const void *records, size_t size)
{
    struct drained *d = ctx;
    const uint8_t *at = records;
    require(at >= d->buffer && size <= BUFFER_B &&
                at + size <= d->buffer + BUFFER_B,
            "records beyond the buffer");
    while (size) {
        size_t taken = print_record(&d->out, &d->strings, at, size);
        require(taken <= size, "a record longer than what is left");
        if (!taken)
            break;
        at += taken;
        size -= taken;
    }
    require(d->out.n < TEXT_MAX, "much text of few bytes");
}

static uint32_t
half_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static _Alignas(8) uint8_t buffer[BUFFER_B];
    if (size < 2)
        return 0;
    size_t n = half_at(bytes);
    n = n < size - 2 ? n : size - 2;
    uint8_t *table = malloc(n + !n); /* its end is the sanitizer's to watch */
    memcpy(table, bytes + 2, n);
    struct drained d = {
        .strings = { .table = table, .size = n, .at = string_at },
        .buffer = buffer,
    };
    struct ventus_dev_hooks hooks = { .ctx = &d, .print = take };
    struct ventus_dev_launch launch = { .hooks = &hooks };
    struct print p = { .at = buffer, .size = BUFFER_B, .launch = &launch };
    memset(buffer, 0, sizeof buffer);
    bytes += 2 + n;
    size -= 2 + n;
    while (size >= 4) {
        size_t place = half_at(bytes) % BUFFER_B, length = bytes[2];
        length = length < size - 4 ? length : size - 4;
        length = length < BUFFER_B - place ? length : BUFFER_B - place;
        memcpy(buffer + place, bytes + 4, length);
        bytes += 4 + length;
        size -= 4 + length;
        print_drain(&p);
        require(p.drained <= BUFFER_B, "drained more than there is");
    }
    print_end(&p);
    require(p.drained <= BUFFER_B, "drained more than there is");
    buf_free(&d.out);
    free(table);
    return 0;
}

/* ---- the mutator: whole records, and formats of what printf has ---- */

static const char *const formats[] = {
    "i4\0%d\0",       "f4x4\0%v4hlf\0",
    "s4\0%s\0",       "i8\0%lld\0",
    "p4\0%p\0",       "i1x16\0%v16hhx\0",
    "f2\0%a\0",       "f8\0%-9999.9999g\0",
    "i4\0%c%%%5$d\0", "f4s4i4\0%e %20s %#x\0",
    "i2x3\0%v3hd\0",  "\0%\0",
};

static size_t
insert(uint8_t *bytes, size_t size, size_t max_size, size_t at,
       const void *what, size_t n)
{
    if (size + n > max_size || at > size)
        return size;
    memmove(bytes + at + n, bytes + at, size - at);
    memcpy(bytes + at, what, n);
    return size + n;
}

/* A piece with a whole record that names a format. */
static size_t
add_record(struct rng *r, uint8_t *bytes, size_t size, size_t max_size)
{
    uint32_t arguments = rng_below(r, 8), used = 8 + 4 * arguments;
    uint32_t words[16] = { 0 };
    words[0] = used << 16 | 8; /* place 8, then the length */
    words[1] = rng_one_of(r, 8) ? rng_word(r) : used;
    words[2] = rng_below(r, rng_one_of(r, 4) ? 4096 : 16);
    for (unsigned i = 0; i < arguments; i++)
        words[3 + i] = rng_one_of(r, 2) ? rng_word(r) : rng_below(r, 64);
    uint32_t head[2] = { 4u << 16, rng_one_of(r, 4) ? rng_word(r) : used };
    size = insert(bytes, size, max_size, size, words, 4 + used);
    return insert(bytes, size, max_size, size, head, sizeof head);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    struct rng r = rng_of(seed);
    if (size < 2 || rng_one_of(&r, 2))
        return LLVMFuzzerMutate(bytes, size, max_size);
    if (rng_one_of(&r, 2))
        return add_record(&r, bytes, size, max_size);
    const char *f = formats[rng_below(&r, sizeof formats / sizeof *formats)];
    size_t n = strlen(f) + 1, table = half_at(bytes);
    n += strlen(f + n) + 1;
    if (table + n > 0xffff || table + 2 > size)
        return LLVMFuzzerMutate(bytes, size, max_size);
    size_t grown = insert(bytes, size, max_size, 2, f, n);
    if (grown > size) {
        bytes[0] = (uint8_t)(table + n);
        bytes[1] = (uint8_t)((table + n) >> 8);
    }
    return grown;
}
