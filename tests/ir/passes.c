/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passes FILE.ir...: text, a pass, expected text.
 *
 *     # pass: divergence
 *     func f
 *     ...
 *     # expect
 *     func f
 *     ...
 *
 * "# target: v2" is for passes that ask.
 *
 * Without "# expect" the text itself is expected: it must parse and print
 * back, and be valid.  "# refuse: WORDS" expects an error with these words.
 * With --update the expected text is rewritten.
 *
 * passes --roundtrip FILE...: any number of functions, as `ventus cc --emit ir`
 * writes them; each must parse and print back the same.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cc/compile.h"
#include "ir/ir.h"

struct test {
    struct arena arena;
    struct diag_sink sink;
    const char *file, *text, *pass, *refuse;
    const char *input, *expected; /* without and behind "# expect" */
};

/* The rest of the line behind `key`, NULL if there is none. */
static const char *
directive(struct test *t, const char *key)
{
    const char *at = strstr(t->text, key);
    if (!at)
        return NULL;
    at += strlen(key);
    return arena_strndup(&t->arena, at, strcspn(at, "\n"));
}

static char *
printed(struct test *t, const struct ir_func *f)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    ir_print(f, out);
    fclose(out);
    char *copy = arena_strndup(&t->arena, text, size);
    free(text);
    return copy;
}

static bool
read_test(struct test *t)
{
    size_t size;
    t->text = (const char *)file_read(&t->arena, t->file, &size, &t->sink);
    if (!t->text)
        return false;
    t->pass = directive(t, "# pass: ");
    t->refuse = directive(t, "# refuse: ");
    const char *expect = strstr(t->text, "# expect\n");
    size_t n = expect ? (size_t)(expect - t->text) : strlen(t->text);
    t->input = arena_strndup(&t->arena, t->text, n);
    const char *body = strstr(t->input, "func ");
    t->expected = expect ? expect + strlen("# expect\n") : body ? body : "";
    return true;
}

/* The first error, of the parser, the validator or the pass. */
static const char *
first_error(struct test *t, const char *error)
{
    if (error)
        return error;
    return t->sink.first ? t->sink.first->message : NULL;
}

static bool
update(struct test *t, const char *got)
{
    char *all = arena_printf(&t->arena, "%s# expect\n%s", t->input, got);
    return file_write(t->file, all, strlen(all), &t->sink);
}

static bool
run(struct test *t, bool rewrite)
{
    const char *target = directive(t, "# target: ");
    struct cc_options options = { 0 };
    if (target)
        options.target = strcmp(target, "v2") == 0 ? &cc_target_v2 : NULL;
    struct ir_func *f = ir_parse(&t->arena, t->file, t->input, &t->sink);
    const char *error = NULL;
    if (f)
        error = ir_validate(f, t->pass ? IR_FORM_SCALAR : IR_FORM_VECTOR);
    if (f && !error && t->pass &&
        !cc_run_pass(t->pass, f, &options, &t->sink) && !t->sink.errors)
        error = "no such pass";
    error = first_error(t, error);
    if (t->refuse || error) {
        if (t->refuse && error && strstr(error, t->refuse))
            return true;
        printf("%s: %s, expected %s\n", t->file, error ? error : "no error",
               t->refuse ? t->refuse : "none");
        return false;
    }
    const char *got = printed(t, f);
    if (strcmp(got, t->expected) == 0)
        return true;
    if (rewrite)
        return update(t, got);
    printf("%s: got\n%sexpected\n%s", t->file, got, t->expected);
    return false;
}

/* One function, which ends where the next or a comment begins. */
static bool
roundtrip(struct test *t, const char *text, size_t n)
{
    struct arena scratch = { 0 };
    char *input = arena_strndup(&scratch, text, n);
    struct ir_func *f = ir_parse(&scratch, t->file, input, &t->sink);
    bool ok = f && strcmp(printed(t, f), input) == 0;
    if (!ok)
        printf("%s: %s\n%s", t->file,
               f ? "prints differently" : t->sink.first->message, input);
    arena_free(&scratch);
    return ok;
}

static bool
roundtrip_file(struct test *t)
{
    size_t size;
    const char *at =
        (const char *)file_read(&t->arena, t->file, &size, &t->sink);
    bool ok = at != NULL;
    unsigned n = 0;
    for (at = at ? strstr(at, "func ") : NULL; at && ok; n++) {
        const char *end = strstr(at, "\n# ");
        size_t length = end ? (size_t)(end - at) + 1 : strlen(at);
        ok = roundtrip(t, at, length);
        at = strstr(at + length, "func ");
    }
    if (!n)
        printf("%s: no function\n", t->file);
    return ok && n;
}

int
main(int argc, char **argv)
{
    bool rewrite = false, round = false;
    int tests = 0, failed = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--update") == 0) {
            rewrite = true;
            continue;
        }
        if (strcmp(argv[i], "--roundtrip") == 0) {
            round = true;
            continue;
        }
        struct test t = { .file = argv[i] };
        t.sink.arena = &t.arena;
        failed +=
            round ? !roundtrip_file(&t) : !read_test(&t) || !run(&t, rewrite);
        tests++;
        arena_free(&t.arena);
    }
    printf("%d tests, %d failed\n", tests, failed);
    return failed != 0;
}
