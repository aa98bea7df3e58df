/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two event files, one behind the other with a line "====" between, as bytes or as
 * changed lines and numbers.  What is read is compared: with itself it is exact, the
 * path sums to the totals of both sides, and the JSON is JSON.
 */
#include <string.h>

#include "dbg/compare.h"
#include "dbg/json_check.h"
#include "text.h"

static const char border[] = "====\n";

static const char *const words[] = {
    "I", "A",        "W",  "S",        "E",       "G",        "D",   "R",
    "M", "F",        "-",  "K k\n",    "#",       "sm0",      "sm1", "0",
    "1", "80000000", "13", "0005217b", "e31408b", "b2219257", "0x",  border
};

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed);

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    return text_mutate(seed, bytes, size, max_size, 0, words,
                       sizeof words / sizeof *words);
}

static bool
parse(struct arena *a, const char *text, struct event_file *file)
{
    struct diag_sink sink = { .arena = a };
    bool ok = event_file_parse(a, "f", text, file, &sink);
    require(ok == !sink.errors, "a refusal without a reason, or the reverse");
    return ok;
}

static void
check_path(const struct comparison *c)
{
    for (unsigned side = 0; c->path.n && side < COMPARE_SIDES; side++) {
        int64_t sum = 0;
        for (size_t i = 0; i < c->path.n; i++)
            sum += c->path.at[i].sum[side];
        require(sum == c->cycles[side], "the path does not sum to the total");
    }
}

static void
check_json(const struct comparison *c)
{
    char *text = NULL;
    size_t size = 0;
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    FILE *out = open_memstream(&text, &size);
    require(out != NULL, "no stream");
    struct json j = { .out = out };
    compare_json(&j, c, 3);
    fputc('\n', out);
    fclose(out);
    require(json_check_lines("f", text, &sink), "not JSON");
    free(text);
    out = open_memstream(&text, &size);
    compare_print(out, c, 3);
    fclose(out);
    free(text);
    arena_free(&a);
}

static void
compare(struct arena *a, const struct event_file *x, const struct event_file *y,
        enum compare_origin origin, bool same)
{
    for (size_t i = 0; i < x->launches.n && i < y->launches.n; i++) {
        struct comparison c;
        struct compare_options o = { .origin = origin };
        compare_launches(a, &x->launches.at[i], &y->launches.at[i], &o, &c);
        require(!same || compare_is_exact(&c), "differs from itself");
        check_path(&c);
        check_json(&c);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena a = { 0 };
    struct event_file x = { 0 }, y = { 0 };
    char *text = arena_strndup(&a, (const char *)bytes, size);
    char *mark = strstr(text, border);
    if (mark)
        *mark = 0;
    bool ok = parse(&a, text, &x);
    if (ok)
        compare(&a, &x, &x, COMPARE_LAUNCH, true);
    if (ok && mark && parse(&a, mark + sizeof border - 1, &y)) {
        compare(&a, &x, &y, COMPARE_LAUNCH, false);
        compare(&a, &y, &x, COMPARE_ISSUE, false);
    }
    arena_free(&a);
    return 0;
}
