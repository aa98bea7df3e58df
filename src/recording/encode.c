/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* le64toh */
#include "recording/encode.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

static uint64_t
mix_word(uint64_t x, uint64_t word)
{
    x = (x ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

/* The check sum of words of eight bytes, little endian, in four independent chains, as
 * large files are checked whole. */
uint32_t
recording_check(const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    uint64_t x[4] = { n, 1, 2, 3 }, word[4];
    for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
        memcpy(word, at, sizeof word);
        for (int i = 0; i < 4; i++)
            x[i] = mix_word(x[i], le64toh(word[i]));
    }
    memset(word, 0, sizeof word);
    memcpy(word, at, n);
    for (int i = 0; i < 4; i++)
        x[0] = mix_word(mix_word(x[0], le64toh(word[i])), i ? x[i] : 0);
    return (uint32_t)(x[0] * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* ---- encoding ---- */

static void
put_string(struct buf *out, const char *text)
{
    buf_put(out, text, strlen(text) + 1);
}

static void
put_runs(struct buf *out, const struct recording_runs *runs)
{
    uint64_t at = 0;
    buf_uleb128(out, runs->n);
    for (size_t i = 0; i < runs->n; i++) {
        const struct recording_run *r = &runs->at[i];
        buf_uleb128(out, r->first - at);
        buf_uleb128(out, r->count);
        buf_uleb128(out, r->content << 1 | r->repeats);
        at = r->first + r->count;
    }
}

static void
put_ranges(struct buf *out, const struct recording_range *range, size_t n)
{
    buf_uleb128(out, n);
    for (size_t i = 0; i < n; i++) {
        const struct recording_range *r = &range[i];
        uint64_t at = 0;
        assert(r->kind < RECORDING_RANGE_KINDS);
        assert(r->capacity % RECORDING_GRANULE == 0 && r->size <= r->capacity);
        buf_u8(out, (uint8_t)r->kind);
        buf_uleb128(out, r->id);
        buf_uleb128(out, r->flags);
        buf_uleb128(out, r->address);
        buf_uleb128(out, r->size);
        buf_uleb128(out, r->capacity / RECORDING_GRANULE);
        put_runs(out, &r->runs);
        buf_uleb128(out, r->n_written);
        for (size_t k = 0; k < r->n_written; k++) {
            assert(r->written[k].from >= at &&
                   "written ranges are ascending and disjoint");
            assert(r->written[k].to >= r->written[k].from);
            buf_uleb128(out, r->written[k].from - at);
            buf_uleb128(out, r->written[k].to - r->written[k].from);
            at = r->written[k].to;
        }
    }
}

static void
put_args(struct buf *out, const struct recording_launch *l)
{
    buf_uleb128(out, l->n_args);
    for (size_t i = 0; i < l->n_args; i++) {
        const struct recording_arg *a = &l->arg[i];
        buf_u8(out, (uint8_t)a->kind);
        buf_u8(out, a->bytes != NULL);
        buf_uleb128(out, a->align);
        buf_uleb128(out, a->size);
        buf_uleb128(out, a->address);
        buf_uleb128(out, a->part_B);
        if (a->bytes)
            buf_put(out, a->bytes, a->size);
    }
}

void
recording_encode_launch(struct buf *out, const struct recording_launch *l)
{
    assert(l->device < RECORDING_DEVICES && l->work_dim <= 3);
    buf_uleb128(out, l->device);
    buf_uleb128(out, l->program);
    put_string(out, l->kernel);
    buf_uleb128(out, l->n_settings);
    for (size_t i = 0; i < l->n_settings; i++)
        put_string(out, l->setting[i]);
    buf_uleb128(out, l->work_dim);
    for (int i = 0; i < 3; i++) {
        buf_uleb128(out, l->global[i]);
        buf_uleb128(out, l->local[i]);
        buf_uleb128(out, l->offset[i]);
    }
    buf_uleb128(out, l->local_B);
    buf_uleb128(out, l->private_B);
    buf_uleb128(out, l->print_B);
    buf_u8(out, l->prints);
    put_args(out, l);
    put_ranges(out, l->range, l->n_ranges);
    buf_uleb128(out, l->n_released);
    for (size_t i = 0; i < l->n_released; i++)
        buf_uleb128(out, l->released[i]);
}

void
recording_encode_result(struct buf *out, const struct recording_result *r)
{
    assert(r->device < RECORDING_DEVICES);
    buf_uleb128(out, r->device);
    buf_u8(out, r->ok);
    put_string(out, r->message);
    put_string(out, r->fault);
    buf_uleb128(out, r->pc);
    buf_u8(out, r->has_memory);
    put_ranges(out, r->range, r->n_ranges);
}

/* ---- decoding ---- */

struct decoder {
    struct arena *arena;
    struct cursor in;
    uint64_t pages; /* pages before it in the file */
    const char *wrong;
};

static void
refuse_field(struct decoder *d, const char *what)
{
    if (!d->wrong)
        d->wrong = what;
}

/* Takes a number of at most `most`; a larger one is refused as `what`. */
static uint64_t
take_number(struct decoder *d, uint64_t most, const char *what)
{
    uint64_t x = cursor_uleb128(&d->in);
    if (x <= most)
        return x;
    refuse_field(d, what);
    return 0;
}

/* Takes a count of elements, each of `least` bytes or more: no more than the remaining
 * bytes can hold. */
static size_t
take_count(struct decoder *d, size_t least, const char *what)
{
    return (size_t)take_number(d, cursor_left(&d->in) / least, what);
}

static bool
take_bool(struct decoder *d, const char *what)
{
    uint8_t x = cursor_u8(&d->in);
    if (x > 1)
        refuse_field(d, what);
    return x == 1;
}

static void
take_runs(struct decoder *d, struct recording_range *r)
{
    uint64_t all = r->capacity / RECORDING_PAGE, at = 0;
    size_t n = take_count(d, 3, "more runs of pages than bytes");
    r->runs.at = arena_new(d->arena, struct recording_run, n);
    r->runs.n = r->runs.cap = n;
    for (size_t i = 0; i < n && !d->wrong; i++) {
        struct recording_run *run = &r->runs.at[i];
        run->first = at + take_number(d, all - at, "a page past its range");
        run->count = take_number(d, all - run->first, "pages past their range");
        uint64_t content = cursor_uleb128(&d->in);
        run->repeats = content & 1;
        run->content = content >> 1;
        at = run->first + run->count;
        uint64_t last =
            run->content + (run->repeats || !run->content ? 0 : run->count - 1);
        if (!run->count || last > d->pages)
            refuse_field(d, "a page that is not in the file");
    }
}

static void
take_written(struct decoder *d, struct recording_range *r)
{
    uint64_t at = 0;
    size_t n = take_count(d, 2, "more written bytes than bytes");
    struct recording_bytes *w = arena_new(d->arena, struct recording_bytes, n);
    r->written = w;
    r->n_written = n;
    for (size_t i = 0; i < n && !d->wrong; i++) {
        w[i].from =
            at + take_number(d, r->size - at, "written bytes past a range");
        w[i].to = w[i].from + take_number(d, r->size - w[i].from,
                                          "written bytes past a range");
        at = w[i].to;
    }
}

static void
take_range(struct decoder *d, struct recording_range *r, uint64_t *end,
           uint64_t *left)
{
    uint8_t kind = cursor_u8(&d->in);
    if (kind >= RECORDING_RANGE_KINDS)
        refuse_field(d, "an unknown kind of memory");
    r->kind = (enum recording_range_kind)kind;
    r->id = cursor_uleb128(&d->in);
    r->flags = (unsigned)take_number(d, 7, "unknown flags of memory");
    r->address = cursor_uleb128(&d->in);
    if (r->address % RECORDING_GRANULE || r->address < *end)
        refuse_field(d, "memory that overlaps, or is not at a page");
    uint64_t size = cursor_uleb128(&d->in);
    r->capacity =
        RECORDING_GRANULE * take_number(d, *left / RECORDING_GRANULE,
                                        "memory of more than 2^38 bytes");
    r->size = size;
    assert(r->capacity <= *left && "take_number has bounded it");
    *left -= r->capacity;
    /* A launch may use none of the memory that the driver allocates for it. */
    bool may_be_empty = r->kind > RECORDING_CODE;
    if ((!r->size && !may_be_empty) || !r->capacity || r->size > r->capacity ||
        r->address + r->capacity < r->address)
        refuse_field(d, "memory of a wrong size, or past the last address");
    *end = r->address + r->capacity;
    take_runs(d, r);
    take_written(d, r);
    if (!r->id && (r->runs.n || r->kind <= RECORDING_CODE))
        refuse_field(d, "memory without an id");
}

static const struct recording_range *
take_ranges(struct decoder *d, size_t *count)
{
    uint64_t end = 0, left = RECORDING_RANGE_MAX;
    *count = take_count(d, 8, "more pieces of memory than bytes");
    struct recording_range *range =
        arena_new(d->arena, struct recording_range, *count);
    for (size_t i = 0; i < *count && !d->wrong && !d->in.failed; i++)
        take_range(d, &range[i], &end, &left);
    return range;
}

static const struct recording_arg *
take_args(struct decoder *d, size_t *count)
{
    *count = take_count(d, 6, "more arguments than bytes");
    struct recording_arg *arg =
        arena_new(d->arena, struct recording_arg, *count);
    for (size_t i = 0; i < *count && !d->wrong && !d->in.failed; i++) {
        struct recording_arg *a = &arg[i];
        a->kind = cursor_u8(&d->in);
        bool bytes = take_bool(d, "an argument without kind");
        a->align =
            (uint32_t)take_number(d, 1 << 20, "an alignment above 1048576");
        a->size = cursor_uleb128(&d->in);
        a->address = cursor_uleb128(&d->in);
        a->part_B = cursor_uleb128(&d->in);
        if (a->kind > 3)
            refuse_field(d, "an unknown kind of argument");
        if (bytes)
            a->bytes = cursor_bytes(&d->in, a->size);
    }
    return arg;
}

/* NULL, or the error; no bytes may be left. */
static const char *
check_end(const struct decoder *d)
{
    if (d->wrong)
        return d->wrong;
    return d->in.failed          ? "it ends too early"
           : cursor_left(&d->in) ? "bytes past its end"
                                 : NULL;
}

const char *
recording_decode_launch(struct arena *a, struct cursor in, uint64_t pages,
                        struct recording_launch *l)
{
    struct decoder d = { .arena = a, .in = in, .pages = pages };
    *l = (struct recording_launch){ .device = 0 };
    l->device =
        (uint32_t)take_number(&d, RECORDING_DEVICES - 1, "too many devices");
    l->program = (uint32_t)take_number(&d, UINT32_MAX, "too many programs");
    l->kernel = cursor_string(&d.in);
    l->n_settings = take_count(&d, 1, "more settings than bytes");
    const char **setting = arena_new(a, const char *, l->n_settings);
    for (size_t i = 0; i < l->n_settings; i++)
        setting[i] = cursor_string(&d.in);
    l->setting = setting;
    l->work_dim = (uint32_t)take_number(&d, 3, "more than 3 dimensions");
    for (int i = 0; i < 3; i++) {
        l->global[i] = cursor_uleb128(&d.in);
        l->local[i] = cursor_uleb128(&d.in);
        l->offset[i] = cursor_uleb128(&d.in);
    }
    l->local_B =
        (uint32_t)take_number(&d, UINT32_MAX, "local memory above 32 bits");
    l->private_B =
        (uint32_t)take_number(&d, UINT32_MAX, "private memory above 32 bits");
    l->print_B =
        (uint32_t)take_number(&d, 1 << 30, "a print buffer above 1 GiB");
    l->prints = take_bool(&d, "an invalid flag of printing");
    l->arg = take_args(&d, &l->n_args);
    l->range = take_ranges(&d, &l->n_ranges);
    l->n_released = take_count(&d, 1, "more released memory than bytes");
    uint64_t *released = arena_new(a, uint64_t, l->n_released);
    for (size_t i = 0; i < l->n_released; i++)
        released[i] = cursor_uleb128(&d.in);
    l->released = released;
    return check_end(&d);
}

const char *
recording_decode_result(struct arena *a, struct cursor in, uint64_t pages,
                        struct recording_result *r)
{
    struct decoder d = { .arena = a, .in = in, .pages = pages };
    *r = (struct recording_result){ .ok = false };
    r->device =
        (uint32_t)take_number(&d, RECORDING_DEVICES - 1, "too many devices");
    r->ok = take_bool(&d, "an invalid flag of success");
    r->message = cursor_string(&d.in);
    r->fault = cursor_string(&d.in);
    r->pc = cursor_uleb128(&d.in);
    r->has_memory = take_bool(&d, "an invalid flag of memory");
    r->range = take_ranges(&d, &r->n_ranges);
    return check_end(&d);
}
