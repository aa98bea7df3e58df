/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording: as bytes, or (first byte odd) as contents of blocks, of which a file with
 * right heads and checks is made: kind, two bytes of length, contents.  It is read or
 * refused with a reason; what is read is extracted into a file that is read, too, and its
 * memory is the same.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "recording/encode.h"
#include "recording/extract.h"
#include "text.h"

static void
put(uint8_t *at, unsigned bytes, uint64_t x)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(x >> 8 * i);
}

static void
put_header(struct buf *out)
{
    uint8_t h[RECORDING_HEADER_B] = RECORDING_MAGIC;
    put(h + 8, 4, RECORDING_VERSION);
    put(h + 12, 4, RECORDING_PAGE);
    put(h + 28, 4, recording_check(h, 28));
    buf_put(out, h, sizeof h);
}

static void
put_block(struct buf *out, uint32_t kind, const void *raw, size_t n)
{
    uint8_t h[RECORDING_BLOCK_B] = { 0 }, packed[1 << 17];
    size_t size = ZSTD_compress(packed, sizeof packed, raw, n, 1);
    require(!ZSTD_isError(size), "no room to pack");
    put(h, 4, kind);
    put(h + 8, 8, size);
    put(h + 16, 8, n);
    put(h + 24, 4, recording_check(packed, size));
    put(h + 28, 4, recording_check(h, 28));
    buf_put(out, h, sizeof h);
    buf_put(out, packed, size);
}

/* Pages take two bytes of the input each. */
static void
put_pages(struct buf *out, const uint8_t *bytes, size_t n, uint64_t *pages)
{
    static uint8_t page[16][RECORDING_PAGE];
    size_t count = 1 + n % 16;
    for (size_t i = 0; i < count; i++)
        memset(page[i], i < n ? bytes[i] | 1 : 3, RECORDING_PAGE);
    put_block(out, RECORDING_PAGES, page, count * RECORDING_PAGE);
    *pages += count;
}

static void
make_file(struct buf *out, const uint8_t *bytes, size_t size)
{
    uint64_t launches = 0, pages = 0;
    uint8_t end[16];
    put_header(out);
    while (size >= 3) {
        uint32_t kind = 1 + bytes[0] % 4;
        size_t n = bytes[1] | (size_t)bytes[2] << 8;
        bytes += 3;
        size -= 3;
        if (n > size)
            n = size;
        if (kind == RECORDING_PAGES)
            put_pages(out, bytes, n, &pages);
        else
            put_block(out, kind, bytes, n);
        launches += kind == RECORDING_LAUNCH;
        bytes += n;
        size -= n;
    }
    put(end, 8, launches);
    put(end + 8, 8, pages);
    put_block(out, RECORDING_END, end, sizeof end);
}

static void
same_pages(struct recording *a, const struct recording_memory *x,
           struct recording *b, const struct recording_memory *y,
           struct diag_sink *sink)
{
    uint8_t p[RECORDING_PAGE], q[RECORDING_PAGE];
    require(x->n == y->n, "another number of ranges");
    for (size_t i = 0; i < x->n; i++) {
        require(x->piece[i]->pages == y->piece[i]->pages, "another range");
        for (uint64_t k = 0;
             x->piece[i]->content && k < x->piece[i]->pages && k < 64; k++) {
            require(
                recording_read_page(a, x->piece[i]->content[k], p, sink) &&
                    recording_read_page(b, y->piece[i]->content[k], q, sink),
                "a page that cannot be read");
            require(memcmp(p, q, sizeof p) == 0, "another page");
        }
    }
}

static void
extract(struct recording *r, size_t i, const struct recording_memory *m,
        struct arena *a)
{
    struct diag_sink sink = { .arena = a };
    struct recording_memory again = { .n = 0 };
    /* libFuzzer ends without atexit: the folder lives for this file alone. */
    char folder[] = "/tmp/ventus-fuzz-XXXXXX";
    require(mkdtemp(folder) != NULL, "no folder");
    const char *path = arena_printf(a, "%s/one.rec", folder);
    bool ok = recording_extract(r, i, path, &sink);
    require(ok == !sink.errors, "not extracted without a reason");
    struct recording *one = ok ? recording_open(path, &sink) : NULL;
    unlink(path);
    rmdir(folder);
    if (!ok) /* damaged pages are seen when they are read */
        return;
    require(one && recording_launches(one) == 1, "not read again");
    require(recording_memory_read(&again, one, 0, false, &sink),
            "no memory of it");
    same_pages(r, m, one, &again, &sink);
    recording_memory_free(&again);
    recording_close(one);
}

/* Gigabytes take seconds: what is large is read as far as its launches. */
static bool
is_small(struct recording *r, size_t i, struct arena *a)
{
    struct recording_launch l;
    struct recording_result e;
    struct diag_sink sink = { .arena = a };
    uint64_t capacity = 0;
    for (size_t k = 0; k <= i; k++) {
        require(recording_read_launch(r, k, a, &l, &e, &sink),
                "a launch that was read before");
        for (size_t n = 0; n < l.n_ranges; n++)
            capacity += l.range[n].capacity;
    }
    return capacity < UINT64_C(1) << 30;
}

static void
read_all(const char *path)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct recording *r = recording_open(path, &sink);
    require(!r == (sink.errors > 0),
            "refused without a reason, or the reverse");
    for (size_t i = 0; r && i < recording_launches(r) && i < 8; i++) {
        struct recording_memory m = { .n = 0 };
        struct diag_sink own = { .arena = &a };
        if (!is_small(r, i, &a))
            break;
        bool ok = recording_memory_read(&m, r, i, i % 2, &own);
        require(ok == !own.errors, "refused without a reason, or the reverse");
        if (ok && !(i % 2) && m.stored < 1024)
            extract(r, i, &m, &a);
        recording_memory_free(&m);
    }
    recording_close(r);
    arena_free(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct buf file = { 0 };
    char path[64];
    if (size && bytes[0] & 1)
        make_file(&file, bytes + 1, size - 1);
    else
        buf_put(&file, bytes + (size > 0), size - (size > 0));
    int fd = memfd_create("recording", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, file.at, file.n) == (ssize_t)file.n,
            "no file");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_all(path);
    close(fd);
    buf_free(&file);
    return 0;
}
