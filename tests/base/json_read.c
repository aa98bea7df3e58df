/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_read.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

struct seen {
    char text[512];
    size_t n;
};

static void
see_leaf(void *ctx, const struct json_leaf *l)
{
    struct seen *s = ctx;
    s->n +=
        (size_t)snprintf(s->text + s->n, sizeof s->text - s->n, "%s=%s%.*s ",
                         l->path, l->string ? "'" : "", (int)l->n, l->text);
}

static void
see_list(void *ctx, const char *path, const char *begin, const char *end)
{
    struct seen *s = ctx;
    s->n += (size_t)snprintf(s->text + s->n, sizeof s->text - s->n, "<%s:%d> ",
                             path, (int)(end - begin));
}

TEST(paths_of_what_is_in_it)
{
    struct seen s = { .n = 0 };
    struct json_reader r = { .at = "{\"name\":\"v\\\"\",\"c\":{\"i\": 7},\n"
                                   "\"l\":[true,{\"x\":-1.5e3},[]]} rest",
                             .leaf = see_leaf,
                             .list = see_list,
                             .ctx = &s };
    CHECK(json_read(&r));
    CHECK_STR(r.at, "rest");
    CHECK_STR(s.text, "name='v\\\" c.i=7 <c:8> l.0=true l.1.x=-1.5e3 <l.1:12> "
                      "<l.2:2> <l:22> <:55> ");
}

TEST(one_line_or_several)
{
    struct json_reader r = { .at = "[1,\n2]\n[3]" };
    CHECK(json_read(&r));
    CHECK_STR(r.at, "[3]");
    r = (struct json_reader){ .at = "[1,\n2]", .one_line = true };
    CHECK(!json_read(&r));
    CHECK_STR(r.expected, "a value");
    CHECK_STR(r.at, "\n2]");
}

/* Names that together are longer than the path of a leaf. */
TEST(long_names_are_refused)
{
    char text[2048] = "{\"";
    memset(text + 2, 'a', 600);
    snprintf(text + 602, sizeof text - 602, "\":1}");
    struct json_reader r = { .at = text };
    CHECK(!json_read(&r));
    CHECK_STR(r.expected, "shorter names");
    char deep[256] = "";
    memset(deep, '[', 200);
    r = (struct json_reader){ .at = deep };
    CHECK(!json_read(&r));
    CHECK_STR(r.expected, "fewer brackets in brackets");
}

TEST(escapes)
{
    struct arena a = { 0 };
    const char *text = "a\\n\\u0041\\u00e9\\u20ac\\\"\\/\\";
    CHECK_STR(json_plain(&a, text, strlen(text)),
              "a\nA\xc3\xa9\xe2\x82\xac\"/\\");
    CHECK_STR(json_plain(&a, "", 0), "");
    arena_free(&a);
}

TEST_MAIN
