/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a recording: what is written is read; what is damaged is refused. */
#include "test.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording/extract.h"
#include "recording/writer.h"

static char folder[64], path[96];
static struct arena arena;

static const char *
in_folder(const char *name)
{
    return arena_printf(&arena, "%s/%s", folder, name);
}

__attribute__((constructor)) static void
make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/ventus-recording-XXXXXX");
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/a.rec", folder);
}

/* The folder has no files but this one. */
static void
clean_up(const char *name)
{
    unlink(in_folder(name));
}

static uint8_t page_of_ones[RECORDING_PAGE];

/* A launch of device 0 with one buffer of 8 KiB, of which `runs` changed. */
static struct recording_launch
launch_with(struct recording_range *range, struct recording_run *run, size_t n)
{
    static const char *const setting[] = { "isa=v1" };
    static const struct recording_arg arg[] = {
        { .kind = 1,
          .address = 0x90000010,
          .size = 4,
          .align = 4,
          .part_B = 300 },
        { .kind = 0, .size = 4, .align = 4, .bytes = (const uint8_t *)"abc" },
    };
    static const struct recording_bytes written[] = { { 3, 7 }, { 9, 5000 } };
    *range = (struct recording_range){ .kind = RECORDING_BUFFER,
                                       .id = 7,
                                       .address = 0x90000000,
                                       .size = 5000,
                                       .capacity = 8192,
                                       .runs = { run, n, n },
                                       .written = written,
                                       .n_written = 2 };
    return (struct recording_launch){ .kernel = "k",
                                      .setting = setting,
                                      .n_settings = 1,
                                      .work_dim = 1,
                                      .global = { 64, 1, 1 },
                                      .local = { 8, 1, 1 },
                                      .offset = { 5, 0, 0 },
                                      .arg = arg,
                                      .n_args = 2,
                                      .range = range,
                                      .n_ranges = 1 };
}

/* Two launches: the second changes page 1 alone; the first has a result. */
static void
write_two(const char *to)
{
    uint8_t two[RECORDING_PAGE] = { 2 };
    struct recording_range range;
    struct recording_run run = { .first = 0, .count = 2, .repeats = true };
    struct recording_writer *w = recording_writer_open(to);
    if (!CHECK(w != NULL))
        return;
    memset(page_of_ones, 1, sizeof page_of_ones);
    struct recording_launch l = launch_with(&range, &run, 1);
    l.program = recording_writer_program(w, "elf", 3);
    run.content = recording_writer_page(w, page_of_ones);
    CHECK_EQ(recording_writer_page(w, page_of_ones), run.content);
    recording_writer_launch(w, &l);
    recording_writer_result(w, &(struct recording_result){
                                   .message = "", .fault = "", .ok = true });
    CHECK_EQ(recording_writer_program(w, "elf", 3), 0);
    run = (struct recording_run){ .first = 1,
                                  .count = 1,
                                  .content = recording_writer_page(w, two) };
    recording_writer_launch(w, &l);
    CHECK(recording_writer_close(w, true));
}

TEST(what_is_written_is_read)
{
    struct diag_sink sink = { .arena = &arena };
    struct recording_memory m = { .n = 0 };
    uint8_t page[RECORDING_PAGE];
    struct stat st;
    size_t size;
    write_two(path);
    CHECK_EQ(stat(path, &st), 0);
    CHECK_EQ(st.st_mode & 0777, 0600);
    struct recording *r = recording_open(path, &sink);
    if (!CHECK(r != NULL))
        return;
    CHECK_EQ(recording_launches(r), 2);
    CHECK(recording_memory_read(&m, r, 1, false, &sink));
    CHECK_EQ(m.n, 1);
    CHECK_EQ(m.piece[0]->pages, 8192 / RECORDING_PAGE);
    CHECK_EQ(m.piece[0]->content[0], 1);
    CHECK_EQ(m.piece[0]->content[1], 2);
    CHECK_EQ(m.stored, 2);
    CHECK_EQ(m.piece[0]->range.n_written, 2);
    CHECK_EQ(m.piece[0]->range.written[1].from, 9);
    CHECK_EQ(m.piece[0]->range.written[1].to, 5000);
    CHECK_STR(m.launch.kernel, "k");
    CHECK_EQ(m.launch.offset[0], 5);
    CHECK_EQ(m.launch.arg[0].address, 0x90000010);
    CHECK_EQ(m.launch.arg[0].part_B, 300);
    CHECK(memcmp(m.launch.arg[1].bytes, "abc", 4) == 0);
    CHECK(m.result.message == NULL);
    CHECK(recording_read_page(r, 1, page, &sink));
    CHECK(memcmp(page, page_of_ones, sizeof page) == 0);
    CHECK(memcmp(recording_read_program(r, 0, &arena, &size, &sink), "elf",
                 3) == 0);
    CHECK_EQ(size, 3);
    recording_memory_free(&m);
    CHECK(recording_memory_read(&m, r, 0, false, &sink));
    CHECK_EQ(m.piece[0]->content[1], 1);
    CHECK(m.result.message && m.result.ok);
    recording_memory_free(&m);
    recording_close(r);
    clean_up("a.rec");
}

/* From a launch to the next one, and back, is as reading each alone. */
TEST(memory_goes_on_from_launch_to_launch)
{
    struct diag_sink sink = { .arena = &arena };
    struct recording_memory m = { .n = 0 };
    static const size_t order[] = { 0, 1, 1, 0, 1 };
    write_two(path);
    struct recording *r = recording_open(path, &sink);
    for (size_t i = 0; r && i < sizeof order / sizeof *order; i++) {
        CHECK(recording_memory_read(&m, r, order[i], false, &sink));
        CHECK_EQ(m.piece[0]->content[0], 1);
        CHECK_EQ(m.piece[0]->content[1], 1 + order[i]);
        CHECK_EQ(m.stored, 2);
        CHECK_EQ(m.result.message == NULL, order[i]);
    }
    recording_memory_free(&m);
    recording_close(r);
    clean_up("a.rec");
}

TEST(one_launch_is_extracted_with_its_memory)
{
    struct diag_sink sink = { .arena = &arena };
    struct recording_memory m = { .n = 0 };
    const char *one = in_folder("one.rec");
    uint8_t page[RECORDING_PAGE];
    write_two(path);
    struct recording *r = recording_open(path, &sink);
    CHECK(r && recording_extract(r, 1, one, &sink));
    recording_close(r);
    r = recording_open(one, &sink);
    if (!CHECK(r != NULL))
        return;
    CHECK_EQ(recording_launches(r), 1);
    CHECK(recording_memory_read(&m, r, 0, false, &sink));
    CHECK(recording_read_page(r, m.piece[0]->content[0], page, &sink));
    CHECK(memcmp(page, page_of_ones, sizeof page) == 0);
    CHECK(recording_read_page(r, m.piece[0]->content[1], page, &sink));
    CHECK_EQ(page[0], 2);
    recording_memory_free(&m);
    recording_close(r);
    clean_up("one.rec");
    clean_up("a.rec");
}

static size_t
read_bytes(uint8_t *bytes, size_t capacity)
{
    FILE *in = fopen(path, "rb");
    size_t n = in ? fread(bytes, 1, capacity, in) : 0;
    if (in)
        fclose(in);
    return n;
}

static void
write_bytes(const uint8_t *bytes, size_t n)
{
    FILE *out = fopen(path, "wb");
    CHECK(out && fwrite(bytes, 1, n, out) == n);
    if (out)
        fclose(out);
}

/* Opens it and reads all that it has; false: refused, with a message. */
static bool
is_readable(void)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct recording *r = recording_open(path, &sink);
    uint8_t page[RECORDING_PAGE];
    bool ok = r != NULL;
    for (size_t i = 0; ok && i < recording_launches(r); i++) {
        struct recording_memory m = { .n = 0 };
        size_t size;
        ok = recording_memory_read(&m, r, i, false, &sink) &&
             recording_read_program(r, m.launch.program, &a, &size, &sink);
        for (size_t k = 0; ok && k < m.piece[0]->pages; k++)
            ok = recording_read_page(r, m.piece[0]->content[k], page, &sink);
        recording_memory_free(&m);
    }
    CHECK_EQ(ok, !sink.errors);
    recording_close(r);
    arena_free(&a);
    return ok;
}

TEST(a_file_that_is_cut_is_refused)
{
    static uint8_t bytes[1 << 16];
    write_two(path);
    size_t n = read_bytes(bytes, sizeof bytes);
    CHECK(is_readable());
    for (size_t cut = 0; cut < n; cut++) {
        write_bytes(bytes, cut);
        if (!CHECK(!is_readable()))
            printf("cut at %zu\n", cut);
    }
    bytes[n] = 0;
    write_bytes(bytes, n + 1);
    CHECK(!is_readable());
    clean_up("a.rec");
}

TEST(a_recording_of_another_version_is_refused_as_one)
{
    static uint8_t bytes[1 << 16];
    struct diag_sink sink = { .arena = &arena };
    write_two(path);
    size_t n = read_bytes(bytes, sizeof bytes);
    bytes[8] = RECORDING_VERSION - 1;
    write_bytes(bytes, n);
    CHECK(!recording_open(path, &sink));
    CHECK(sink.first && strstr(sink.first->message, "expected version"));
    clean_up("a.rec");
}

/* More than wait for one block of pages, some with many pages and some with none. */
TEST(launches_are_behind_the_pages_that_they_name)
{
    enum { LAUNCHES = 300 };
    struct diag_sink sink = { .arena = &arena };
    struct recording_memory m = { .n = 0 };
    uint8_t page[RECORDING_PAGE];
    struct recording_writer *w = recording_writer_open(path);
    if (!CHECK(w != NULL))
        return;
    for (unsigned i = 0; i < LAUNCHES; i++) {
        struct recording_range range;
        struct recording_run run = { .first = i % 128, .count = 1 };
        struct recording_launch l = launch_with(&range, &run, i % 3 != 0);
        l.program = recording_writer_program(w, "elf", 3);
        for (unsigned k = 0; k < (i % 50 == 1 ? RECORDING_BLOCK_PAGES : 1);
             k++) {
            memset(page, (int)(i % 250) + 1, sizeof page);
            memcpy(page, &k, sizeof k);
            run.content = recording_writer_page(w, page);
        }
        recording_writer_launch(w, &l);
    }
    CHECK(recording_writer_close(w, true));
    struct recording *r = recording_open(path, &sink);
    CHECK(r && recording_launches(r) == LAUNCHES);
    for (unsigned i = 0; r && i < LAUNCHES; i++) {
        CHECK(recording_memory_read(&m, r, i, false, &sink));
        if (i % 3 == 0)
            continue;
        CHECK(
            recording_read_page(r, m.piece[0]->content[i % 128], page, &sink));
        CHECK_EQ(page[RECORDING_PAGE - 1], i % 250 + 1);
    }
    recording_memory_free(&m);
    recording_close(r);
    clean_up("a.rec");
}

TEST(a_byte_that_is_changed_is_refused)
{
    static uint8_t bytes[1 << 16];
    write_two(path);
    size_t n = read_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= 1u << i % 8;
        write_bytes(bytes, n);
        bytes[i] ^= 1u << i % 8;
        if (!CHECK(!is_readable()))
            printf("byte %zu\n", i);
    }
    clean_up("a.rec");
}

TEST(a_link_is_replaced_and_not_followed)
{
    const char *other = in_folder("other"), *link = in_folder("link");
    struct stat st;
    FILE *out = fopen(other, "w");
    CHECK(out && fputs("mine", out) >= 0 && fclose(out) == 0);
    CHECK_EQ(symlink(other, link), 0);
    write_two(link);
    CHECK(lstat(link, &st) == 0 && S_ISREG(st.st_mode));
    CHECK(stat(other, &st) == 0 && st.st_size == 4);
    clean_up("link");
    clean_up("other");
}

TEST(what_is_not_kept_leaves_nothing)
{
    struct recording_writer *w = recording_writer_open(path);
    CHECK(w && recording_writer_close(w, false));
    CHECK_EQ(access(path, F_OK), -1);
    CHECK_EQ(rmdir(folder), 0); /* no hidden file either */
    CHECK_EQ(mkdir(folder, 0700), 0);
}

TEST(a_folder_or_a_device_is_not_replaced)
{
    CHECK(recording_writer_open(folder) == NULL);
    CHECK_EQ(errno, EISDIR);
    CHECK(recording_writer_open("/dev/null") == NULL);
    CHECK_EQ(errno, EEXIST);
    CHECK(recording_writer_open("/nowhere/at/all") == NULL);
    CHECK_EQ(errno, ENOENT);
}

TEST(the_end)
{
    rmdir(folder);
    arena_free(&arena);
}

TEST_MAIN
