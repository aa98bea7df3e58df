/* SPDX-License-Identifier: Apache-2.0 */
/* "monitor image": the format of an image argument, and pixels of it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abi/image.h"
#include "base/bytes.h"
#include "gdb/pixels.h"
#include "gdb/session.h"

enum { SHOWN = 4, SHOWN_MAX = 256, PIXEL_MAX_B = 16 };

/* ---- names ---- */

/* Names of the channels in memory, in their order. */
static const char *
channels_of(const struct image_descriptor *d)
{
    static const char *const names[] = { [IMAGE_INTENSITY] = "I",
                                         [IMAGE_LUMINANCE] = "L",
#define X(name, channels) [IMAGE_##name] = #name,
                                         X(R, 1) X(A, 1) X(RG, 2) X(RA, 2)
                                             X(RGB, 3) X(RGBA, 4) X(BGRA, 4)
                                                 X(ARGB, 4) X(ABGR, 4)
#undef X
    };
    return d->order < sizeof names / sizeof *names ? names[d->order] : "";
}

static const char *
type_of(const struct image_descriptor *d)
{
#define X(name, at, means, size, most)                           \
    if (d->layout == IMAGE_##at && d->class_ == IMAGE_##means && \
        d->bits == size)                                         \
        return #name;
    IMAGE_TYPES(X)
#undef X
    return NULL;
}

/* ---- a pixel ---- */

static double
half_value(uint32_t h)
{
    int exponent = h >> 10 & 31;
    double fraction = h & 0x3ff, sign = h & 0x8000 ? -1 : 1;
    if (exponent == 31)
        return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    if (!exponent)
        return sign * fraction / (1 << 24);
    fraction += 1024;
    return sign * (exponent < 25 ? fraction / (1 << (25 - exponent))
                                 : fraction * (1 << (exponent - 25)));
}

/* The bits of channel `i`, and how many these are. */
static uint32_t
bits_of(const struct image_descriptor *d, const uint8_t *pixel, unsigned i,
        unsigned *n)
{
    static const unsigned at_565[] = { 11, 5, 0 }, of_565[] = { 5, 6, 5 };
    uint32_t all = (uint32_t)bytes_load(pixel, 4);
    *n = d->bits;
    switch (d->layout) {
    case IMAGE_BYTES:
        return pixel[i];
    case IMAGE_HALVES:
        return (uint32_t)bytes_load(pixel + (size_t)2 * i, 2);
    case IMAGE_WORDS:
        return (uint32_t)bytes_load(pixel + (size_t)4 * i, 4);
    case IMAGE_565:
        *n = of_565[i];
        return all >> at_565[i] & ((1u << *n) - 1);
    default: /* 555, 101010 */
        return all >> *n * (2 - i) & ((1u << *n) - 1);
    }
}

static void
put_channel(const struct image_descriptor *d, uint32_t bits, unsigned n,
            struct buf *out)
{
    double most = (double)((UINT64_C(1) << n) - 1);
    int32_t value = (int32_t)(bits << (32 - n)) >> (32 - n);
    float real;
    memcpy(&real, &bits, sizeof real);
    switch (d->class_) {
    case IMAGE_UNORM:
        buf_printf(out, "%g", bits / most);
        break;
    case IMAGE_SNORM:
        /* The lowest integer is -1, too. */
        buf_printf(out, "%g",
                   value < -(int32_t)d->max ? -1 : value / (double)d->max);
        break;
    case IMAGE_SIGNED:
        buf_printf(out, "%" PRId32, value);
        break;
    case IMAGE_UNSIGNED:
        buf_printf(out, "%" PRIu32, bits);
        break;
    case IMAGE_HALF:
        buf_printf(out, "%g", half_value(bits));
        break;
    default:
        buf_printf(out, "%g", (double)real);
        break;
    }
}

static void
put_pixel(const struct image_descriptor *d, const uint8_t *pixel,
          struct buf *out)
{
    const char *names = channels_of(d);
    for (unsigned i = 0; names[i]; i++) {
        unsigned n;
        uint32_t bits = bits_of(d, pixel, i, &n);
        buf_printf(out, " %c ", names[i]);
        put_channel(d, bits, n, out);
    }
}

/* ---- an image ---- */

/* Tests whether bytes are a descriptor as the runtime writes them. */
static bool
is_sane(const struct image_descriptor *d)
{
    unsigned packed = d->layout >= IMAGE_565 ? 3 : 1;
    return type_of(d) && d->pixel_shift <= 4 && *channels_of(d) &&
           (packed == 1 || strlen(channels_of(d)) == packed);
}

static bool
read_descriptor(struct gdb *g, const struct gdb_argument *a,
                struct image_descriptor *d, struct buf *out)
{
    if (gdb_memory_read(g->m, &g->thread, a->address, d, sizeof *d) ==
            sizeof *d &&
        is_sane(d))
        return true;
    buf_printf(out, "%s: no image is at 0x%" PRIx64 "\n", a->name, a->address);
    return false;
}

static void
put_format(const struct gdb_argument *a, const struct image_descriptor *d,
           struct buf *out)
{
    buf_printf(out, "%s: %" PRIu32 " x %" PRIu32 " x %" PRIu32, a->name,
               d->width, d->height, d->depth);
    if (d->layers > 1)
        buf_printf(out, ", %" PRIu32 " layers", d->layers);
    buf_printf(out,
               ", %s, %s, %u bytes a pixel, %" PRIu32 " a row, %" PRIu32
               " a slice, at 0x%" PRIx64 "\n",
               channels_of(d), type_of(d), 1u << d->pixel_shift, d->row_pitch,
               d->slice_pitch, (uint64_t)d->data_high << 32 | d->data);
}

/* Coordinates as kernels have them: the one of an array's layer is the last. */
static bool
find_pixel(const struct image_descriptor *d, const uint64_t *at,
           uint64_t *address)
{
    bool rows = d->layers == 1 || d->height > 1;
    uint64_t x = at[0], y = rows ? at[1] : 0, z = rows ? at[2] : at[1];
    uint64_t slices = d->layers > 1 ? d->layers : d->depth;
    *address = ((uint64_t)d->data_high << 32 | d->data) + z * d->slice_pitch +
               y * d->row_pitch + (x << d->pixel_shift);
    return x < d->width && y < d->height && z < slices && (rows || !at[2]);
}

static void
put_pixels(struct gdb *g, const struct image_descriptor *d, uint64_t *at,
           uint64_t count, struct buf *out)
{
    uint64_t address;
    if (!find_pixel(d, at, &address))
        buf_printf(out,
                   "(%" PRIu64 ",%" PRIu64 ",%" PRIu64
                   ") is outside of the image\n",
                   at[0], at[1], at[2]);
    for (; count && find_pixel(d, at, &address); count--, at[0]++) {
        uint8_t pixel[PIXEL_MAX_B] = { 0 };
        size_t size = (size_t)1 << d->pixel_shift;
        buf_printf(out, "(%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", at[0], at[1],
                   at[2]);
        if (gdb_memory_read(g->m, &g->thread, address, pixel, size) == size)
            put_pixel(d, pixel, out);
        else
            buf_printf(out, " no memory");
        buf_u8(out, '\n');
    }
}

/* X[,Y[,Z]] [COUNT], or nothing: the first pixels. */
static bool
take_place(const char *text, uint64_t *at, uint64_t *count)
{
    char *end = (char *)(uintptr_t)text;
    for (unsigned i = 0; *text && i < 3; i++) {
        at[i] = strtoull(text, &end, 0);
        if (end == text)
            return false;
        text = end;
        if (*end != ',')
            break;
        text++;
    }
    if (*end == ' ')
        *count = strtoull(end, &end, 0);
    return !*end && *count <= SHOWN_MAX;
}

void
gdb_show_image(struct gdb *g, const char *rest, struct buf *out)
{
    const struct gdb_launch *l = g->launch;
    size_t name_B = strcspn(rest, " ");
    const char *place = rest + name_B + strspn(rest + name_B, " ");
    uint64_t at[3] = { 0 }, count = SHOWN;
    struct image_descriptor d;
    bool any = false;
    if (!take_place(place, at, &count)) {
        buf_printf(out,
                   "expected NAME [X[,Y[,Z]] [COUNT]], COUNT at most %d, "
                   "found '%s'\n",
                   SHOWN_MAX, rest);
        return;
    }
    for (size_t i = 0; i < l->n_arguments; i++) {
        const struct gdb_argument *a = &l->arguments[i];
        bool named =
            strlen(a->name) == name_B && memcmp(a->name, rest, name_B) == 0;
        if (strcmp(a->kind, "image") != 0 || (name_B && !named))
            continue;
        any = true;
        if (!read_descriptor(g, a, &d, out))
            continue;
        put_format(a, &d, out);
        if (named)
            put_pixels(g, &d, at, count, out);
    }
    if (!any)
        buf_printf(out, "the kernel has no image '%.*s'\n", (int)name_B, rest);
}
