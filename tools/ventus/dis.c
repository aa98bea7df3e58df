/* SPDX-License-Identifier: Apache-2.0 */
/* ventus dis: prints machine code as text. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/dis/file.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "option_list.h"
#include "tile/translate.h"

static const char help[] =
    "usage: ventus dis [OPTION...] FILE\n"
    "\n"
    "Disassembles an object, a linked file, or an upstream case (X.metadata\n"
    "with X.data in the same folder).  Addresses and words are comments, so\n"
    "`ventus as` with the same -march assembles the text to the same bytes,\n"
    "unless it has the style of logs.\n"
    "\n";

static const char help_end[] =
    "\n"
    "  ventus as -g vecadd.s && ventus dis -S vecadd.o\n";

struct request {
    struct dis_file_options options;
    bool raw, json;
    uint64_t address;
    const char *output;
};

static bool
set_style(struct request *r, const char *text)
{
    bool log = strcmp(text, "log") == 0;
    if (!log && strcmp(text, "gnu") != 0) {
        fprintf(stderr, "--style: expected gnu or log, found '%s'\n", text);
        return false;
    }
    r->options.code.style = log ? VENTUS_ISA_STYLE_LOG : VENTUS_ISA_STYLE_GNU;
    r->options.style_given = true;
    return true;
}

static bool
set_address(struct request *r, const char *text)
{
    r->raw = true;
    if (!text)
        return true;
    bool ok = text_number(text, 0, 0, UINT64_MAX, &r->address);
    if (!ok)
        fprintf(stderr, "--raw: expected an address, found '%s'\n", text);
    return ok;
}

static bool
set_option(struct request *r, int c)
{
    struct dis_file_options *o = &r->options;
    unsigned version;
    switch (c) {
    case OPT_MARCH:
        if (!command_march("dis", optarg, &version))
            return false;
        o->code.version = (enum ventus_isa_version)version;
        return true;
    case 'j':
        o->section = optarg;
        return true;
    case 'D':
        return o->data = true;
    case 'S':
        return o->source = true;
    case 'M':
        return set_style(r, optarg);
    case 'o':
        r->output = optarg;
        return true;
    case OPT_ABI:
        return o->code.abi_names = true;
    case OPT_NO_ALIAS:
        return o->code.no_alias = true;
    case OPT_BARE:
        return o->code.bare = true;
    case OPT_JSON:
        return r->json = true;
    case OPT_RAW:
        return set_address(r, optarg);
    }
    return false;
}

static bool
is_upstream(const char *path)
{
    size_t n = strlen(path), m = strlen(".metadata");
    return n > m && strcmp(path + n - m, ".metadata") == 0;
}

static bool
disassemble_file(struct buf *out, const struct request *r, const char *path,
                 struct arena *a, struct diag_sink *sink)
{
    bool upstream = !r->raw && is_upstream(path);
    if (upstream && r->json)
        diag_report(
            sink, DIAG_ERROR, (struct diag_at){ .file = path },
            "--json is for ELF files and --raw, not for upstream cases");
    if (upstream)
        return !r->json && dis_upstream(out, &r->options, path, sink);
    size_t size;
    uint8_t *image = file_read(a, path, &size, sink);
    if (!image)
        return false;
    struct elf e;
    enum { ELF_CLASS = 4, ELF_64 = 2 };
    if (!r->raw && size > ELF_CLASS && image[ELF_CLASS] == ELF_64) {
        /* An ELF64 file is RV64 with tile instructions: Ventus is 32-bit. */
        if (!elf_read(a, path, image, size, &e, sink) || !dis_may_elf(&e, sink))
            return false;
        if (r->json) {
            diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = path },
                        "--json is for code of Ventus, not for RV64");
            return false;
        }
        tile_disassemble(out, &e);
        return true;
    }
    if (!r->raw)
        return dis_elf(out, &r->options, path, image, size, sink);
    dis_raw(out, &r->options, image, size, r->address);
    return true;
}

/* Disassembles as one JSON object. */
static bool
disassemble_json(struct buf *out, struct request *r, const char *path,
                 struct arena *a, struct diag_sink *sink)
{
    char *text = NULL;
    size_t size;
    struct json j = { .out = open_memstream(&text, &size) };
    if (!j.out) {
        diag_out_of_memory(sink);
        return false;
    }
    struct buf none = { 0 };
    r->options.json = &j;
    r->options.source = true;
    json_object(&j, NULL);
    bool ok = disassemble_file(&none, r, path, a, sink);
    buf_free(&none);
    if (ok)
        json_end(&j);
    ok = fclose(j.out) == 0 && ok;
    if (ok) {
        buf_put(out, text, size);
        buf_put(out, "\n", 1);
    }
    free(text);
    return ok;
}

int
command_dis(int argc, char **argv)
{
    struct request r = { .output = "-" };
    for (int c; (c = command_option(argc, argv, &options_dis)) != -1;) {
        if (c == 'h')
            return command_help(help, &options_dis, help_end);
        if (!set_option(&r, c))
            return command_usage("dis");
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "dis: expected one file, found %d\n", argc - optind);
        return command_usage("dis");
    }
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct buf out = { 0 };
    bool ok = (r.json ? disassemble_json(&out, &r, argv[optind], &a, &sink)
                      : disassemble_file(&out, &r, argv[optind], &a, &sink)) &&
              file_write(r.output, out.at, out.n, &sink);
    diag_print(&sink, stderr, command_colour());
    buf_free(&out);
    arena_free(&a);
    return ok ? 0 : 1;
}
