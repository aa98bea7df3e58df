/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile [--off] [--no NAME] [--spill] [--call] [--upstream] [--stats]
 *         [--dump PASS] [OPTION-OF-OPENCL...] -o OUT.o IN.cl
 *
 * The compiler with the switches that tests need: all optimisation off, or
 * one, so few registers that everything spills, and calls of every function.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cc/compile.h"
#include "cc/front/front.h"

static void
print_stats(const struct cc_stats *s)
{
    for (size_t i = 0; i < s->kernels.n; i++) {
        const struct cc_kernel_stats *k = &s->kernels.at[i];
        printf("%-24s %5u instructions %5u words %2u s %3u v %3u spills "
               "%3u copies %5u private %2u warps\n",
               k->name, k->instructions, k->words, k->sgprs, k->vgprs,
               k->spills_s + k->spills_v, k->copies, k->private_B, k->warps);
    }
    for (size_t i = 0; i < s->passes.n; i++)
        printf("%-12s %7.2f ms\n", s->passes.at[i].name, s->passes.at[i].ms);
}

static bool
compile(struct arena *a, const char *in, const char *out,
        const char *const *words, size_t n_words,
        const struct cc_options *options, bool call_all, bool stats,
        struct diag_sink *sink)
{
    struct front f = { 0 };
    struct front_source source = { .name = in, .dir = "." };
    struct front_options o = front_options_default();
    for (size_t i = 0; i < n_words; i++)
        if (!front_options_word(a, &o, words + i, 1, sink))
            return false;
    o.call_all = call_all;
    o.target = options->target;
    o.inline_all =
        options->off & CC_NO_CALL || options->profile == CC_PROFILE_UPSTREAM;
    struct cc_options back = *options;
    back.off |= cc_off_of_level(o.optimise);
    back.debug = o.debug;
    struct cc_stats s = { 0 };
    struct buf object = { 0 };
    source.text = (const char *)file_read(a, in, &source.size, sink);
    bool ok = source.text && front_compile(&f, a, &source, &o, sink);
    if (f.log.n)
        fwrite(f.log.at, 1, f.log.n, stderr);
    ok = ok && cc_compile_module(f.module, in, &back, a, &object, &s, sink) &&
         file_write(out, object.at, object.n, sink);
    if (ok && stats)
        print_stats(&s);
    buf_free(&object);
    front_free(&f);
    return ok;
}

static unsigned
off_of(const char *name)
{
    for (const struct cc_optimisation *o = cc_optimisations; o->name; o++)
        if (strcmp(o->name, name) == 0)
            return o->off;
    fprintf(stderr, "no optimisation '%s'\n", name);
    exit(2);
}

static enum cc_pause
pause_of(const char *name)
{
    for (unsigned i = 0; cc_pause_names[i]; i++)
        if (strcmp(cc_pause_names[i], name) == 0)
            return (enum cc_pause)i;
    fprintf(stderr, "no pause '%s'\n", name);
    exit(2);
}

int
main(int argc, char **argv)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct cc_options o = { .debug_lines = true };
    const char *in = NULL, *out = "out.o", *words[8];
    size_t n_words = 0;
    bool stats = false, call_all = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--off") == 0)
            o.off = CC_NO_ALL & ~CC_NO_UNIFORM;
        else if (strcmp(argv[i], "--no") == 0 && i + 1 < argc)
            o.off |= off_of(argv[++i]);
        else if (strcmp(argv[i], "--spill") == 0)
            o.max_sgprs = 10, o.max_vgprs = 20;
        else if (strcmp(argv[i], "--upstream") == 0)
            o.profile = CC_PROFILE_UPSTREAM;
        else if (strcmp(argv[i], "--stats") == 0)
            stats = true;
        else if (strcmp(argv[i], "--sgprs") == 0 && i + 1 < argc)
            o.max_sgprs = (unsigned)atoi(argv[++i]);
        else if (strcmp(argv[i], "--vgprs") == 0 && i + 1 < argc)
            o.max_vgprs = (unsigned)atoi(argv[++i]);
        else if (strcmp(argv[i], "--v2") == 0)
            o.target = &cc_target_v2;
        else if (strcmp(argv[i], "--pause") == 0 && i + 1 < argc)
            o.pause = pause_of(argv[++i]);
        else if (strcmp(argv[i], "--call") == 0)
            call_all = true;
        else if (strcmp(argv[i], "--dump") == 0 && i + 1 < argc)
            o.dump = argv[++i];
        else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            out = argv[++i];
        else if (argv[i][0] == '-' && n_words < 8)
            words[n_words++] = argv[i];
        else
            in = argv[i];
    }
    bool ok =
        in && compile(&a, in, out, words, n_words, &o, call_all, stats, &sink);
    diag_print(&sink, stderr, false);
    arena_free(&a);
    return ok ? 0 : 1;
}
