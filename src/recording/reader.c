/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/reader.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/bisect.h"
#include "base/oom.h"
#include "base/vec.h"
#include "recording/encode.h"

/* The position of a block; for pages the number of the first one. */
struct block_position {
    uint64_t at, packed_B, raw_B;
    uint64_t first;
    uint32_t check; /* check sum of the packed bytes */
};

struct row {
    struct block_position launch, result; /* result.raw_B 0: no result */
    uint64_t pages; /* pages before it, and before its result, in the file */
    uint64_t result_pages;
};

/* The limit of unpacked bytes for each packed byte of a launch or a program. */
enum { RATIO_MAX = 4096, CACHED = 8 };

struct cached {
    const struct block_position *block;
    uint8_t *bytes; /* contents of a RECORDING_BLOCK_PAGES */
    uint64_t used;
};

struct recording {
    struct arena arena;
    const char *path;
    int fd;
    uint64_t size;
    vec(struct block_position) pages;
    vec(struct block_position) program;
    vec(struct row) row;
    size_t last[RECORDING_DEVICES]; /* row + 1 of its last launch; 0: none */
    uint64_t n_pages;
    bool ended;
    ZSTD_DCtx *zstd;
    struct cached cache[CACHED];
    uint64_t clock;
};

static bool
refuse_at(const struct recording *r, struct diag_sink *sink, uint64_t at,
          const char *what)
{
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = r->path },
                "byte %" PRIu64 ": %s", at, what);
    return false;
}

static uint64_t
load_number(const uint8_t *at, unsigned bytes)
{
    struct cursor c = cursor_over(at, bytes);
    return cursor_number(&c, bytes);
}

static bool
read_at(const struct recording *r, uint64_t at, void *to, size_t size,
        struct diag_sink *sink)
{
    uint8_t *next = to;
    while (size) {
        ssize_t n = pread(r->fd, next, size, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return refuse_at(r, sink, at, strerror(errno));
        if (!n)
            return refuse_at(r, sink, at, "the file ends here: it was cut off");
        next += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

/* Unpacks the contents of a block into `raw`, a buffer of raw_B bytes. */
static bool
unpack_to(struct recording *r, const struct block_position *p, uint8_t *raw,
          struct diag_sink *sink)
{
    uint8_t *packed = malloc((size_t)p->packed_B + 1);
    if (!packed)
        return refuse_at(r, sink, p->at, "out of memory");
    bool ok = read_at(r, p->at, packed, (size_t)p->packed_B, sink);
    if (ok && recording_check(packed, (size_t)p->packed_B) != p->check)
        ok = refuse_at(r, sink, p->at,
                       "the block is damaged: its check does not match");
    if (ok) {
        size_t n = ZSTD_decompressDCtx(r->zstd, raw, (size_t)p->raw_B, packed,
                                       (size_t)p->packed_B);
        if (ZSTD_isError(n) || n != p->raw_B)
            ok = refuse_at(r, sink, p->at,
                           "the size of the block differs from its header");
    }
    free(packed);
    return ok;
}

static uint8_t *
unpack_block(struct recording *r, const struct block_position *p,
             struct arena *a, struct diag_sink *sink)
{
    uint8_t *raw = arena_alloc(a, (size_t)p->raw_B, 1, 8);
    return unpack_to(r, p, raw, sink) ? raw : NULL;
}

/* ---- opening: reads every block, in order ---- */

static bool
add_pages(struct recording *r, struct block_position p, struct diag_sink *sink)
{
    if (p.raw_B % RECORDING_PAGE ||
        p.raw_B > RECORDING_BLOCK_PAGES * RECORDING_PAGE)
        return refuse_at(r, sink, p.at, "a block of pages of a wrong size");
    p.first = r->n_pages + 1;
    r->n_pages += p.raw_B / RECORDING_PAGE;
    vec_push(&r->arena, &r->pages, p);
    return true;
}

static bool
is_sane(const struct block_position *p, uint64_t most)
{
    return p->raw_B <= most && p->raw_B / RATIO_MAX <= p->packed_B + RATIO_MAX;
}

static bool
add_launch(struct recording *r, struct block_position p, struct diag_sink *sink)
{
    struct recording_launch l;
    struct arena a = { 0 };
    if (!is_sane(&p, RECORDING_LAUNCH_MAX))
        return refuse_at(r, sink, p.at, "a launch that is too large");
    const uint8_t *raw = unpack_block(r, &p, &a, sink);
    bool ok = raw != NULL;
    const char *wrong =
        ok ? recording_decode_launch(&a, cursor_over(raw, (size_t)p.raw_B),
                                     r->n_pages, &l)
           : NULL;
    if (ok && !wrong && l.program >= r->program.n)
        wrong = "a launch of a program that is not in the file";
    if (wrong)
        ok = refuse_at(r, sink, p.at, wrong);
    if (ok) {
        vec_push(&r->arena, &r->row,
                 ((struct row){ .launch = p, .pages = r->n_pages }));
        r->last[l.device] = r->row.n;
    }
    arena_free(&a);
    return ok;
}

static bool
add_result(struct recording *r, struct block_position p, struct diag_sink *sink)
{
    struct recording_result result;
    struct arena a = { 0 };
    if (!is_sane(&p, RECORDING_LAUNCH_MAX))
        return refuse_at(r, sink, p.at, "a result that is too large");
    const uint8_t *raw = unpack_block(r, &p, &a, sink);
    bool ok = raw != NULL;
    const char *wrong =
        ok ? recording_decode_result(&a, cursor_over(raw, (size_t)p.raw_B),
                                     r->n_pages, &result)
           : NULL;
    size_t last = ok && !wrong ? r->last[result.device] : 1;
    if (!last || (ok && !wrong && r->row.at[last - 1].result.raw_B))
        wrong = "a result without a launch";
    if (wrong)
        ok = refuse_at(r, sink, p.at, wrong);
    if (ok) {
        r->row.at[last - 1].result = p;
        r->row.at[last - 1].result_pages = r->n_pages;
    }
    arena_free(&a);
    return ok;
}

static bool
add_end(struct recording *r, struct block_position p, struct diag_sink *sink)
{
    uint8_t raw[16];
    if (p.raw_B != sizeof raw)
        return refuse_at(r, sink, p.at, "an end of a wrong size");
    if (!unpack_to(r, &p, raw, sink))
        return false;
    if (load_number(raw, 8) != r->row.n ||
        load_number(raw + 8, 8) != r->n_pages)
        return refuse_at(
            r, sink, p.at,
            "the end counts other launches or pages than there are");
    if (p.at + p.packed_B != r->size)
        return refuse_at(r, sink, p.at + p.packed_B, "bytes past the end");
    r->ended = true;
    return true;
}

static bool
add_block(struct recording *r, uint32_t kind, struct block_position p,
          struct diag_sink *sink)
{
    if (!p.raw_B || !p.packed_B)
        return refuse_at(r, sink, p.at, "an empty block");
    switch (kind) {
    case RECORDING_PAGES:
        return add_pages(r, p, sink);
    case RECORDING_PROGRAM:
        if (!is_sane(&p, RECORDING_PROGRAM_MAX))
            return refuse_at(r, sink, p.at, "a program that is too large");
        vec_push(&r->arena, &r->program, p);
        return true;
    case RECORDING_LAUNCH:
        return add_launch(r, p, sink);
    case RECORDING_RESULT:
        return add_result(r, p, sink);
    case RECORDING_END:
        return add_end(r, p, sink);
    default:
        return refuse_at(r, sink, p.at, "a block of unknown kind");
    }
}

static bool
read_header(struct recording *r, struct diag_sink *sink)
{
    uint8_t h[RECORDING_HEADER_B];
    if (r->size < sizeof h)
        return refuse_at(r, sink, 0, "no recording: it is too short");
    if (!read_at(r, 0, h, sizeof h, sink))
        return false;
    if (memcmp(h, RECORDING_MAGIC, 8) != 0)
        return refuse_at(r, sink, 0, "no recording: expected 'VENTUSRC'");
    if (load_number(h + 8, 4) != RECORDING_VERSION ||
        load_number(h + 12, 4) != RECORDING_PAGE) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = r->path },
                    "recorded in version %u of the format with pages of %u "
                    "bytes, expected version %u and %u bytes",
                    (unsigned)load_number(h + 8, 4),
                    (unsigned)load_number(h + 12, 4), RECORDING_VERSION,
                    RECORDING_PAGE);
        return false;
    }
    if (load_number(h + 28, 4) != recording_check(h, 28))
        return refuse_at(r, sink, 0, "the header is damaged");
    return true;
}

static bool
read_blocks(struct recording *r, struct diag_sink *sink)
{
    uint64_t at = RECORDING_HEADER_B;
    uint8_t h[RECORDING_BLOCK_B];
    while (!r->ended) {
        if (r->size - at < sizeof h)
            return refuse_at(r, sink, at, "the file ends here: it was cut off");
        if (!read_at(r, at, h, sizeof h, sink))
            return false;
        if (load_number(h + 28, 4) != recording_check(h, 28))
            return refuse_at(r, sink, at, "the head of a block is damaged");
        struct block_position p = { .at = at + sizeof h,
                                    .packed_B = load_number(h + 8, 8),
                                    .raw_B = load_number(h + 16, 8),
                                    .check = (uint32_t)load_number(h + 24, 4) };
        if (p.packed_B > r->size - p.at)
            return refuse_at(
                r, sink, at,
                "the block is longer than the file: it was cut off");
        if (!add_block(r, (uint32_t)load_number(h, 4), p, sink))
            return false;
        at = p.at + p.packed_B;
    }
    return true;
}

struct opening {
    struct recording *r;
    struct diag_sink *sink;
    bool ok;
};

static void
read_file(void *ctx)
{
    struct opening *o = ctx;
    o->ok = read_header(o->r, o->sink) && read_blocks(o->r, o->sink);
}

struct recording *
recording_open(const char *path, struct diag_sink *sink)
{
    struct stat st;
    struct recording *r = calloc(1, sizeof *r);
    ZSTD_DCtx *zstd = r ? ZSTD_createDCtx() : NULL;
    if (!zstd) {
        free(r);
        diag_out_of_memory(sink);
        return NULL;
    }
    r->zstd = zstd;
    r->path = arena_printf(sink->arena, "%s", path);
    /* O_NONBLOCK: opening a pipe without a writer returns. */
    r->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct opening o = { .r = r, .sink = sink };
    if (r->fd < 0 || fstat(r->fd, &st) != 0) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = r->path },
                    "cannot be read: %s", strerror(errno));
    } else if (!S_ISREG(st.st_mode)) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = r->path },
                    "expected a recording, found no regular file");
    } else {
        r->size = (uint64_t)st.st_size;
        if (!oom_call(read_file, &o)) {
            o.ok = false;
            diag_out_of_memory(sink);
        }
    }
    if (o.ok)
        return r;
    recording_close(r);
    return NULL;
}

void
recording_close(struct recording *r)
{
    if (!r)
        return;
    if (r->fd >= 0)
        close(r->fd);
    for (int i = 0; i < CACHED; i++)
        free(r->cache[i].bytes);
    ZSTD_freeDCtx(r->zstd);
    arena_free(&r->arena);
    free(r);
}

const char *
recording_path(const struct recording *r)
{
    return r->path;
}

size_t
recording_launches(const struct recording *r)
{
    return r->row.n;
}

/* ---- reading ---- */

bool
recording_read_launch(struct recording *r, size_t i, struct arena *a,
                      struct recording_launch *launch,
                      struct recording_result *result, struct diag_sink *sink)
{
    const struct row *row = &r->row.at[i];
    const struct block_position *l = &row->launch, *e = &row->result;
    *result = (struct recording_result){ .message = NULL };
    const uint8_t *raw = unpack_block(r, l, a, sink);
    if (!raw)
        return false;
    const char *wrong = recording_decode_launch(
        a, cursor_over(raw, (size_t)l->raw_B), row->pages, launch);
    /* The file was changed since it was opened. */
    if (wrong)
        return refuse_at(r, sink, l->at, wrong);
    if (!e->raw_B)
        return true;
    raw = unpack_block(r, e, a, sink);
    if (!raw)
        return false;
    wrong = recording_decode_result(a, cursor_over(raw, (size_t)e->raw_B),
                                    row->result_pages, result);
    return !wrong || refuse_at(r, sink, e->at, wrong);
}

const uint8_t *
recording_read_program(struct recording *r, uint32_t program, struct arena *a,
                       size_t *size, struct diag_sink *sink)
{
    const struct block_position *p = &r->program.at[program];
    *size = (size_t)p->raw_B;
    return unpack_block(r, p, a, sink);
}

/* The block that contains a page of the file. */
static const struct block_position *
block_of(const struct recording *r, uint64_t page)
{
    size_t i;
    BISECT(i, r->pages.n, r->pages.at[i].first <= page);
    assert(i > 0 && "page 1 is in the first block");
    return &r->pages.at[i - 1];
}

/* The unpacked block, which replaces the least recently used one. */
static const uint8_t *
cached_block(struct recording *r, const struct block_position *p,
             struct diag_sink *sink)
{
    struct cached *c = &r->cache[0];
    for (int i = 0; i < CACHED; i++) {
        if (r->cache[i].block == p) {
            r->cache[i].used = ++r->clock;
            return r->cache[i].bytes;
        }
        if (r->cache[i].used < c->used)
            c = &r->cache[i];
    }
    if (!c->bytes)
        c->bytes = malloc(RECORDING_BLOCK_PAGES * RECORDING_PAGE);
    c->block = NULL;
    if (!c->bytes) {
        diag_out_of_memory(sink);
        return NULL;
    }
    if (!unpack_to(r, p, c->bytes, sink))
        return NULL;
    c->block = p;
    c->used = ++r->clock;
    return c->bytes;
}

bool
recording_read_page(struct recording *r, uint64_t page,
                    uint8_t to[RECORDING_PAGE], struct diag_sink *sink)
{
    if (!page) {
        memset(to, 0, RECORDING_PAGE);
        return true;
    }
    const struct block_position *p = block_of(r, page);
    const uint8_t *bytes = cached_block(r, p, sink);
    if (!bytes)
        return false;
    memcpy(to, bytes + (page - p->first) * RECORDING_PAGE, RECORDING_PAGE);
    return true;
}
