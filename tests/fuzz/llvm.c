/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Program binaries that hold LLVM IR: whatever is a valid module is linked
 * with the device library, optimised and compiled to an ELF file that our
 * reader takes, or refused with a reason.  The input: options, then IR as
 * text, which becomes the bitcode that the compiler reads (flipped bits of
 * bitcode are LLVM's to read, in a process of its own: docs/security.md).
 */
#include "cc/compile.h"
#include "cc/front/front.h"
#include "llvm_mutate.h"
#include "obj/elf.h"

int
LLVMFuzzerInitialize(int *argc, char ***argv);

/* The device library of this build. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return setenv("VENTUS_LIB", FUZZ_LIBRARY, 0);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    struct rng r = rng_of(seed);
    if (!size || max_size < 2)
        return 0;
    if (rng_one_of(&r, 10))
        bytes[0] = (uint8_t)rng_word(&r);
    size_t n = llvm_mutate(&r, bytes + 1, size - 1, max_size - 1);
    return 1 + (n ? n : size - 1);
}

/* The text as bitcode; false: it is none that LLVM printed. */
static bool
make_bitcode(const uint8_t *bytes, size_t size, struct buf *out)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = llvm_read(context, bytes, size);
    if (module) {
        struct front f = { .module = module };
        front_write(&f, out);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return module != NULL;
}

/* An error that says that the compiler is wrong is a finding. */
static void
require_reason(const struct diag_sink *sink)
{
    require(sink->errors != 0, "refused without a reason");
    for (const struct diag *d = sink->first; d; d = d->next)
        if (strstr(d->message, "compiler bug") ||
            strstr(d->message, "internal error")) {
            fprintf(stderr, "%s\n", d->message);
            require(false, "the compiler finds itself wrong");
        }
}

static void
compile(struct front *f, unsigned how, struct arena *a, struct diag_sink *sink)
{
    struct cc_options o = { .off = cc_off_of_level(how & 3),
                            .debug_lines = how & 4,
                            .max_vgprs = how & 8 ? 24 : 0,
                            .program = true };
    struct buf object = { 0 };
    struct elf elf;
    if (cc_compile_module(f->module, "input.cl", &o, a, &object, NULL, sink))
        require(elf_read(a, "input.elf", object.at, object.n, &elf, sink),
                "an object that cannot be read");
    else
        require_reason(sink);
    buf_free(&object);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct buf bitcode = { 0 };
    if (!size || !make_bitcode(bytes + 1, size - 1, &bitcode)) {
        buf_free(&bitcode);
        return 0;
    }
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct front f = { 0 };
    struct front_options o = front_options_default();
    struct front_object object = { "input.bc", bitcode.at, bitcode.n };
    o.optimise = (bytes[0] & 3) % 3;
    o.call_all = bytes[0] & 16;
    if (front_link_objects(&f, &a, &object, 1, &o, true, &sink))
        compile(&f, bytes[0], &a, &sink);
    else
        require_reason(&sink);
    front_free(&f);
    buf_free(&bitcode);
    arena_free(&a);
    return 0;
}
