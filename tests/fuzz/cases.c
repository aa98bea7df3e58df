/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases of the upstream simulators, from files to their end: any numbers in
 * X.metadata, any code in a buffer, with and without the commit log.
 *
 *     0    bit 0: one workgroup at a time and the log; 1: the cycle model
 *     1    how many buffers, 1 to 4
 *     2    the numbers of struct upstream_case in their order, then base, size
 *          and room of each buffer, 8 bytes each
 *          then words, which the buffers hold in turn
 *
 * The files are written as upstream has them and read by us; tests/fuzz/
 * upstream.c has texts that are not well formed.
 */
#define _GNU_SOURCE
#include <sys/stat.h>
#include <unistd.h>

#include "machine_code.h"
#include "upstream/cases.h"

enum {
    NUMBERS = 13, /* before the number of buffers */
    MOST_NUMBERS = NUMBERS + 3 * 4,
    HEAD_B = 2 + 8 * MOST_NUMBERS,
    MAX_WORDS = 1024,
    ROOM = 1 << 20
};

static char folder[64], metadata[96], data[96];

static void
remove_files(void)
{
    unlink(metadata);
    unlink(data);
    rmdir(folder);
}

static void
make_folder(void)
{
    if (*folder)
        return;
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder - 20, "%s/fuzz-cases-XXXXXX",
             tmp && strlen(tmp) < 30 ? tmp : "/tmp");
    require(mkdtemp(folder) != NULL, "no folder for files");
    snprintf(metadata, sizeof metadata, "%s/x.metadata", folder);
    snprintf(data, sizeof data, "%s/x.data", folder);
    atexit(remove_files);
}

static void
put_number(FILE *out, uint64_t x)
{
    fprintf(out, "%08x\n%08x\n", (uint32_t)x, (uint32_t)(x >> 32));
}

/* The order of obj/upstream.h; false: more than the machine of a test has. */
static bool
write_metadata(const uint64_t *at, unsigned buffers)
{
    FILE *out = fopen(metadata, "w");
    require(out != NULL, "no file");
    for (unsigned i = 0; i < NUMBERS; i++)
        put_number(out, at[i]);
    put_number(out, buffers);
    for (unsigned i = 0; i < 3 * buffers; i++)
        put_number(out, at[NUMBERS + i]);
    fclose(out);
    for (unsigned i = 0; i < buffers; i++) {
        const uint64_t *size = at + NUMBERS + buffers;
        if (size[i] > 16 * MAX_WORDS ||
            (size[buffers + i] > ROOM && size[buffers + i] < 1ull << 40))
            return false;
    }
    /* Private memory is the host's; workgroups take their time. */
    return at[9] <= ROOM && at[2] < 9 && at[3] < 9 && at[4] < 9;
}

static void
write_data(const uint64_t *size, unsigned buffers, const uint8_t *words,
           size_t n)
{
    FILE *out = fopen(data, "w");
    require(out != NULL, "no file");
    size_t k = 0;
    for (unsigned i = 0; i < buffers; i++)
        for (uint64_t at = 0; at < size[i]; at += 4) {
            uint32_t word;
            memcpy(&word, words + 4 * (k++ % n), 4);
            fprintf(out, "%08x\n", word);
        }
    fclose(out);
}

static void
run(bool exact, bool model)
{
    static struct cases c;
    static const char *const set[] = {
        "max_instructions=2000", "host_threads=1", "num_sm=1",
        "max_ms=2000",           "engine=model",   "deadlock=20000"
    };
    const char *files[] = { metadata };
    struct ventus_dev_result result = { 0 };
    struct ventus_dev_options o = { .set = set, .n_set = model ? 6 : 4 };
    memset(&c, 0, sizeof c);
    bool ok = cases_read(&c, files, 1) && cases_open(&c, &o, exact);
    FILE *log = exact && !model ? fopen("/dev/null", "w") : NULL;
    ok = ok && cases_run(&c, 0, log, true, NULL, &result);
    require(ok || *ventus_dev_message() || *result.message,
            "refused without a reason");
    if (log)
        fclose(log);
    cases_close(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint64_t at[MOST_NUMBERS];
    if (size < HEAD_B + 4)
        return 0;
    make_folder();
    unsigned buffers = 1 + bytes[1] % 4;
    memcpy(at, bytes + 2, sizeof at);
    if (!write_metadata(at, buffers))
        return 0;
    write_data(at + NUMBERS + buffers, buffers, bytes + HEAD_B,
               (size - HEAD_B) / 4);
    run(bytes[0] & 1, bytes[0] & 2);
    return 0;
}

/* ---- the mutator ---- */

static uint64_t
draw_number(struct rng *r)
{
    static const uint64_t corner[] = {
        0,          1,          2,          3,          4,          8,
        16,         32,         64,         1024,       4096,       0x1000,
        0x80000000, 0x90000000, 0x90001000, 0x70000000, 0x7ffffffc, 0xfffffffc,
        0xfffff000, 0xffffffff, 1ull << 32, 1ull << 44, 1ull << 63, ~0ull,
        256,        0x80000ffc, 0x90000004, 0x8ffff000
    };
    return rng_one_of(r, 12) ? (uint64_t)rng_word(r) << 32 | rng_word(r)
                             : corner[rng_below(r, 28)];
}

static void
make_word(struct rng *r, uint8_t *at)
{
    uint32_t word = code_word(r, VENTUS_ISA_V1);
    memcpy(at, &word, 4);
}

/* A case that runs: code at 0x80000000, data at 0x90000000. */
static size_t
make_case(uint8_t *bytes)
{
    static const uint64_t good[MOST_NUMBERS] = {
        0x80000000, 0,  2,  1,  1,          8,          2,   0x90000000,
        1024,       64, 32, 64, 0x90004000, 0x80000000, 256, 0x1000,
    };
    uint32_t end = 0x0000400b; /* endprg x0, x0, x0 */
    memset(bytes, 0, 2);
    bytes[1] = 1;
    memcpy(bytes + 2, good, sizeof good);
    memcpy(bytes + HEAD_B, &end, 4);
    return HEAD_B + 4;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    struct rng r = rng_of(seed);
    if (max_size < HEAD_B + 4)
        return LLVMFuzzerMutate(bytes, size, max_size);
    if (size < HEAD_B + 4)
        return make_case(bytes);
    if (rng_one_of(&r, 32))
        return LLVMFuzzerMutate(bytes, size, max_size);
    if (rng_one_of(&r, 8))
        bytes[rng_below(&r, 2)] = (uint8_t)rng_word(&r);
    if (rng_one_of(&r, 2)) {
        uint64_t x = draw_number(&r);
        memcpy(bytes + 2 + 8 * rng_below(&r, MOST_NUMBERS), &x, 8);
    }
    for (unsigned times = rng_below(&r, 4); times; times--)
        size = mutate_units(&r, bytes, size, max_size, HEAD_B, 4, make_word);
    return size;
}
