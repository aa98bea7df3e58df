/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler's IR as text.  Any text is parsed or refused with a reason.
 * What is parsed can be validated in each form and printed; what is printed
 * parses again, is as valid, and prints the same.
 */
#define _GNU_SOURCE
#include "ir/ir.h"
#include "text.h"

static const char *const words[] = {
    "func f\n",
    "b0:\n",
    "b1:\n",
    "b2:\n",
    "    ret\n",
    "    jump -> b1\n",
    "    preds b0 b1\n",
    "s2",
    "s3",
    "v4",
    "v5",
    "s2:2",
    "v3:2",
    "zero",
    "s2@10",
    "v7*",
    "=",
    ",",
    "->",
    "b0",
    "b1",
    "b2",
    "const",
    "copy",
    "phi",
    "pair",
    "parcopy",
    "call",
    "sym=f",
    "imm=4",
    "imm=-2147483648",
    "aux=2053",
    "rm=7",
    "space=1",
    "aqrl=3",
    "mask=v0",
    "line=3",
    "pair",
    "volatile",
    "lw",
    "sw",
    "add",
    "addi",
    "beq",
    "vbne",
    "vadd.vv",
    "vmacc.vv",
    "vsetvli",
    "vlw12.v",
    "csrrs",
    "vid.v",
    "amoadd.w",
    "barrier",
    "endprg",
    "fadd.s",
    "enter",
    "lo",
    "hi",
    "undef",
    "select",
    "setrpc",
    "join",
};

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    return text_mutate(seed, bytes, size, max_size, 0, words,
                       sizeof words / sizeof *words);
}

static char *
print(struct arena *a, const struct ir_func *f)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require(out != NULL, "no memory for a stream");
    ir_print(f, out);
    fclose(out);
    char *copy = arena_strndup(a, text, size);
    free(text);
    return copy;
}

static void
roundtrip(struct arena *a, const char *text)
{
    struct diag_sink sink = { .arena = a };
    struct ir_func *f = ir_parse(a, "f.ir", text, &sink), *again;
    require((f != NULL) == !sink.errors, "refused without a reason");
    if (!f)
        return;
    const char *first = print(a, f);
    again = ir_parse(a, "again.ir", first, &sink);
    if (!again || strcmp(print(a, again), first) != 0)
        fprintf(stderr, "%s---\n%s", first,
                again ? print(a, again) : "refused");
    require(again != NULL, "what was printed does not parse");
    require(strcmp(print(a, again), first) == 0, "it prints differently");
    for (int form = IR_FORM_SCALAR; form <= IR_FORM_ALLOCATED; form++) {
        const char *wrong = ir_validate(f, (enum ir_form)form);
        const char *other = ir_validate(again, (enum ir_form)form);
        require(!wrong == !other, "the copy is not as valid");
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena a = { 0 };
    roundtrip(&a, arena_strndup(&a, (const char *)bytes, size));
    arena_free(&a);
    return 0;
}
