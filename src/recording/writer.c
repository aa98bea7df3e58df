/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/writer.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/oom.h"
#include "base/vec.h"
#include "recording/encode.h"
#include "recording/packer.h"

enum { BLOCK_B = RECORDING_BLOCK_PAGES * RECORDING_PAGE };

/* Limits of launches and results that wait for the block of their pages. */
enum { HELD_MAX = 64, HELD_B = 1 << 20 };

/* Runs shorter on average are scattered changes of numbers, which zstd hardly
 * compresses even at levels that take twice the time. */
enum { SCATTERED = 16, SCATTERED_LEAST = 1024 };

/* A block that follows the pages that are being filled. */
struct held {
    enum recording_block_kind kind;
    uint8_t *buffer;
    size_t size;
};

struct program {
    const uint8_t *image;
    size_t size;
};

struct recording_writer {
    struct packer *packer;
    struct arena arena;
    uint8_t *pages;  /* block that is being filled; NULL: none */
    size_t n_pages;  /* pages in it */
    size_t runs;     /* number of calls of recording_writer_add */
    uint64_t number; /* number of the last page */
    struct held held[HELD_MAX];
    size_t n_held, held_B;
    struct buf bytes; /* encoded launch or result */
    vec(struct program) program;
    uint64_t launches;
};

static void
write_block(struct recording_writer *w, enum recording_block_kind kind,
            const void *bytes, size_t size)
{
    uint8_t *buffer = packer_buffer(w->packer, size);
    if (!buffer)
        return;
    memcpy(buffer, bytes, size);
    packer_put(w->packer, kind, buffer, size, false);
}

struct recording_writer *
recording_writer_open(const char *path)
{
    struct recording_writer *w = calloc(1, sizeof *w);
    if (w)
        w->packer = packer_open(path);
    if (w && w->packer)
        return w;
    free(w);
    return NULL;
}

bool
recording_writer_ok(const struct recording_writer *w)
{
    return packer_ok(w->packer);
}

static bool
is_scattered(const struct recording_writer *w)
{
    return w->n_pages >= SCATTERED_LEAST && w->n_pages < SCATTERED * w->runs;
}

/* Writes the pages, and the blocks that wait for them. */
static void
flush_pages(struct recording_writer *w)
{
    assert(w->n_pages <= RECORDING_BLOCK_PAGES && (w->pages || !w->n_pages));
    if (w->n_pages)
        packer_put(w->packer, RECORDING_PAGES, w->pages,
                   w->n_pages * RECORDING_PAGE, is_scattered(w));
    else
        packer_drop(w->packer, w->pages);
    w->pages = NULL;
    w->n_pages = w->runs = 0;
    for (size_t i = 0; i < w->n_held; i++)
        packer_put(w->packer, w->held[i].kind, w->held[i].buffer,
                   w->held[i].size, false);
    w->n_held = w->held_B = 0;
}

/* Keeps a launch or result until the pages that it names are written.  Few pages of
 * many launches share a block, which takes less time and space than a block for each. */
static void
hold_block(struct recording_writer *w, enum recording_block_kind kind)
{
    const size_t size = w->bytes.n;
    if (w->n_held == HELD_MAX || w->held_B > HELD_B)
        flush_pages(w);
    uint8_t *buffer = packer_buffer(w->packer, size);
    if (!buffer)
        return;
    memcpy(buffer, w->bytes.at, size);
    assert(w->n_held < HELD_MAX && "hold_block flushed before");
    w->held[w->n_held++] = (struct held){ kind, buffer, size };
    w->held_B += size;
}

uint8_t *
recording_writer_reserve(struct recording_writer *w, size_t *capacity,
                         uint64_t *first)
{
    if (w->n_pages == RECORDING_BLOCK_PAGES)
        flush_pages(w);
    if (!w->pages)
        w->pages = packer_buffer(w->packer, BLOCK_B);
    *capacity = RECORDING_BLOCK_PAGES - w->n_pages;
    *first = w->number + 1;
    return w->pages ? w->pages + w->n_pages * RECORDING_PAGE : NULL;
}

static void
add_pages(struct recording_writer *w, size_t n)
{
    assert(w->pages && n <= RECORDING_BLOCK_PAGES - w->n_pages);
    w->n_pages += n;
    w->number += n;
}

void
recording_writer_add(struct recording_writer *w, size_t n)
{
    add_pages(w, n);
    w->runs += n > 0;
}

/* A page equal to the one before it, which is frequent, is not written again. */
uint64_t
recording_writer_page(struct recording_writer *w, const uint8_t *page)
{
    size_t capacity;
    uint64_t first;
    uint8_t *buffer = recording_writer_reserve(w, &capacity, &first);
    if (!buffer) /* after an error the number is not used */
        return ++w->number;
    if (w->n_pages &&
        memcmp(buffer - RECORDING_PAGE, page, RECORDING_PAGE) == 0)
        return w->number;
    memcpy(buffer, page, RECORDING_PAGE);
    add_pages(w, 1);
    return first;
}

/* ---- functions that allocate ---- */

struct work {
    struct recording_writer *w;
    const void *what;
    size_t size;
};

static void
add_program(void *ctx)
{
    const struct work *k = ctx;
    struct recording_writer *w = k->w;
    const char *copy = arena_strndup(&w->arena, k->what, k->size);
    vec_push(&w->arena, &w->program,
             ((struct program){ (const uint8_t *)copy, k->size }));
}

uint32_t
recording_writer_program(struct recording_writer *w, const void *elf,
                         size_t size)
{
    for (size_t i = 0; i < w->program.n; i++)
        if (w->program.at[i].size == size &&
            memcmp(w->program.at[i].image, elf, size) == 0)
            return (uint32_t)i;
    struct work k = { w, elf, size };
    if (!oom_call(add_program, &k)) {
        packer_fail(w->packer, ENOMEM);
        return 0;
    }
    write_block(w, RECORDING_PROGRAM, elf, size);
    return (uint32_t)w->program.n - 1;
}

static void
encode_launch(void *ctx)
{
    const struct work *k = ctx;
    recording_encode_launch(&k->w->bytes, k->what);
}

static void
encode_result(void *ctx)
{
    const struct work *k = ctx;
    recording_encode_result(&k->w->bytes, k->what);
}

static void
write_encoded(struct recording_writer *w, enum recording_block_kind kind,
              const void *what)
{
    struct work k = { .w = w, .what = what };
    w->bytes.n = 0;
    if (oom_call(kind == RECORDING_LAUNCH ? encode_launch : encode_result, &k))
        hold_block(w, kind);
    else
        packer_fail(w->packer, ENOMEM);
}

void
recording_writer_launch(struct recording_writer *w,
                        const struct recording_launch *l)
{
    assert((l->program < w->program.n || !packer_ok(w->packer)) &&
           "the program was written before");
    w->launches++;
    write_encoded(w, RECORDING_LAUNCH, l);
}

void
recording_writer_result(struct recording_writer *w,
                        const struct recording_result *r)
{
    write_encoded(w, RECORDING_RESULT, r);
}

static void
write_end(struct recording_writer *w)
{
    uint8_t end[16];
    flush_pages(w);
    bytes_store(end, 8, w->launches);
    bytes_store(end + 8, 8, w->number);
    write_block(w, RECORDING_END, end, sizeof end);
}

static void
free_writer(struct recording_writer *w)
{
    int why = errno;
    buf_free(&w->bytes);
    arena_free(&w->arena);
    free(w);
    errno = why;
}

bool
recording_writer_close(struct recording_writer *w, bool keep)
{
    if (!w)
        return true;
    write_end(w);
    bool ok = packer_close(w->packer, keep);
    free_writer(w);
    return ok;
}

int
recording_writer_take(struct recording_writer *w)
{
    write_end(w);
    int fd = packer_take(w->packer);
    free_writer(w);
    return fd;
}
