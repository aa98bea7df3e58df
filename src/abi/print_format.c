/* SPDX-License-Identifier: Apache-2.0 */
#include "abi/print_format.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cursor.h"

enum { HEADER_B = 8, MAX_LANES = 16 };

/* ---- formats ---- */

/* A conversion specification: %-08.3v4hlf. */
struct spec {
    char flags[8];
    char width[8], precision[8]; /* digits, "" if absent */
    bool has_precision;
    unsigned lanes; /* lanes of the vector, 0: a scalar */
    char length[3]; /* "hh", "h", "hl", "l", "z", "t", "" */
    char conversion;
};

/* Copies characters of `set`, up to the capacity of `to`; the rest is skipped. */
static const char *
copy_set(const char *s, const char *set, char *to, size_t capacity)
{
    size_t n = strspn(s, set);
    size_t kept = n < capacity - 1 ? n : capacity - 1;
    memcpy(to, s, kept);
    to[kept] = 0;
    return s + n;
}

/* Copies the digits of a width or a precision; values above WIDEST would print
 * megabytes of spaces and are cut. */
static const char *
copy_number(const char *s, char to[8])
{
    enum { WIDEST = 9999 };
    unsigned n = 0;
    const char *end = s;
    for (; *end >= '0' && *end <= '9'; end++)
        if (n <= WIDEST)
            n = 10 * n + (unsigned)(*end - '0');
    *to = 0;
    if (end != s)
        snprintf(to, 8, "%u", n < WIDEST ? n : WIDEST);
    return end;
}

static const char *
read_lanes(const char *s, unsigned *lanes)
{
    unsigned n = 0;
    while (*s >= '0' && *s <= '9' && n < 100)
        n = 10 * n + (unsigned)(*s++ - '0');
    *lanes = n;
    return s;
}

/* Reads a specification after '%'.  Returns the text after it; conversion 0 if it is
 * invalid. */
static const char *
read_spec(const char *s, struct spec *spec)
{
    *spec = (struct spec){ 0 };
    s = copy_set(s, "-+ #0", spec->flags, sizeof spec->flags);
    s = copy_number(s, spec->width);
    if (*s == '.') {
        spec->has_precision = true;
        s = copy_number(s + 1, spec->precision);
    }
    if (*s == 'v')
        s = read_lanes(s + 1, &spec->lanes);
    /* size_t and ptrdiff_t: no vector has such elements, and only integers do. */
    const char *conversions = "diouxXfFeEgGaAcsp%";
    if ((*s == 'z' || *s == 't') && !spec->lanes) {
        spec->length[0] = *s++;
        conversions = "diouxX";
    } else {
        s = copy_set(s, "hl", spec->length, sizeof spec->length);
    }
    if (*s && strchr(conversions, *s))
        spec->conversion = *s++;
    return s;
}

char
print_conversion(const char *format, unsigned n)
{
    struct spec spec;
    while ((format = strchr(format, '%'))) {
        format = read_spec(format + 1, &spec);
        if (spec.conversion == '%' || !spec.conversion)
            continue;
        if (n-- == 0)
            return spec.conversion;
    }
    return 0;
}

/* ---- arguments ---- */

/* An argument in the form of its type: i4, f8, s4, f4x4. */
struct argument {
    char kind;
    unsigned size_B, lanes; /* lanes: 0 for a scalar */
    const uint8_t *at;      /* NULL: the argument is missing */
};

static const char *
read_number(const char *s, unsigned *x)
{
    for (*x = 0; *s >= '0' && *s <= '9' && *x < 1000; s++)
        *x = 10 * *x + (unsigned)(*s - '0');
    return s;
}

static struct argument
next_argument(const char **types, struct cursor *bytes)
{
    struct argument arg = { 0 };
    const char *s = *types;
    if (!*s)
        return arg;
    arg.kind = *s;
    s = read_number(s + 1, &arg.size_B);
    if (*s == 'x')
        s = read_number(s + 1, &arg.lanes);
    *types = s;
    unsigned n = arg.size_B * (arg.lanes ? arg.lanes : 1);
    if (arg.size_B >= 1 && arg.size_B <= 8 && arg.lanes <= MAX_LANES)
        arg.at = cursor_bytes(bytes, (n + 3) & ~3u);
    return arg;
}

static uint64_t
element(const struct argument *arg, unsigned lane)
{
    struct cursor c = cursor_over(arg->at + lane * arg->size_B, arg->size_B);
    return cursor_number(&c, arg->size_B);
}

static double
half_value(uint32_t bits)
{
    uint32_t e = bits >> 10 & 31, m = bits & 0x3ff;
    double x = e == 31 ? (m ? (double)NAN : (double)INFINITY)
               : e     ? ldexp(m | 0x400, (int)e - 25)
                       : ldexp(m, -24);
    return copysign(x, bits >> 15 ? -1.0 : 1.0);
}

static double
float_value(uint64_t bits, unsigned size_B)
{
    if (size_B == 2)
        return half_value((uint32_t)bits);
    if (size_B == 4) {
        uint32_t word = (uint32_t)bits;
        float f;
        memcpy(&f, &word, sizeof f);
        return (double)f;
    }
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* ---- printing ---- */

/* Makes the specification for the C library, without vector and length. */
static void
c_spec(const struct spec *spec, const char *length, char conversion, char *to,
       size_t capacity)
{
    snprintf(to, capacity, "%%%s%s%s%s%s%c", spec->flags, spec->width,
             spec->has_precision ? "." : "", spec->precision, length,
             conversion);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void
print_integer(struct buf *out, const struct spec *spec, uint64_t x,
              unsigned size_B)
{
    char c[48];
    assert(size_B >= 1 && size_B <= 8 && "guaranteed by next_argument");
    if (spec->conversion == 'c') {
        c_spec(spec, "", 'c', c, sizeof c);
        buf_printf(out, c, (int)(x & 0xff));
        return;
    }
    unsigned narrow_B = size_B;
    if (strcmp(spec->length, "hh") == 0)
        narrow_B = 1;
    else if (strcmp(spec->length, "h") == 0 && size_B > 2)
        narrow_B = 2;
    unsigned shift = 64 - 8 * narrow_B;
    c_spec(spec, "j", spec->conversion, c, sizeof c);
    if (strchr("di", spec->conversion))
        buf_printf(out, c, (intmax_t)((int64_t)(x << shift) >> shift));
    else
        buf_printf(out, c, (uintmax_t)(x << shift >> shift));
}

static void
print_text(struct buf *out, const struct spec *spec, const char *text)
{
    char c[48];
    c_spec(spec, "", 's', c, sizeof c);
    buf_printf(out, c, text);
}

static void
print_float(struct buf *out, const struct spec *spec, double x)
{
    char c[48];
    c_spec(spec, "", spec->conversion, c, sizeof c);
    buf_printf(out, c, x);
}

#pragma GCC diagnostic pop

/* The characters of a string that are read: enough to show that it exceeds the limit
 * of a record. */
static size_t
most_characters(const struct print_strings *strings)
{
    return strings->limit ? strings->limit + 1 : SIZE_MAX;
}

/* A zero-terminated string of the table, or NULL.  The search for its end is bounded,
 * as it is repeated for each argument; a longer string ends with the table at the
 * latest. */
static const char *
table_string(const struct print_strings *strings, uint32_t at)
{
    if (at >= strings->size)
        return NULL;
    size_t capacity = strings->size - at, most = most_characters(strings);
    const uint8_t *s = strings->table + at;
    if (!memchr(s, 0, capacity < most ? capacity : most) && s[capacity - 1])
        return NULL;
    return (const char *)s;
}

/* Numbers below are offsets in the table, others device addresses. */
enum { FIRST_ADDRESS = 0x70000000 };

static void
print_string(struct buf *out, const struct spec *spec,
             const struct print_strings *strings, uint64_t x)
{
    const char *s = NULL;
    if (x < FIRST_ADDRESS)
        s = table_string(strings, (uint32_t)x);
    else if (strings->at)
        s = strings->at(strings->ctx, x);
    size_t most = most_characters(strings);
    if (s && !spec->has_precision && strnlen(s, most) == most)
        buf_put(out, s, most);
    else
        print_text(out, spec, s ? s : "(null)");
}

static void
print_pointer(struct buf *out, struct spec spec, uint64_t x)
{
    char text[32];
    snprintf(text, sizeof text, "0x%" PRIx64, x);
    spec.has_precision = false;
    spec.precision[0] = 0;
    print_text(out, &spec, text);
}

static void
print_element(struct buf *out, const struct spec *spec,
              const struct print_strings *strings, const struct argument *arg,
              unsigned lane)
{
    uint64_t x = element(arg, lane);
    if (spec->conversion == 's')
        print_string(out, spec, strings, x);
    else if (spec->conversion == 'p')
        print_pointer(out, *spec, x);
    else if (strchr("fFeEgGaA", spec->conversion))
        print_float(out, spec, float_value(x, arg->size_B));
    else
        print_integer(out, spec, x, arg->size_B);
}

static void
print_argument(struct buf *out, const struct spec *spec,
               const struct print_strings *strings, const struct argument *arg)
{
    unsigned lanes = arg->lanes ? arg->lanes : 1;
    for (unsigned i = 0; arg->at && i < lanes; i++) {
        if (i)
            buf_u8(out, ',');
        print_element(out, spec, strings, arg, i);
    }
}

static void
print_all(struct buf *out, const char *format, const char *types,
          const struct print_strings *strings, struct cursor *bytes)
{
    size_t start = out->n;
    while (*format && (!strings->limit || out->n - start <= strings->limit)) {
        size_t plain = 0, most = most_characters(strings);
        while (plain < most && format[plain] && format[plain] != '%')
            plain++;
        buf_put(out, format, plain);
        format += plain;
        if (*format != '%')
            return; /* the end of the format, or the limit is exceeded */
        struct spec spec;
        const char *next = read_spec(format + 1, &spec);
        if (spec.conversion == '%') {
            buf_u8(out, '%');
        } else if (!spec.conversion) {
            buf_put(out, format, (size_t)(next - format));
        } else {
            struct argument arg = next_argument(&types, bytes);
            print_argument(out, &spec, strings, &arg);
        }
        format = next;
    }
}

size_t
print_record(struct buf *out, const struct print_strings *strings,
             const uint8_t *record, size_t size)
{
    struct cursor c = cursor_over(record, size);
    uint32_t n = cursor_u32(&c);
    uint32_t at = cursor_u32(&c);
    if (c.failed || n < HEADER_B || n % 4 || n > size)
        return 0;
    const char *types = table_string(strings, at);
    const char *format =
        types ? table_string(strings, at + (uint32_t)strlen(types) + 1) : NULL;
    struct cursor bytes = cursor_over(record + HEADER_B, n - HEADER_B);
    if (format)
        print_all(out, format, types, strings, &bytes);
    return n;
}
