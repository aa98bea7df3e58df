/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"

static char *text;
static size_t size;

static struct json
begin(void)
{
    return (struct json){ .out = open_memstream(&text, &size) };
}

#define WROTE(j, expected)         \
    do {                           \
        fclose((j).out);           \
        CHECK_STR(text, expected); \
        free(text);                \
    } while (0)

TEST(commas_and_names)
{
    struct json j = begin();
    json_object(&j, NULL);
    json_number(&j, "n", UINT64_MAX);
    json_signed(&j, "i", INT64_MIN);
    json_array(&j, "empty");
    json_end(&j);
    json_array(&j, "list");
    json_bool(&j, NULL, true);
    json_object(&j, NULL);
    json_end(&j);
    json_bool(&j, NULL, false);
    json_end(&j);
    json_end(&j);
    WROTE(j, "{\"n\":18446744073709551615,\"i\":-9223372036854775808,"
             "\"empty\":[],\"list\":[true,{},false]}");
}

TEST(strings_and_names_are_escaped)
{
    struct json j = begin();
    json_object(&j, NULL);
    json_string(&j, "a\"b", "\"\\\n\t\x01\x1f /\x7f");
    json_string(&j, "utf8", "\xe4\xb9\x98\xe5\xbd\xb1");
    json_string(&j, "none", NULL);
    json_end(&j);
    WROTE(j, "{\"a\\\"b\":\"\\\"\\\\\\u000a\\u0009\\u0001\\u001f /\x7f\","
             "\"utf8\":\"\xe4\xb9\x98\xe5\xbd\xb1\",\"none\":null}");
}

TEST(reals_that_json_has_no_word_for)
{
    struct json j = begin();
    json_array(&j, NULL);
    json_real(&j, NULL, 0.1, 6);
    json_real(&j, NULL, 1e300, 3);
    json_real(&j, NULL, (double)NAN, 6);
    json_real(&j, NULL, -(double)INFINITY, 6);
    json_end(&j);
    WROTE(j, "[0.1,1e+300,null,null]");
}

TEST(lines_begin_after_the_comma)
{
    struct json j = begin();
    json_array(&j, NULL);
    for (unsigned i = 0; i < 3; i++) {
        json_new_line(&j);
        json_number(&j, NULL, i);
    }
    json_new_line(&j);
    json_end(&j);
    WROTE(j, "[\n0,\n1,\n2\n]");
}

TEST(brackets_in_brackets)
{
    struct json j = begin();
    for (unsigned i = 0; i < JSON_DEPTH; i++)
        json_array(&j, NULL);
    for (unsigned i = 0; i < JSON_DEPTH; i++)
        json_end(&j);
    fclose(j.out);
    CHECK_EQ(size, 2 * JSON_DEPTH);
    free(text);
}

TEST_MAIN
