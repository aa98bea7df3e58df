/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a recording says of memory, against the memory itself: random writes of the host and
 * of kernels, buffers that go and come again, launches that fail, two contexts.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "test.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ventus/dev.h>

#include "base/file.h"
#include "dev/capture/recorder.h"
#include "recording/memory.h"

enum { LAUNCHES = 40, BUFFERS = 5, LARGEST_B = 300000 };

static struct arena arena;
static char folder[64], path[96];

struct buffer {
    uint64_t address, size;
};

/* Buffers and their bytes at one moment. */
struct moment {
    struct buffer buffer[BUFFERS];
    uint8_t *bytes[BUFFERS];
};

struct scene {
    struct ventus_dev *dev;
    struct recorder *recorder;
    const struct ventus_dev_kernel *put, *far;
    struct buffer buffer[BUFFERS];
    struct moment found[LAUNCHES], left[LAUNCHES];
    bool ok[LAUNCHES];
    size_t launches;
    bool cycles; /* the machine counts them: its launches are small */
};

__attribute__((constructor)) static void
make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/ventus-recorder-XXXXXX");
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/a.rec", folder);
}

__attribute__((destructor)) static void
remove_folder(void)
{
    rmdir(folder);
}

static struct ventus_dev_program *
load(struct ventus_dev_context *c, struct ventus_dev *d, const char *name)
{
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    char *file = arena_printf(&arena, "%s/%s.elf", PROGRAMS, name);
    uint8_t *elf = file_read(&arena, file, &size, &sink);
    struct ventus_dev_program *p = c ? ventus_dev_load_in(c, elf, size, name)
                                     : ventus_dev_load(d, elf, size, name);
    if (!CHECK(p))
        puts(ventus_dev_message());
    return p;
}

static unsigned
below(unsigned n)
{
    return (unsigned)rand() % n;
}

static void
allocate(struct scene *s, unsigned i)
{
    static const uint64_t sizes[] = { 4, 256, 4096, 5000, LARGEST_B };
    s->buffer[i].size =
        below(2) ? sizes[below(s->cycles ? 4 : 5)] : 4 * (1 + below(2000));
    s->buffer[i].address = ventus_dev_alloc(s->dev, s->buffer[i].size, 0);
    if (!CHECK(s->buffer[i].address))
        puts(ventus_dev_message());
}

static void
open_scene(struct scene *s, const char *preset,
           const struct recorder_options *what)
{
    const char *set[] = { "bounds=strict" };
    *s = (struct scene){ 0 };
    s->dev = ventus_dev_open(&(struct ventus_dev_options){
        .config = preset, .set = set, .n_set = 1 });
    s->recorder = recorder_open(what);
    if (!CHECK(s->dev && s->recorder && recorder_add(s->recorder, s->dev)))
        puts(ventus_dev_message());
    s->cycles = ventus_dev_can(s->dev, VENTUS_DEV_CYCLES);
    struct ventus_dev_program *p = load(NULL, s->dev, "kernels");
    s->put = ventus_dev_find(p, "put");
    s->far = ventus_dev_find(p, "far");
    for (unsigned i = 0; i < BUFFERS; i++)
        allocate(s, i);
}

static void
close_scene(struct scene *s)
{
    if (!CHECK(recorder_close(s->recorder)))
        puts(ventus_dev_message());
    /* The device goes on without it. */
    CHECK(ventus_dev_fill(s->dev, s->buffer[0].address, "x", 1, 4));
    ventus_dev_close(s->dev);
}

static void
look(const struct scene *s, struct moment *m)
{
    for (unsigned i = 0; i < BUFFERS; i++) {
        m->buffer[i] = s->buffer[i];
        m->bytes[i] = arena_alloc(&arena, m->buffer[i].size, 1, 8);
        CHECK(ventus_dev_read(s->dev, m->buffer[i].address, m->bytes[i],
                              m->buffer[i].size));
    }
}

static bool
run(struct ventus_dev *d, const struct ventus_dev_kernel *kernel, uint64_t at,
    uint32_t number, uint64_t items)
{
    struct ventus_dev_arg args[] = { ventus_dev_buffer(at),
                                     ventus_dev_bytes(&number, 4) };
    return ventus_dev_run(d,
                          &(struct ventus_dev_launch){
                              .kernel = kernel,
                              .work_dim = 1,
                              .global = { items },
                              .local = { items < 8 ? items : 8 },
                              .args = args,
                              .n_args = 2,
                          },
                          NULL);
}

/* `put` writes a row of words, `far` one; some go beyond the end and fail in the middle. */
static void
launch(struct scene *s)
{
    const struct buffer *b = &s->buffer[below(BUFFERS)];
    const uint32_t words = (uint32_t)(b->size / 4);
    size_t n = s->launches++;
    look(s, &s->found[n]);
    if (below(2))
        s->ok[n] =
            run(s->dev, s->far, b->address, 4 * below(words + words / 8), 1);
    else
        s->ok[n] = run(s->dev, s->put, b->address, below(3),
                       8 * (1 + below(words / 8 + 1 + words / 16)));
    look(s, &s->left[n]);
}

static void
write_some(struct scene *s)
{
    static uint8_t bytes[LARGEST_B];
    const struct buffer *b = &s->buffer[below(BUFFERS)];
    const struct buffer *other = &s->buffer[below(BUFFERS)];
    uint64_t from = below((unsigned)b->size);
    uint64_t n = 1 + below((unsigned)(b->size - from));
    switch (below(4)) {
    case 0:
        for (uint64_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)rand();
        CHECK(ventus_dev_write(s->dev, b->address + from, bytes, n));
        break;
    case 1:
        CHECK(ventus_dev_fill(s->dev, b->address + from, "\3", 1, n));
        break;
    case 2:
        n = n < other->size ? n : other->size;
        CHECK(ventus_dev_copy(s->dev, b->address + from, other->address, n));
        break;
    default: /* one byte, which may change nothing */
        CHECK(ventus_dev_write(s->dev, b->address + from, "\3", 1));
    }
}

static void
replace(struct scene *s)
{
    unsigned i = below(BUFFERS);
    CHECK(ventus_dev_free(s->dev, s->buffer[i].address));
    allocate(s, i);
}

static void
play(struct scene *s)
{
    while (s->launches < LAUNCHES) {
        for (unsigned n = below(4); n > 0; n--)
            write_some(s);
        if (!below(6))
            replace(s);
        launch(s);
    }
}

static const struct recording_piece *
piece_at(const struct recording_memory *m, uint64_t address)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->piece[i]->range.address == address)
            return m->piece[i];
    return NULL;
}

static bool
same_memory(struct recording *r, const struct recording_memory *m,
            const struct moment *now, struct diag_sink *sink)
{
    uint8_t page[RECORDING_PAGE];
    for (unsigned i = 0; i < BUFFERS; i++) {
        const struct recording_piece *p = piece_at(m, now->buffer[i].address);
        uint64_t size = now->buffer[i].size;
        if (!p || p->range.size != size)
            return false;
        for (uint64_t at = 0; at < size; at += sizeof page) {
            uint64_t n = size - at < sizeof page ? size - at : sizeof page;
            if (!recording_read_page(r, p->content[at / sizeof page], page,
                                     sink) ||
                memcmp(page, now->bytes[i] + at, n) != 0)
                return false;
        }
    }
    return true;
}

/* What is not known as written is zero: of no byte that was written it says that. */
static bool
knows_writes(const struct recording_memory *m, const struct moment *now)
{
    for (unsigned i = 0; i < BUFFERS; i++) {
        const struct recording_range *r =
            &piece_at(m, now->buffer[i].address)->range;
        uint64_t at = 0;
        for (size_t k = 0; k <= r->n_written; k++) {
            uint64_t end = k < r->n_written ? r->written[k].from : r->size;
            for (; at < end; at++)
                if (now->bytes[i][at])
                    return false;
            at = k < r->n_written ? r->written[k].to : at;
        }
    }
    return true;
}

static void
check_recording(const struct scene *s, size_t first, size_t n, bool results)
{
    struct diag_sink sink = { .arena = &arena };
    struct recording_memory m = { .n = 0 };
    struct recording *r = recording_open(path, &sink);
    if (!CHECK(r && recording_launches(r) == n))
        return;
    for (size_t i = 0; i < n; i++) {
        CHECK(recording_memory_read(&m, r, i, false, &sink));
        CHECK(same_memory(r, &m, &s->found[first + i], &sink));
        CHECK(knows_writes(&m, &s->found[first + i]));
        CHECK_EQ(m.result.ok, s->ok[first + i]);
        if (!results)
            continue;
        CHECK(recording_memory_read(&m, r, i, true, &sink));
        CHECK(same_memory(r, &m, &s->left[first + i], &sink));
    }
    recording_memory_free(&m);
    recording_close(r);
    unlink(path);
}

static const char *const presets[] = { "default", "chisel" };

TEST(each_launch_has_the_memory_that_it_found)
{
    for (unsigned seed = 1; seed <= 6; seed++) {
        const bool results = seed % 2;
        struct scene s;
        srand(seed);
        open_scene(
            &s, presets[seed > 4],
            &(struct recorder_options){ .path = path, .results = results });
        play(&s);
        close_scene(&s);
        check_recording(&s, 0, LAUNCHES, results);
    }
}

/* By copies instead of hashes, with and without all launches beside it. */
TEST(a_launch_that_fails_has_the_memory_that_it_found)
{
    for (unsigned seed = 1; seed <= 4; seed++) {
        struct scene s;
        srand(seed);
        open_scene(&s, presets[seed > 3],
                   &(struct recorder_options){ .on_fault = path });
        play(&s);
        close_scene(&s);
        size_t first = 0;
        while (first < LAUNCHES && s.ok[first])
            first++;
        if (CHECK(first < LAUNCHES))
            check_recording(&s, first, 1, false);
    }
}

/* Memory of the host, which writes there without a word. */
TEST(memory_that_is_shared_is_recorded_as_it_is)
{
    enum { SIZE = 3 * 4096, ROUNDS = 5 };
    static uint8_t found[ROUNDS][SIZE];
    struct diag_sink sink = { .arena = &arena };
    struct recording_memory m = { .n = 0 };
    uint8_t page[RECORDING_PAGE];
    struct recorder *r =
        recorder_open(&(struct recorder_options){ .path = path });
    struct ventus_dev *d =
        ventus_dev_open(&(struct ventus_dev_options){ .config = "ventus2" });
    CHECK(r && d && recorder_add(r, d));
    struct ventus_dev_context *c = ventus_dev_context_new(d);
    const struct ventus_dev_kernel *count =
        ventus_dev_find(load(c, d, "shared"), "count");
    uint8_t *at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!CHECK(at != MAP_FAILED && ventus_dev_share(c, at, SIZE, 0)))
        return;
    for (unsigned i = 0; i < ROUNDS; i++) {
        at[i * 2000 + 7] = (uint8_t)(i + 1);
        memcpy(found[i], at, SIZE);
        CHECK(run(d, count, (uintptr_t)at + 4096, 0, 8));
    }
    uint64_t sum;
    memcpy(&sum, at + 4096, sizeof sum);
    CHECK_EQ(sum & 0xff, 8 * ROUNDS);
    CHECK(recorder_close(r));
    CHECK(ventus_dev_free(d, (uintptr_t)at));
    ventus_dev_context_free(c);
    ventus_dev_close(d);
    struct recording *from = recording_open(path, &sink);
    CHECK(from && recording_launches(from) == ROUNDS);
    for (unsigned i = 0; from && i < ROUNDS; i++) {
        CHECK(recording_memory_read(&m, from, i, false, &sink));
        const struct recording_piece *p = piece_at(&m, (uintptr_t)at);
        for (size_t k = 0; CHECK(p) && k < SIZE; k += sizeof page) {
            CHECK(recording_read_page(from, p->content[k / sizeof page], page,
                                      &sink));
            CHECK(memcmp(page, found[i] + k, sizeof page) == 0);
        }
    }
    recording_memory_free(&m);
    recording_close(from);
    munmap(at, SIZE);
    unlink(path);
}

TEST_MAIN
