/* SPDX-License-Identifier: Apache-2.0 */
/* Specialization constants of the command line. */
#include "cc_constants.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "abi/spirv.h"

/* The bits of a number as a half, rounded to the nearest one, ties to even. */
static uint64_t
half_bits(double x)
{
    enum { INFINITE = 0x7c00, NOT_A_NUMBER = 0x7e00, SIGN = 0x8000 };
    uint64_t sign = signbit(x) ? SIGN : 0;
    double size = fabs(x);
    int exponent;
    if (isnan(x))
        return NOT_A_NUMBER;
    if (size < 0x1p-14) /* subnormal, or rounded to the least normal number */
        return sign | (uint64_t)nearbyint(size * 0x1p24);
    if (size >= 65520)
        return sign | INFINITE;
    frexp(size, &exponent); /* 2^(exponent - 1) <= size */
    uint64_t digits = (uint64_t)nearbyint(ldexp(size, 11 - exponent));
    return sign | (((uint64_t)exponent + 13) * 1024 + digits);
}

static bool
read_real(const char *text, size_t bytes, uint64_t *bits)
{
    char *end;
    double x = strtod(text, &end);
    float narrow = (float)x;
    if (end == text || *end)
        return false;
    *bits = 0;
    if (bytes == 2)
        *bits = half_bits(x);
    else if (bytes == 4)
        memcpy(bits, &narrow, sizeof narrow);
    else
        memcpy(bits, &x, sizeof x);
    return true;
}

/* A number of that many bytes, with a sign or without one. */
static bool
read_integer(const char *text, size_t bytes, uint64_t *bits)
{
    char *end;
    bool negative = *text == '-';
    const uint64_t most = UINT64_MAX >> (64 - 8 * bytes);
    errno = 0;
    uint64_t x = strtoull(text + negative, &end, 0);
    bool is_number = end != text + negative && !*end && !errno &&
                     text[negative] >= '0' && text[negative] <= '9';
    *bits = negative ? -x & most : x;
    return is_number && (negative ? x <= most / 2 + 1 : x <= most);
}

static bool
read_bool(const char *text, uint64_t *bits)
{
    *bits = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *bits || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

static bool
read_value(enum spirv_kind kind, const char *text, size_t bytes, uint64_t *bits)
{
    switch (kind) {
    case SPIRV_BOOL:
        return read_bool(text, bits);
    case SPIRV_INTEGER:
        return read_integer(text, bytes, bits);
    case SPIRV_REAL:
        return read_real(text, bytes, bits);
    case SPIRV_NONE:
        break;
    }
    return false;
}

static bool
set_constant(void *module, size_t size, const struct spirv *m, const char *word,
             struct diag_sink *sink)
{
    static const char *const expected[] = {
        [SPIRV_BOOL] = "true or false",
        [SPIRV_INTEGER] = "an integer of its size",
        [SPIRV_REAL] = "a number",
    };
    const char *equals = strchr(word, '=');
    char *end = NULL;
    unsigned long id = equals ? strtoul(word, &end, 10) : 0;
    struct diag_at nowhere = { 0 };
    uint64_t bits = 0;
    if (!equals || end != equals || end == word || *word < '0' || *word > '9' ||
        id > UINT32_MAX) {
        diag_report(sink, DIAG_ERROR, nowhere,
                    "--spec-constant '%s': expected ID=VALUE", word);
        return false;
    }
    enum spirv_kind kind = spirv_constant_kind(m, (uint32_t)id);
    size_t bytes = spirv_constant_B(m, (uint32_t)id);
    if (!bytes) {
        diag_report(sink, DIAG_ERROR, nowhere,
                    "--spec-constant '%s': the module has no specialization "
                    "constant %lu",
                    word, id);
        return false;
    }
    if (!read_value(kind, equals + 1, bytes, &bits)) {
        diag_report(sink, DIAG_ERROR, nowhere,
                    "--spec-constant '%s': expected %s (%zu byte%s)", word,
                    expected[kind], bytes, bytes > 1 ? "s" : "");
        return false;
    }
    spirv_specialise(module, size, (uint32_t)id, &bits);
    return true;
}

bool
constants_set(void *module, size_t size, const char *const *words, size_t n,
              struct diag_sink *sink)
{
    struct spirv m;
    bool ok = true;
    /* The compiler reports what is wrong with a module. */
    if (!spirv_read(&m, module, size))
        return true;
    for (size_t i = 0; i < n; i++)
        ok &= set_constant(module, size, &m, words[i], sink);
    return ok;
}
