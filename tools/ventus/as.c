/* SPDX-License-Identifier: Apache-2.0 */
/* ventus as: assembly to an object. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ventus/asm.h>

#include "as_tile.h"
#include "asm/lex.h"
#include "base/file.h"
#include "base/vec.h"
#include "option_list.h"

static const char help[] =
    "usage: ventus as [OPTION...] FILE.s\n"
    "\n"
    "Assembles FILE.s (- is standard input) to a relocatable ELF object.\n"
    "Inserts prefix words (regext, regpair ...) where an instruction needs "
    "one.\n"
    "docs/asm.md is the manual of the language.\n"
    "\n";

static const char help_end[] =
    "\n"
    "  ventus as -g -l - vecadd.s        object in vecadd.o, listing shown\n"
    "  ventus link -o vecadd.elf vecadd.o\n";

struct request {
    struct arena arena;
    struct diag_sink sink;
    struct ventus_asm_options options;
    const char *input, *output, *listing;
    const char *tile; /* -march of RV64 with Xtile, or NULL */
    vec(const char *) dirs, defines;
};

/* Whether a text is a name, as the assembler allows them, and perhaps a value. */
static bool
is_define(const char *text)
{
    size_t n = 0;
    while (lex_is(text[n], CLASS_NAME | CLASS_DIGIT))
        n++;
    if (n && !lex_is(*text, CLASS_DIGIT) && (!text[n] || text[n] == '='))
        return true;
    fprintf(stderr, "as: -D: expected NAME[=VALUE], found '%s'\n", text);
    return false;
}

static bool
set_option(struct request *r, int c)
{
    unsigned version;
    switch (c) {
    case OPT_MARCH:
        if (as_tile_wanted(optarg)) {
            r->tile = optarg;
            return true;
        }
        if (!command_march("as", optarg, &version))
            return false;
        r->options.version = (enum ventus_isa_version)version;
        return true;
    case 'g':
        return r->options.debug = true;
    case 'o':
        r->output = optarg;
        return true;
    case 'l':
        r->listing = optarg;
        return r->options.listing = true;
    case 'I':
        vec_push(&r->arena, &r->dirs, optarg);
        return true;
    case 'D':
        vec_push(&r->arena, &r->defines, optarg);
        return is_define(optarg);
    }
    return false;
}

/* The default output: a/b.s to b.o, as other assemblers do; a.out if the input has no
 * name. */
static const char *
default_output(struct request *r)
{
    const char *slash = strrchr(r->input, '/');
    const char *name = slash ? slash + 1 : r->input;
    if (strcmp(r->input, "-") == 0)
        return "a.out";
    const char *dot = strrchr(name, '.');
    int n = (int)(dot && dot != name ? dot - name : (long)strlen(name));
    return arena_printf(&r->arena, "%.*s.o", n, name);
}

static bool
assemble_text(struct request *r)
{
    size_t size;
    uint8_t *text = file_read(&r->arena, r->input, &size, &r->sink);
    if (!text)
        return false;
    r->options.file = strcmp(r->input, "-") == 0 ? "<stdin>" : r->input;
    r->options.include_dirs = r->dirs.at;
    r->options.include_dir_count = r->dirs.n;
    r->options.defines = r->defines.at;
    r->options.define_count = r->defines.n;
    if (r->tile)
        return as_tile(&r->arena, r->tile, &r->options, (char *)text, size,
                       r->output ? r->output : default_output(r), &r->sink);
    struct ventus_asm_result result;
    bool ok = ventus_asm_assemble(&r->options, (char *)text, size, &result);
    ventus_asm_print_messages(&result, stderr, command_colour());
    if (r->listing && result.listing &&
        !file_write(r->listing, result.listing, result.listing_size, &r->sink))
        ok = false;
    if (ok)
        ok = file_write(r->output ? r->output : default_output(r),
                        result.object, result.object_size, &r->sink);
    ventus_asm_free(&result);
    return ok;
}

/* Refuses the command line and frees the names that were read. */
static int
refuse_request(struct request *r)
{
    arena_free(&r->arena);
    return command_usage("as");
}

int
command_as(int argc, char **argv)
{
    struct request r = { .sink = { 0 } };
    r.sink.arena = &r.arena;
    for (int c; (c = command_option(argc, argv, &options_as)) != -1;) {
        if (c == 'h')
            return command_help(help, &options_as, help_end);
        if (!set_option(&r, c))
            return refuse_request(&r);
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "as: expected one file, found %d\n", argc - optind);
        return refuse_request(&r);
    }
    if (r.tile && r.listing) {
        fprintf(stderr, "as: no listing of RV64 code; ventus dis shows it\n");
        return refuse_request(&r);
    }
    r.input = argv[optind];
    bool ok = assemble_text(&r);
    diag_print(&r.sink, stderr, command_colour());
    arena_free(&r.arena);
    return ok ? 0 : 1;
}
