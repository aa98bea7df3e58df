/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings of a device, as an ini file and as key=value (byte 0, bit 0).  What
 * is accepted is within the table's limits, and a device that opens with it
 * runs a kernel, which must write what it writes on every machine.
 */
#include <ventus/asm.h>
#include <ventus/dev.h>

#include "dev/config.h"
#include "obj/link.h"
#include "text.h"

enum { ITEMS = 40 };

/* x[i] = i + 7 for the work-items of one dimension. */
static const char source[] = "    .ventus_kernel k, sgpr=16, vgpr=4\n"
                             "k:  csrr    t3, knl\n"
                             "    lw      t4, 24(t3)\n"
                             "    csrr    t5, gdx\n"
                             "    mul     t4, t4, t5\n"
                             "    csrr    t5, tid\n"
                             "    add     t4, t4, t5\n"
                             "    vid.v   v0\n"
                             "    vadd.vx v0, v0, t4\n"
                             "    vsll.vi v1, v0, 2\n"
                             "    lw      t0, 4(t3)\n"
                             "    lw      t0, 0(t0)\n"
                             "    vadd.vx v1, v1, t0\n"
                             "    vadd.vi v0, v0, 7\n"
                             "    vsw12.v v0, 0(v1)\n"
                             "    endprg  x0, x0, x0\n"
                             "    .global _start\n"
                             "_start = k\n";

static struct buf program[3]; /* by version */
static char *vocabulary[4 * CONFIG_KEYS + 16];
static unsigned words;

int
LLVMFuzzerInitialize(int *argc, char ***argv);

static void
assemble(enum ventus_isa_version version)
{
    struct ventus_asm_result r;
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf elf;
    struct ventus_asm_options o = { .version = version };
    if (!ventus_asm_assemble(&o, source, sizeof source - 1, &r))
        ventus_asm_print_messages(&r, stderr, false);
    require(r.object != NULL, "the kernel does not assemble");
    require(elf_read(&a, "k.o", r.object, r.object_size, &elf, &sink) &&
                link_program(&a, "k.elf", &elf, 1, &program[version], &sink),
            "the kernel does not link");
    ventus_asm_free(&r);
    arena_free(&a);
}

static void
add_word(const char *a, const char *b, const char *c)
{
    char text[96];
    snprintf(text, sizeof text, "%s%s%s", a, b, c);
    vocabulary[words] = strdup(text);
    require(vocabulary[words++] != NULL, "no memory");
}

static void
add_setting(const char *name, uint64_t value)
{
    char number[32];
    snprintf(number, sizeof number, "=%llu\n", (unsigned long long)value);
    add_word(name, number, "");
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    size_t n;
    const struct ventus_dev_key *k = ventus_dev_keys(&n);
    for (size_t i = 0; i < n; i++) {
        add_word("[", k[i].section, "]\n");
        add_word(k[i].name, "=", k[i].choices ? k[i].choices : "");
        add_setting(k[i].name, k[i].max);
        add_setting(k[i].name, k[i].min);
    }
    static const char *const more[] = { "yes", "no", "model", "rcc", "K", "M",
                                        "G",   ";",  "\n",    "=",   "0x" };
    for (unsigned i = 0; i < sizeof more / sizeof *more; i++)
        add_word(more[i], "", "");
    assemble(VENTUS_ISA_V1);
    assemble(VENTUS_ISA_V2);
    return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    return text_mutate(seed, bytes, size, max_size, 1,
                       (const char *const *)vocabulary, words);
}

static void
require_in_range(const struct config *c)
{
    const struct ventus_dev_key *k = ventus_dev_keys(NULL);
    for (int i = 0; i < CONFIG_KEYS; i++) {
        uint64_t x = c->value[i];
        bool ok = k[i].min <= x && x <= k[i].max &&
                  !(k[i].power_of_two && x & (x - 1));
        if (!ok)
            fprintf(stderr, "%s: %llu\n", k[i].name, (unsigned long long)x);
        require(ok, "a value out of its range");
    }
}

/* Would the host notice it? */
static bool
is_small(const struct config *c)
{
    const uint64_t *v = c->value;
    uint64_t lines = v[CONFIG_icache_sets] * v[CONFIG_icache_ways] +
                     v[CONFIG_dcache_sets] * v[CONFIG_dcache_ways];
    return v[CONFIG_num_sm] * (lines + 64 * v[CONFIG_num_warp]) < 1 << 20 &&
           v[CONFIG_l2_sets] * v[CONFIG_l2_ways] < 1 << 20 &&
           v[CONFIG_stack_depth] * v[CONFIG_num_warp] < 1 << 20 &&
           v[CONFIG_private_size] * v[CONFIG_num_warp] < 1 << 18 &&
           v[CONFIG_num_sm] < 32 && v[CONFIG_local_size] <= 1 << 20;
}

/* One that runs must run right; it may have no room, or end at a limit. */
static void
run(struct ventus_dev *d, enum ventus_isa_version version)
{
    uint32_t out[ITEMS] = { 0 };
    struct ventus_dev_program *p =
        ventus_dev_load(d, program[version].at, program[version].n, "k");
    require(p != NULL, "the kernel does not load");
    uint64_t x = ventus_dev_alloc(d, sizeof out, 0);
    struct ventus_dev_arg arg = ventus_dev_buffer(x);
    struct ventus_dev_result r;
    bool counts = ventus_dev_can(d, VENTUS_DEV_CYCLES);
    if (!x)
        goto end;
    if (ventus_dev_run(
            d,
            &(struct ventus_dev_launch){ .kernel = ventus_dev_find(p, "k"),
                                         .work_dim = 1,
                                         .global = { ITEMS },
                                         .local = { 4 },
                                         .args = &arg,
                                         .n_args = 1 },
            &r)) {
        require(ventus_dev_read(d, x, out, sizeof out), "no results");
        for (uint32_t i = 0; i < ITEMS; i++)
            require(out[i] == i + 7, "a device with other results");
        require(!counts || r.cycles, "no cycles");
    } else {
        require(*r.message != 0, "failed without a reason");
    }
end:
    ventus_dev_unload(p);
}

/* A value as config_set takes it: of choices the word. */
static const char *
value_text(struct arena *a, const struct ventus_dev_key *k, uint64_t value)
{
    if (k->type != VENTUS_DEV_KEY_CHOICE)
        return arena_printf(a, "%llu", (unsigned long long)value);
    const char *word = k->choices;
    for (uint64_t i = k->min; i < value; i++)
        word += strcspn(word, " ") + 1;
    return arena_strndup(a, word, strcspn(word, " "));
}

/* The settings in force, as key=value, with a limit behind them. */
static void
open_and_run(const struct config *c, struct arena *a)
{
    const char *set[CONFIG_KEYS + 1];
    const struct ventus_dev_key *k = ventus_dev_keys(NULL);
    size_t n = 0;
    for (int i = 0; i < CONFIG_KEYS; i++)
        if (c->value[i] != k[i].fallback)
            set[n++] = arena_printf(a, "%s=%s", k[i].name,
                                    value_text(a, &k[i], c->value[i]));
    set[n++] = "max_ms=3000";
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){
        .set = set, .n_set = n, .host_threads = 1 });
    require(d || *ventus_dev_message(), "refused without a reason");
    if (!d)
        return;
    if (!c->value[CONFIG_all_lanes])
        run(d, (enum ventus_isa_version)c->value[CONFIG_isa]);
    ventus_dev_close(d);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size)
        return 0;
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct config c;
    config_defaults(&c);
    char *text = arena_strndup(&a, (const char *)bytes + 1, size - 1);
    bool ok = true;
    if (bytes[0] & 1) {
        ok = config_parse(&c, "x.ini", text, &sink);
    } else {
        for (char *at = strtok(text, "\n"); at && ok; at = strtok(NULL, "\n"))
            ok = config_set(&c, &a, at, &sink);
    }
    require(ok == !sink.errors, "refused without a reason, or the reverse");
    require_in_range(&c);
    if (ok && is_small(&c))
        open_and_run(&c, &a);
    arena_free(&a);
    return 0;
}
