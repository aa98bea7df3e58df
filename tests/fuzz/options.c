/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Build options.  Any text is taken or refused with a reason; what is handed
 * on to clang is a word that our table has, or a macro, a folder or a warning
 * in one word with its option: none that could begin an option of clang's
 * driver or a response file.
 */
#include <ctype.h>

#include "cc/compile.h"
#include "cc/front/options.h"
#include "text.h"

static const char *const words[] = {
    "-D",
    "-U",
    "-I",
    "-DN=1",
    "-cl-std=",
    "-cl-std=CL",
    "-cl-std=CL3.0",
    "-cl-std=CL3.1",
    "-w",
    "-Werror",
    "-g",
    "-O",
    "-O3",
    "-Wno-",
    "-W",
    "-Wall",
    "-Wp,-v",
    "-Wl,x",
    "@",
    "@file",
    "-",
    "--",
    "-fpass-plugin=X.so",
    "-cl-fast-relaxed-math",
    "-cl-opt-disable",
    "-cl-mad-enable",
    "-cl-kernel-arg-info",
    "-cl-uniform-work-group-size",
    "-cl-nv-verbose",
    "-fno-fp64",
    "-gembed-source",
    "\"",
    "'",
    "\\",
    "\\\"",
    " ",
    "\t",
    "\n",
    "=",
    "(",
    ")",
    "/tmp",
    "-Xclang",
    "-load",
    "-include",
    "-Wuncoalesced",
    "-Wno-private-memory",
    "-Wdivergent-barrier",
    "_x(a)=a",
};

/* What may stand alone. */
static const char *const alone[] = {
    "-w",
    "-Werror",
    "-cl-single-precision-constant",
    "-cl-denorms-are-zero",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-cl-uniform-work-group-size",
};

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    return text_mutate(seed, bytes, size, max_size, 0, words,
                       sizeof words / sizeof *words);
}

static bool
is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool
is_safe(const char *word)
{
    for (unsigned i = 0; i < sizeof alone / sizeof *alone; i++)
        if (strcmp(word, alone[i]) == 0)
            return true;
    if (word[0] != '-')
        return false;
    switch (word[1]) {
    case 'D':
    case 'U':
        return is_name_start(word[2]);
    case 'I':
        return word[2] && word[2] != '-' && word[2] != '@';
    case 'W': /* no comma: -Wl, -Wp, -Wa, hand on what follows */
        return isalpha((unsigned char)word[2]) && !strchr(word, ',');
    default:
        return false;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct front_options o = front_options_default();
    const char *text = arena_strndup(&a, (const char *)bytes, size);
    bool ok = front_options_text(&a, &o, text, &sink);
    require(ok == !sink.errors, "refused without a reason, or the reverse");
    require(o.optimise <= 2 && o.std >= 100 && o.std <= 310 &&
                !(o.no_warn & ~(unsigned)CC_WARN_ALL),
            "a number that no option gives");
    for (size_t i = 0; i < o.words.n; i++)
        require(is_safe(o.words.at[i]), "a word that clang could misread");
    arena_free(&a);
    return 0;
}
