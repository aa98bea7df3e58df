/* SPDX-License-Identifier: Apache-2.0 */
#include "obj/upstream.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"

enum {
    MAX_BUFFERS = 4096,
    MAX_THREADS = 64, /* limit of threads in a warp */
    MAX_WARPS = 1024, /* limit of warps in a work-group */
    DIGITS = 8,
};

struct reader {
    const char *file;
    const char *at, *end;
    unsigned line; /* number of the last line read */
    struct diag_sink *sink;
    bool failed;
};

static void
case_fail(struct reader *r, const char *line, unsigned col, const char *format,
          ...) __attribute__((format(printf, 4, 5)));

static void
case_fail(struct reader *r, const char *line, unsigned col, const char *format,
          ...)
{
    va_list args;
    va_start(args, format);
    if (!r->failed)
        diag_vreport(r->sink, DIAG_ERROR,
                     (struct diag_at){ .file = r->file,
                                       .line = r->line,
                                       .col = col,
                                       .line_text = line },
                     format, args);
    va_end(args);
    r->failed = true;
}

/* The value of a hex digit, 16 for anything else. */
static unsigned
digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 16;
}

static bool
is_space(char c)
{
    return c == '\n' || c == '\r' || c == '\t' || c == ' ';
}

/* A reader over a text without the white space at its end. */
static struct reader
reader_over(const char *file, const char *text, size_t n,
            struct diag_sink *sink)
{
    while (n && is_space(text[n - 1]))
        n--;
    return (struct reader){
        .file = file, .at = text, .end = text + n, .sink = sink
    };
}

static bool
at_end(const struct reader *r)
{
    return r->at >= r->end;
}

static size_t
line_length(const struct reader *r)
{
    size_t left = (size_t)(r->end - r->at);
    const char *end = left ? memchr(r->at, '\n', left) : NULL;
    return end ? (size_t)(end - r->at) : left;
}

/* Reads the next line as a word; 0 after an error. */
static uint32_t
read_word(struct reader *r)
{
    if (r->failed)
        return 0;
    const char *line = r->at;
    size_t length = line_length(r);
    r->line++;
    r->at += length + (line + length < r->end);
    if (length && line[length - 1] == '\r')
        length--;
    uint32_t x = 0;
    for (size_t i = 0; i < length && i < DIGITS; i++) {
        if (digit(line[i]) > 15) {
            case_fail(r, line, (unsigned)i + 1, "expected a hex digit");
            return 0;
        }
        x = x << 4 | digit(line[i]);
    }
    if (length != DIGITS)
        case_fail(r, line, 1, "expected 8 hex digits, found %zu characters",
                  length);
    return x;
}

/* Reads a number of two lines, low word first; `what` names it in messages. */
static uint64_t
read_number(struct reader *r, const char *what)
{
    if (!r->failed && at_end(r)) {
        r->line++;
        case_fail(r, NULL, 0, "the file ends where %s is expected", what);
    }
    uint64_t low = read_word(r);
    if (!r->failed && at_end(r)) {
        r->line++;
        case_fail(r, NULL, 0, "the file ends within %s", what);
    }
    return low | (uint64_t)read_word(r) << 32;
}

/* Reads a number that must be in first..last. */
static uint64_t
read_in(struct reader *r, const char *what, uint64_t first, uint64_t last)
{
    uint64_t x = read_number(r, what);
    if (!r->failed && (x < first || x > last))
        case_fail(r, NULL, 0,
                  "%s is 0x%" PRIx64 ": expected 0x%" PRIx64 " to 0x%" PRIx64,
                  what, x, first, last);
    return x;
}

static void
read_launch(struct reader *r, struct upstream_case *c)
{
    static const char *const size_names[3] = {
        "the number of work-groups in x",
        "the number of work-groups in y",
        "the number of work-groups in z",
    };
    c->start_addr = read_in(r, "the start address", 0, UINT32_MAX);
    c->kernel_id = read_number(r, "the kernel's number");
    for (int i = 0; i < 3; i++)
        c->kernel_size[i] = read_in(r, size_names[i], 1, UINT32_MAX);
    c->wf_size = read_in(r, "the number of threads", 1, MAX_THREADS);
    c->wg_size = read_in(r, "the number of warps", 1, MAX_WARPS);
    c->metadata_base = read_in(r, "the metadata's address", 0, UINT32_MAX);
    c->lds_size_B = read_in(r, "the size of local memory", 0, UINT32_MAX);
    c->pds_size_B = read_in(r, "the size of private memory", 0, UINT32_MAX);
    c->sgpr_usage = read_in(r, "the number of scalar registers", 0, 256);
    c->vgpr_usage = read_in(r, "the number of vector registers", 0, 256);
    c->pds_base = read_in(r, "the address of private memory", 0, UINT32_MAX);
    c->n_buffers = (size_t)read_in(r, "the number of buffers", 0, MAX_BUFFERS);
}

static void
check_buffers(struct reader *r, const struct upstream_case *c)
{
    for (size_t i = 0; i < c->n_buffers && !r->failed; i++) {
        const struct upstream_buffer *b = &c->buffers[i];
        uint64_t left = (uint64_t)UINT32_MAX + 1 - b->base;
        uint64_t size =
            b->alloc_size_B > b->size_B ? b->alloc_size_B : b->size_B;
        r->line = 0;
        if (size > left)
            case_fail(r, NULL, 0,
                      "buffer %zu: address 0x%" PRIx64 " + size 0x%" PRIx64
                      " is past the end of the 32-bit address space",
                      i, b->base, size);
    }
}

bool
upstream_parse_metadata(struct arena *a, const char *file, const char *text,
                        size_t n, struct upstream_case *out,
                        struct diag_sink *sink)
{
    struct reader r = reader_over(file, text, n, sink);
    *out = (struct upstream_case){ .file = file };
    read_launch(&r, out);
    if (r.failed)
        return false;
    struct upstream_buffer *b =
        arena_new(a, struct upstream_buffer, out->n_buffers);
    out->buffers = b;
    for (size_t i = 0; i < out->n_buffers; i++)
        b[i].base = read_in(&r, "a buffer's address", 0, UINT32_MAX);
    for (size_t i = 0; i < out->n_buffers; i++)
        b[i].size_B = read_in(&r, "a buffer's size", 0, UINT32_MAX);
    for (size_t i = 0; i < out->n_buffers; i++)
        b[i].alloc_size_B =
            read_in(&r, "a buffer's allocated size", 0, UINT32_MAX);
    if (!r.failed && !at_end(&r)) {
        r.line++;
        case_fail(&r, r.at, 1,
                  "expected the end of the file: %zu buffers end here",
                  out->n_buffers);
    }
    check_buffers(&r, out);
    return !r.failed;
}

static uint64_t
words_of(const struct upstream_buffer *b)
{
    return (b->size_B + 3) / 4;
}

static uint64_t
count_lines(struct reader r)
{
    uint64_t n = 0;
    while (!at_end(&r)) {
        size_t length = line_length(&r);
        r.at += length + (r.at + length < r.end);
        n++;
    }
    return n;
}

static const uint8_t *
read_contents(struct arena *a, struct reader *r, uint64_t words)
{
    uint8_t *contents = arena_new(a, uint8_t, (size_t)words * 4);
    for (uint64_t i = 0; i < words && !r->failed; i++) {
        bytes_store(contents + i * 4, 4, read_word(r));
    }
    return contents;
}

bool
upstream_parse_data(struct arena *a, const char *file, const char *text,
                    size_t n, struct upstream_case *out, struct diag_sink *sink)
{
    struct reader r = reader_over(file, text, n, sink);
    uint64_t need = 0, lines = count_lines(r);
    for (size_t i = 0; i < out->n_buffers; i++)
        need += words_of(&out->buffers[i]);
    if (lines != need) {
        r.line = (unsigned)(lines < need ? lines : need + 1);
        case_fail(&r, NULL, 0,
                  "%" PRIu64 " words: expected %" PRIu64
                  ", the size of the buffers",
                  lines, need);
        return false;
    }
    struct upstream_buffer *b =
        arena_new(a, struct upstream_buffer, out->n_buffers);
    for (size_t i = 0; i < out->n_buffers && !r.failed; i++) {
        b[i] = out->buffers[i];
        b[i].contents = read_contents(a, &r, words_of(&b[i]));
    }
    out->buffers = b;
    return !r.failed;
}

bool
upstream_read(struct arena *a, const char *metadata_path,
              struct upstream_case *out, struct diag_sink *sink)
{
    static const char suffix[] = ".metadata";
    size_t length = strlen(metadata_path), stem = length - (sizeof suffix - 1);
    if (length < sizeof suffix - 1 ||
        strcmp(metadata_path + stem, suffix) != 0) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = metadata_path },
                    "expected a name that ends in %s", suffix);
        return false;
    }
    size_t size = 0;
    const char *text = (const char *)file_read(a, metadata_path, &size, sink);
    if (!text ||
        !upstream_parse_metadata(a, metadata_path, text, size, out, sink))
        return false;
    const char *data_path =
        arena_printf(a, "%.*s.data", (int)stem, metadata_path);
    text = (const char *)file_read(a, data_path, &size, sink);
    return text && upstream_parse_data(a, data_path, text, size, out, sink);
}
