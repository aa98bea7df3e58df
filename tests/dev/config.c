/* SPDX-License-Identifier: Apache-2.0 */
/* Settings: what is read, and what is refused with which words. */
#include "test.h"

#include <stdlib.h>

#include "dev/config.h"

static char *
parse(const char *text, struct config *c)
{
    static char message[512];
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    config_defaults(c);
    bool ok = config_parse(c, "x.ini", text, &sink);
    message[0] = 0;
    CHECK_EQ(ok, !sink.first);
    if (sink.first)
        snprintf(message, sizeof message, "%u: %s", sink.first->line,
                 sink.first->message);
    arena_free(&a);
    return message;
}

TEST(values)
{
    struct config c;
    CHECK_STR(parse("; comment\n[machine]\nnum_thread = 8 ; lanes\n"
                    "isa=v2\nlocal_size = 64K\n[rules]\nall_lanes = yes\n",
                    &c),
              "");
    CHECK_EQ(c.value[CONFIG_num_thread], 8);
    CHECK_EQ(c.value[CONFIG_isa], 2);
    CHECK_EQ(c.value[CONFIG_local_size], 64 << 10);
    CHECK_EQ(c.value[CONFIG_all_lanes], 1);
    CHECK_EQ(c.value[CONFIG_num_warp], 32);
}

TEST(refused)
{
    struct config c;
    CHECK_STR(parse("[machine]\nnum_theads = 8\n", &c),
              "2: unknown key 'num_theads'; did you mean 'num_thread'?");
    CHECK_STR(parse("[machine]\n\nwarp_colour = 8\n", &c),
              "3: unknown key 'warp_colour'; ventus info --config lists all");
    CHECK_STR(parse("[machine]\nnum_thread = 12\n", &c),
              "2: num_thread is a power of two, 1 to 64, found '12'");
    CHECK_STR(parse("[machine]\nnum_thread = many\n", &c),
              "2: num_thread is a power of two, 1 to 64, found 'many'");
    /* There was no word of the least. */
    CHECK_STR(parse("[run]\ndeadlock = 64\n", &c),
              "2: deadlock is a number of at least 100, found '64'");
    CHECK_STR(parse("[memory]\nnum_thread = 8\n", &c),
              "2: key 'num_thread' belongs in [machine], found in [memory]");
    CHECK_STR(parse("[machine]\nnum_sm = 1\nnum_sm = 2\n", &c),
              "3: key 'num_sm' is set twice, first in line 2");
    CHECK_STR(parse("[machine]\nisa = v3\n", &c),
              "2: isa is one of v1 v2, found 'v3'");
    CHECK_STR(parse("[rules]\nall_lanes = perhaps\n", &c),
              "2: all_lanes is yes or no, found 'perhaps'");
    CHECK_STR(parse("[machine]\nnum_sm\n", &c),
              "2: expected [section], key = value or ; comment");
    CHECK_STR(
        parse("[machine]\nlocal_size = 99999999999999999999\n", &c),
        "2: local_size is a number, 1024 to 268435456, may end in K, M or "
        "G, found '99999999999999999999'");
}

TEST(presets)
{
    char *folder;
    char **names = ventus_dev_presets(&folder);
    bool has_default = false, has_chisel = false;
    for (unsigned i = 0; names && names[i]; i++) {
        has_default |= strcmp(names[i], "default") == 0;
        has_chisel |= strcmp(names[i], "chisel") == 0;
        CHECK(!i || strcmp(names[i - 1], names[i]) < 0);
    }
    CHECK(has_default && has_chisel);
    CHECK(strstr(folder, "share/ventus/configs"));
    free(names);
    free(folder);
    CHECK(
        !ventus_dev_open(&(struct ventus_dev_options){ .config = "nowhere" }));
    CHECK(strstr(ventus_dev_message(), "no preset 'nowhere' (presets: "));
    CHECK(strstr(ventus_dev_message(), ", default, "));
    const char *set[] = { "num_thread" };
    CHECK(!ventus_dev_open(
        &(struct ventus_dev_options){ .set = set, .n_set = 1 }));
    CHECK_STR(ventus_dev_message(), "expected key=value, found 'num_thread'");
}

TEST(texts)
{
    static const char long_one[] =
        "vendor="
        "0123456789012345678901234567890123456789012345678901234567890123";
    static const char *const refused[] = { "vendor=", "vendor=a\nb", long_one };
    struct ventus_dev *d = ventus_dev_open(NULL);
    CHECK_STR(ventus_dev_text(d, "vendor"), "");
    CHECK_STR(ventus_dev_text(d, "num_thread"), "");
    ventus_dev_close(d);
    const char *set[] = { "vendor=Example = 1", "device_name=x" };
    d = ventus_dev_open(&(struct ventus_dev_options){ .set = set, .n_set = 2 });
    CHECK_STR(ventus_dev_text(d, "vendor"), "Example = 1");
    CHECK_STR(ventus_dev_text(d, "device_name"), "x");
    CHECK_STR(ventus_dev_text(d, "driver_version"), "");
    ventus_dev_close(d);
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(!ventus_dev_open(
            &(struct ventus_dev_options){ .set = &refused[i], .n_set = 1 }));
        CHECK(
            strstr(ventus_dev_message(),
                   "vendor is 1 to 63 printable characters of ASCII, found '"));
    }
    const char *near = "vendo=x";
    CHECK(!ventus_dev_open(
        &(struct ventus_dev_options){ .set = &near, .n_set = 1 }));
    CHECK_STR(ventus_dev_message(),
              "unknown key 'vendo'; did you mean 'vendor'?");
}

TEST(every_default_is_in_its_range)
{
    size_t n;
    const struct ventus_dev_key *k = ventus_dev_keys(&n);
    for (size_t i = 0; i < n; i++)
        CHECK(k[i].fallback >= k[i].min && k[i].fallback <= k[i].max &&
              k[i].meaning[0]);
}

TEST_MAIN
