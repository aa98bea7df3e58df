/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs: an ELF file with kernel records, loaded into a device; what it
 * says of its kernels is believed, so each of them is launched with arguments
 * of the kinds that it records, and what it prints becomes text.  Two programs
 * at a time, so that what one does to the other would be seen by the
 * sanitizers.  Byte 0 of the input: the machine, lanes, the first of the
 * kernels, how it is launched; then the file.
 */
#include <ventus/dev.h>

#include "machine_code.h"
#include "obj/elf.h"

enum { HEAD_B = 1, BUFFER_B = 4096, MOST_KERNELS = 3, MOST_ARGS = 12 };

static struct ventus_dev *
open_device(unsigned how)
{
    static const char *set[] = { "max_instructions=3000",
                                 "host_threads=1",
                                 "num_sm=1",
                                 "num_warp=8",
                                 "max_ms=2000",
                                 "memory_size=16M",
                                 "private_pool=1M",
                                 "num_thread=8",
                                 "engine=model",
                                 "deadlock=20000" };
    struct ventus_dev_options o = { .set = set, .n_set = how & 1 ? 10 : 8 };
    struct ventus_dev *d = ventus_dev_open(&o);
    require(d != NULL, "no device");
    return d;
}

/* Of the size that is recorded, and filled with something. */
static void
make_args(const struct ventus_dev_kernel *k, uint64_t buffer,
          struct ventus_dev_arg *args)
{
    static uint8_t bytes[1 << 16];
    memset(bytes, 3, sizeof bytes);
    for (size_t i = 0; i < k->n_params; i++) {
        const struct ventus_dev_param *p = &k->params[i];
        switch (p->kind) {
        case VENTUS_DEV_PARAM_GLOBAL:
        case VENTUS_DEV_PARAM_CONSTANT:
        case VENTUS_DEV_PARAM_IMAGE:
            args[i] = ventus_dev_buffer(buffer);
            break;
        case VENTUS_DEV_PARAM_LOCAL:
            args[i] = ventus_dev_local(64);
            break;
        case VENTUS_DEV_PARAM_VALUE:
        case VENTUS_DEV_PARAM_SAMPLER:
            require(p->size_B <= sizeof bytes, "an argument of many bytes");
            args[i] = ventus_dev_bytes(bytes, p->size_B);
            break;
        }
    }
}

static void
launch(struct ventus_dev *d, const struct ventus_dev_kernel *k, unsigned how,
       FILE *printed)
{
    struct ventus_dev_arg args[MOST_ARGS];
    struct ventus_dev_result r;
    require(k->sgprs <= 64 && k->vgprs <= 256, "registers that are not there");
    if (k->n_params > MOST_ARGS || k->private_B > 1 << 16)
        return;
    uint64_t buffer = ventus_dev_alloc(d, BUFFER_B, 0);
    require(buffer != 0, "no buffer");
    make_args(k, buffer, args);
    uint64_t wg = k->required_wg[0] ? k->required_wg[0] : 1 + (how >> 4 & 7);
    struct ventus_dev_launch l = { .kernel = k,
                                   .work_dim = 1,
                                   .global = { 2 * (wg & 0xff) + (how & 1) },
                                   .local = { wg },
                                   .args = args,
                                   .n_args = k->n_params,
                                   .printed = printed,
                                   .print_B = 512,
                                   .stats = how & 2 };
    bool ok = ventus_dev_run(d, &l, &r);
    require(ok == r.ok && (ok || *r.message), "failed without a reason");
    char place[256];
    ventus_dev_describe(k->program, k->entry, place, sizeof place);
    ventus_dev_describe(k->program, r.fault.pc, place, sizeof place);
    ventus_dev_free(d, buffer);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < HEAD_B)
        return 0;
    unsigned how = bytes[0];
    struct ventus_dev *d = open_device(how);
    uint8_t *copy = malloc(size - HEAD_B + 1); /* its end is watched */
    memcpy(copy, bytes + HEAD_B, size - HEAD_B);
    struct ventus_dev_program *p =
        ventus_dev_load(d, copy, size - HEAD_B, "input");
    require(p || *ventus_dev_message(), "refused without a reason");
    struct ventus_dev_program *other =
        ventus_dev_load(d, copy, size - HEAD_B, "other");
    require(!p == !other, "the second of two is not as the first");
    free(copy); /* "The bytes are copied" */
    FILE *printed = fopen("/dev/null", "w");
    require(printed != NULL, "no /dev/null");
    size_t n = 0;
    const struct ventus_dev_kernel *k = p ? ventus_dev_kernels(p, &n) : NULL;
    for (size_t i = 0; i < n && i < MOST_KERNELS; i++)
        launch(d, &k[(i + (how >> 2 & 3)) % n], how, printed);
    fclose(printed);
    ventus_dev_unload(other);
    ventus_dev_unload(p);
    ventus_dev_close(d);
    return 0;
}

/* ---- the mutator ---- */

static uint32_t
word_at(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, 4);
    return word;
}

static uint32_t
draw_word(struct rng *r, uint32_t was)
{
    static const uint32_t corner[] = { 0,          1,          2,
                                       4,          0xffff,     0x1000,
                                       0x7fffffff, 0x80000000, 0xfffffffc,
                                       0xffffffff };
    switch (rng_below(r, 4)) {
    case 0:
        return was + rng_below(r, 17) - 8;
    case 1:
        return was ^ 1u << rng_below(r, 32);
    case 2:
        return corner[rng_below(r, 10)];
    default:
        return code_word(r, rng_one_of(r, 4) ? VENTUS_ISA_V2 : VENTUS_ISA_V1);
    }
}

/* A section whose header lies inside; its contents, or 0 bytes. */
static size_t
pick_section(struct rng *r, const uint8_t *elf, size_t size, size_t *from)
{
    enum { SHOFF = 32, SHNUM = 48, SH_OFFSET = 16, SH_SIZE = 20, SH_B = 40 };
    if (size < 52)
        return 0;
    uint32_t at = word_at(elf + SHOFF), n = elf[SHNUM];
    uint64_t header = at + (uint64_t)SH_B * (n ? rng_below(r, n) : 0);
    if (header + SH_B > size)
        return 0;
    uint64_t offset = word_at(elf + header + SH_OFFSET);
    uint64_t length = word_at(elf + header + SH_SIZE);
    if (rng_one_of(r, 4)) { /* the header itself */
        *from = (size_t)header;
        return SH_B;
    }
    *from = (size_t)offset;
    return offset + length <= size ? (size_t)length : 0;
}

/* A word of a section, of its header, or of the file's; else any byte. */
size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    struct rng r = rng_of(seed);
    if (size < HEAD_B + 52 || rng_one_of(&r, 16))
        return LLVMFuzzerMutate(bytes, size, max_size);
    if (rng_one_of(&r, 6))
        bytes[0] = (uint8_t)rng_word(&r);
    for (unsigned times = 1 + rng_below(&r, 4); times; times--) {
        size_t from = 0;
        size_t n = pick_section(&r, bytes + HEAD_B, size - HEAD_B, &from);
        if (n < 4 || rng_one_of(&r, 10)) {
            from = 0;
            n = 52 + 3 * 32; /* the header, and those of some segments */
        }
        size_t at = HEAD_B + from + 4 * rng_below(&r, (uint32_t)n / 4);
        if (at + 4 > size)
            continue;
        uint32_t word = draw_word(&r, word_at(bytes + at));
        memcpy(bytes + at, &word, 4);
    }
    return size;
}
