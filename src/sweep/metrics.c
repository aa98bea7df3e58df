/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/metrics.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX = 128, DEPTH_MAX = 64 };

struct parser {
    const char *at, *wrong; /* wrong: the first error, or NULL */
    metric_lookup *lookup;
    void *ctx;
    unsigned depth;
};

static double
parse_sum(struct parser *p);

static double
metric_fail(struct parser *p, const char *wrong)
{
    if (!p->wrong)
        p->wrong = wrong;
    return 0;
}

/* Takes a character, if it is the next one. */
static bool
take_char(struct parser *p, char c)
{
    p->at += strspn(p->at, " \t");
    if (p->wrong || *p->at != c)
        return false;
    p->at++;
    return true;
}

static double
parse_call(struct parser *p, const char *name)
{
    static const char *const names[] = { "min", "max", "sqrt", "log2" };
    enum { MIN, MAX, SQRT, LOG2, FUNCTIONS };
    int f = 0;
    while (f < FUNCTIONS && strcmp(names[f], name) != 0)
        f++;
    if (f == FUNCTIONS)
        return metric_fail(p, "expected the function min, max, sqrt or log2");
    double a = parse_sum(p), b = 0;
    if (f <= MAX) {
        if (!take_char(p, ','))
            return metric_fail(p, "expected ',' and a second value");
        b = parse_sum(p);
    }
    if (!take_char(p, ')'))
        return metric_fail(p, "expected ')'");
    return f == MIN    ? fmin(a, b)
           : f == MAX  ? fmax(a, b)
           : f == SQRT ? sqrt(a)
                       : log2(a);
}

static double
name_or_call(struct parser *p)
{
    char name[NAME_MAX];
    size_t n = 0;
    double value = NAN;
    for (; isalnum((unsigned char)*p->at) || *p->at == '_' || *p->at == '.';
         p->at++)
        if (n < sizeof name - 1)
            name[n++] = *p->at;
    name[n] = 0;
    if (take_char(p, '('))
        return parse_call(p, name);
    return p->lookup(p->ctx, name, &value) ? value : NAN;
}

static double
parse_value(struct parser *p)
{
    char *end;
    p->at += strspn(p->at, " \t");
    if (isalpha((unsigned char)*p->at) || *p->at == '_')
        return name_or_call(p);
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        double x = strtod(p->at, &end);
        bool is_number = end > p->at;
        p->at = end;
        return is_number ? x : metric_fail(p, "expected a number");
    }
    if (!take_char(p, '('))
        return metric_fail(p, "expected a number, a name or '('");
    double x = parse_sum(p);
    return take_char(p, ')') ? x : metric_fail(p, "expected ')'");
}

/* Parses a sign, or a power, whose right operand is parsed likewise: -2 ^ 2 is -4. */
static double
parse_power(struct parser *p)
{
    if (p->wrong || ++p->depth > DEPTH_MAX)
        return metric_fail(p, "expected fewer parentheses and signs");
    bool minus = take_char(p, '-');
    double x = minus ? -parse_power(p) : parse_value(p);
    if (!minus && take_char(p, '^'))
        x = pow(x, parse_power(p));
    p->depth--;
    return x;
}

static double
parse_product(struct parser *p)
{
    double x = parse_power(p);
    for (;;) {
        if (take_char(p, '*'))
            x *= parse_power(p);
        else if (take_char(p, '/'))
            x /= parse_power(p);
        else
            return x;
    }
}

static double
parse_sum(struct parser *p)
{
    double x = parse_product(p);
    for (;;) {
        if (take_char(p, '+'))
            x += parse_product(p);
        else if (take_char(p, '-'))
            x -= parse_product(p);
        else
            return x;
    }
}

const char *
metric_value(const char *text, metric_lookup *lookup, void *ctx, double *value)
{
    struct parser p = { .at = text, .lookup = lookup, .ctx = ctx };
    *value = parse_sum(&p);
    p.at += strspn(p.at, " \t");
    if (*p.at)
        metric_fail(&p, "expected an operator");
    return p.wrong;
}
