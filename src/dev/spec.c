/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/spec.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/spelling.h"

static bool
spec_fail(struct diag_sink *sink, const char *text, const char *what)
{
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = NULL },
                "argument '%s': %s", text, what);
    return false;
}

static bool
parse_unsigned(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    errno = 0;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    *out = strtoull(text, &end, hex ? 16 : 10);
    return isdigit((unsigned char)*text) && !errno && !*end && *out <= max;
}

static bool
parse_signed(const char *text, int64_t max, int64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return *text && !errno && !*end && *out <= max && *out >= -max - 1;
}

/* A value of a type; 0: no such type, or no such value. */
static size_t
parse_value(const char *type, const char *text, uint8_t out[8])
{
    uint64_t u;
    int64_t i;
    char *end;
    if (strcmp(type, "u32") == 0 && parse_unsigned(text, UINT32_MAX, &u))
        return memcpy(out, &(uint32_t){ (uint32_t)u }, 4) ? 4 : 0;
    if (strcmp(type, "u64") == 0 && parse_unsigned(text, UINT64_MAX, &u))
        return memcpy(out, &u, 8) ? 8 : 0;
    if (strcmp(type, "i32") == 0 && parse_signed(text, INT32_MAX, &i))
        return memcpy(out, &(int32_t){ (int32_t)i }, 4) ? 4 : 0;
    if (strcmp(type, "i64") == 0 && parse_signed(text, INT64_MAX, &i))
        return memcpy(out, &i, 8) ? 8 : 0;
    if (type[0] != 'f' || !*text)
        return 0;
    double d = strtod(text, &end);
    if (*end)
        return 0;
    if (strcmp(type, "f32") == 0)
        return memcpy(out, &(float){ strtof(text, NULL) }, 4) ? 4 : 0;
    return strcmp(type, "f64") == 0 && memcpy(out, &d, 8) ? 8 : 0;
}

static const char *
expected_value(const char *type)
{
    if (type[0] == 'f')
        return "expected a decimal or hexadecimal number, as in f32:1.5";
    if (type[0] == 'i')
        return type[1] == '3' ? "expected -2147483648 to 2147483647"
                              : "expected -2^63 to 2^63 - 1";
    return type[1] == '3' ? "expected 0 to 4294967295, decimal or 0x..."
                          : "expected 0 to 2^64 - 1, decimal or 0x...";
}

/* kind: the first letter of zeros, iota, fiota. */
static bool
make_words(struct arena *a, const char *text, const char *count, char kind,
           struct spec *out, struct diag_sink *sink)
{
    uint64_t n;
    uint64_t most = kind == 'z' ? SIZE_MAX / 4 : UINT32_MAX / 4;
    if (!parse_unsigned(count, most, &n) || !n)
        return spec_fail(sink, text,
                         kind == 'z'
                             ? "expected 1 to 2^62 - 1 words of 32 bits, as in "
                               "zeros:1024"
                             : "expected 1 to 1073741823 words of 32 bits, as "
                               "in iota:1024");
    out->size = 4 * n;
    if (kind == 'z') /* as it is, however large */
        return true;
    uint32_t *words = arena_new(a, uint32_t, n);
    for (uint64_t i = 0; i < n && kind == 'i'; i++)
        words[i] = (uint32_t)i;
    for (uint64_t i = 0; i < n && kind == 'f'; i++)
        memcpy(&words[i], &(float){ (float)i }, 4);
    out->bytes = (const uint8_t *)words;
    return true;
}

/* Tests whether a word is in a list of words between spaces. */
static bool
is_listed(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' '))
            return true;
    return false;
}

const char *
spec_other_format(const char *option, const char *path)
{
    static const char known[] =
        "vcd fst vpd wlf pdf html htm txt csv json pftrace png svg md xml yaml "
        "yml sarif konata log rec elf o";
    static const struct {
        const char *option, *formats, *expected;
    } written[] = {
        { "trace", "json pftrace",
          "JSON (.json) or Perfetto's format (.pftrace)" },
        { "report", "html htm", "HTML (.html)" },
        { "konata", "konata log txt", "the viewer Konata's text (.log)" },
        { "sarif", "sarif json", "SARIF (.sarif)" },
        { "check-json", "json", "JSON (.json)" },
    };
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash) || !is_listed(known, dot + 1))
        return NULL;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (strcmp(written[i].option, option) == 0)
            return is_listed(written[i].formats, dot + 1) ? NULL
                                                          : written[i].expected;
    return NULL;
}

void
spec_bound_trace(struct ventus_dev_record *what)
{
    bool window =
        what->from_cycle || what->to_cycle || what->kernel || what->one_sm;
    what->trace_max_B = window ? 0 : UINT64_C(64) << 20;
    what->notes = stderr;
}

bool
spec_is_value(const char *type)
{
    return strlen(type) == 3 && strchr("uif", type[0]) &&
           (strcmp(type + 1, "32") == 0 || strcmp(type + 1, "64") == 0);
}

static bool
unknown_kind(struct arena *a, struct diag_sink *sink, const char *text,
             const char *type)
{
    static const char *const kinds[] = { "buf", "zeros", "iota",  "fiota",
                                         "u32", "i32",   "f32",   "u64",
                                         "i64", "f64",   "bytes", "local" };
    struct spelling nearest = { .word = type };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        spelling_offer(&nearest, kinds[i]);
    return spec_fail(
        sink, text,
        arena_printf(a,
                     "expected buf:FILE, zeros:N, iota:N, fiota:N, u32:V, "
                     "i32:V, f32:V, u64:V, i64:V, f64:V, bytes:HEX or "
                     "local:N%s%s%s",
                     nearest.name ? ", did you mean '" : "",
                     nearest.name ? nearest.name : "",
                     nearest.name ? "'?" : ""));
}

static int
hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* "0000803f 07000000": spaces and underscores between bytes mean nothing. */
static bool
parse_bytes(struct arena *a, const char *text, const char *hex,
            struct spec *out, struct diag_sink *sink)
{
    uint8_t *bytes = arena_alloc(a, strlen(hex) / 2 + 1, 1, 8);
    size_t n = 0;
    while (*hex) {
        if (*hex == ' ' || *hex == '_') {
            hex++;
            continue;
        }
        int high = hex_digit(hex[0]), low = high < 0 ? -1 : hex_digit(hex[1]);
        if (low < 0)
            return spec_fail(sink, text,
                             arena_printf(a,
                                          "expected two hexadecimal digits for "
                                          "each byte, found '%.2s'",
                                          hex));
        bytes[n++] = (uint8_t)(high << 4 | low);
        hex += 2;
    }
    if (!n)
        return spec_fail(sink, text,
                         "expected hexadecimal digits, as in bytes:0000803f");
    out->arg = ventus_dev_bytes(bytes, n);
    return true;
}

bool
spec_parse(struct arena *a, const char *text, struct spec *out,
           struct diag_sink *sink)
{
    const char *colon = strchr(text, ':');
    char *type = arena_strndup(a, text, colon ? (size_t)(colon - text) : 0);
    const char *rest = colon ? colon + 1 : "";
    *out = (struct spec){ .arg = { .kind = VENTUS_DEV_ARG_BUFFER } };
    if (strcmp(type, "buf") == 0) {
        out->bytes = file_read(a, rest, &out->size, sink);
        if (out->bytes && !out->size)
            return spec_fail(sink, text,
                             "expected a file of 1 byte at least, found none");
        return out->bytes != NULL;
    }
    if (strcmp(type, "zeros") == 0 || strcmp(type, "iota") == 0 ||
        strcmp(type, "fiota") == 0)
        return make_words(a, text, rest, type[0], out, sink);
    if (strcmp(type, "bytes") == 0)
        return parse_bytes(a, text, rest, out, sink);
    if (strcmp(type, "local") == 0) {
        uint64_t n;
        if (!parse_unsigned(rest, UINT32_MAX, &n) || !n)
            return spec_fail(
                sink, text, "expected 1 to 4294967295 bytes, as in local:1024");
        out->arg = ventus_dev_local(n);
        return true;
    }
    if (!spec_is_value(type))
        return unknown_kind(a, sink, text, type);
    uint8_t *value = arena_alloc(a, 8, 1, 8);
    size_t size = parse_value(type, rest, value);
    if (!size)
        return spec_fail(sink, text, expected_value(type));
    out->arg = ventus_dev_bytes(value, size);
    return true;
}

unsigned
spec_sizes(const char *text, uint64_t size[3])
{
    unsigned n = 0;
    while (n < 3) {
        char *end;
        if (!isdigit((unsigned char)*text))
            return 0;
        errno = 0;
        size[n] = strtoull(text, &end, 10);
        if (errno)
            return 0;
        n++;
        if (!*end)
            return n;
        if (*end != ',')
            return 0;
        text = end + 1;
    }
    return 0;
}

bool
spec_cycles(const char *text, uint64_t *from, uint64_t *to)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    *from = strtoull(text, &end, 10);
    if (errno || *end != ':')
        return false;
    text = end + 1;
    *to = 0;
    if (!*text)
        return true;
    if (!isdigit((unsigned char)*text))
        return false;
    *to = strtoull(text, &end, 10);
    return !errno && !*end && *to >= *from && *to;
}

static void
print_value(FILE *out, const char *type, const uint8_t *at)
{
    assert(spec_is_value(type));
    uint32_t w;
    uint64_t d;
    float f;
    double g;
    memcpy(&w, at, 4);
    memcpy(&f, at, 4);
    if (strcmp(type, "u32") == 0)
        fprintf(out, " %" PRIu32, w);
    else if (strcmp(type, "i32") == 0)
        fprintf(out, " %" PRId32, (int32_t)w);
    else if (strcmp(type, "f32") == 0)
        fprintf(out, " %.9g", (double)f);
    if (type[1] == '3')
        return;
    memcpy(&d, at, 8);
    memcpy(&g, at, 8);
    if (strcmp(type, "u64") == 0)
        fprintf(out, " %" PRIu64, d);
    else if (strcmp(type, "i64") == 0)
        fprintf(out, " %" PRId64, (int64_t)d);
    else
        fprintf(out, " %.17g", g);
}

bool
spec_print(FILE *out, const char *type, const uint8_t *bytes, size_t size)
{
    if (!spec_is_value(type))
        return false;
    size_t each = type[1] == '3' ? 4 : 8;
    for (size_t i = 0; i < size / each; i++) {
        if (i % 8 == 0)
            fprintf(out, "%s%5zu:", i ? "\n" : "", i);
        print_value(out, type, bytes + i * each);
    }
    size_t whole = size / each * each;
    for (size_t i = whole; i < size; i++)
        fprintf(out, "%s%02x", i > whole ? "" : "  and the bytes ", bytes[i]);
    fputc('\n', out);
    return true;
}
