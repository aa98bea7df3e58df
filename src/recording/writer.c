/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/writer.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/bytes.h"
#include "base/oom.h"
#include "base/vec.h"
#include "recording/encode.h"
#include "recording/output.h"

/* Of zstd: twice as fast as 1, files are a tenth larger. */
enum { LEVEL = -3, BLOCK_B = RECORDING_BLOCK_PAGES * RECORDING_PAGE };

struct program {
    const uint8_t *image;
    size_t size;
};

struct recording_writer {
    struct output out;
    struct arena arena;
    ZSTD_CCtx *zstd;
    uint8_t *pages;  /* of the block that is being filled */
    size_t n_pages;  /* in it */
    uint64_t number; /* of the last page */
    uint8_t *packed;
    size_t packed_B;
    struct buf bytes; /* of a launch or result */
    vec(struct program) program;
    uint64_t launches;
    int error; /* errno of what failed first; 0: nothing */
};

static void
keep_error(struct recording_writer *w, int why)
{
    if (!w->error)
        w->error = why ? why : EIO;
}

static void
write_header(struct recording_writer *w)
{
    uint8_t h[RECORDING_HEADER_B] = RECORDING_MAGIC;
    bytes_store(h + 8, 4, RECORDING_VERSION);
    bytes_store(h + 12, 4, RECORDING_PAGE);
    bytes_store(h + 28, 4, recording_check(h, 28));
    if (!output_write(&w->out, h, sizeof h))
        keep_error(w, errno);
}

static void
write_block(struct recording_writer *w, enum recording_block_kind kind,
            const void *bytes, size_t size)
{
    size_t bound = ZSTD_compressBound(size);
    uint8_t h[RECORDING_BLOCK_B] = { 0 };
    if (w->error)
        return;
    if (bound > w->packed_B) {
        free(w->packed);
        w->packed = malloc(bound);
        w->packed_B = w->packed ? bound : 0;
    }
    if (!w->packed) {
        keep_error(w, ENOMEM);
        return;
    }
    size_t n = ZSTD_compress2(w->zstd, w->packed, w->packed_B, bytes, size);
    if (ZSTD_isError(n)) {
        keep_error(w, ENOMEM);
        return;
    }
    bytes_store(h, 4, kind);
    bytes_store(h + 8, 8, n);
    bytes_store(h + 16, 8, size);
    bytes_store(h + 24, 4, recording_check(w->packed, n));
    bytes_store(h + 28, 4, recording_check(h, 28));
    if (!output_write(&w->out, h, sizeof h) ||
        !output_write(&w->out, w->packed, n))
        keep_error(w, errno);
}

struct recording_writer *
recording_writer_open(const char *path)
{
    struct recording_writer *w = calloc(1, sizeof *w);
    if (!w || !output_open(&w->out, path)) {
        free(w);
        return NULL;
    }
    w->pages = malloc(BLOCK_B);
    w->zstd = ZSTD_createCCtx();
    if (!w->pages || !w->zstd) {
        keep_error(w, ENOMEM);
        recording_writer_close(w, true);
        return NULL;
    }
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
    write_header(w);
    return w;
}

bool
recording_writer_ok(const struct recording_writer *w)
{
    return !w->error;
}

static void
flush_pages(struct recording_writer *w)
{
    if (w->n_pages)
        write_block(w, RECORDING_PAGES, w->pages, w->n_pages * RECORDING_PAGE);
    w->n_pages = 0;
}

/* The page before it, which is often the same, is not written again. */
uint64_t
recording_writer_page(struct recording_writer *w, const uint8_t *page)
{
    uint8_t *at = w->pages + w->n_pages * RECORDING_PAGE;
    if (w->n_pages && memcmp(at - RECORDING_PAGE, page, RECORDING_PAGE) == 0)
        return w->number;
    if (w->n_pages == RECORDING_BLOCK_PAGES) {
        flush_pages(w);
        at = w->pages;
    }
    memcpy(at, page, RECORDING_PAGE);
    w->n_pages++;
    return ++w->number;
}

/* ---- what takes memory ---- */

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
        keep_error(w, ENOMEM);
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

/* Behind the pages that it names. */
static void
write_encoded(struct recording_writer *w, enum recording_block_kind kind,
              const void *what)
{
    struct work k = { .w = w, .what = what };
    w->bytes.n = 0;
    flush_pages(w);
    if (oom_call(kind == RECORDING_LAUNCH ? encode_launch : encode_result, &k))
        write_block(w, kind, w->bytes.at, w->bytes.n);
    else
        keep_error(w, ENOMEM);
}

void
recording_writer_launch(struct recording_writer *w,
                        const struct recording_launch *l)
{
    w->launches++;
    write_encoded(w, RECORDING_LAUNCH, l);
}

void
recording_writer_result(struct recording_writer *w,
                        const struct recording_result *r)
{
    write_encoded(w, RECORDING_RESULT, r);
}

bool
recording_writer_close(struct recording_writer *w, bool keep)
{
    uint8_t end[16];
    if (!w)
        return true;
    if (keep && !w->error) {
        flush_pages(w);
        bytes_store(end, 8, w->launches);
        bytes_store(end + 8, 8, w->number);
        write_block(w, RECORDING_END, end, sizeof end);
    }
    int why = w->error;
    if (!output_close(&w->out, keep && !why) && !why)
        why = errno;
    ZSTD_freeCCtx(w->zstd);
    free(w->pages);
    free(w->packed);
    buf_free(&w->bytes);
    arena_free(&w->arena);
    free(w);
    errno = why;
    return !keep || !why;
}
