/* SPDX-License-Identifier: Apache-2.0 */
/* ventus isa: prints the manual in the terminal. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/isa.h>

#include "base/buf.h"
#include "base/spelling.h"
#include "isa/page.h"
#include "isa/tile_page.h"
#include "option_list.h"

static const char help[] =
    "usage: ventus isa [-march=ventus1|ventus2] [--json] [NAME|WORD ...]\n"
    "\n"
    "Shows the manual page of an instruction: syntax, encoding, semantics, "
    "unit\n"
    "and latency.  Without a name it lists all instructions by group.  An "
    "alias\n"
    "shows its instruction, the first part of a name its forms; a number is\n"
    "decoded.  `ventus isa tile` lists the tile extension.\n"
    "\n"
    "  ventus isa vadd.vv          one page\n"
    "  ventus isa vadd             vadd.vv, vadd.vx, vadd.vi\n"
    "  ventus isa tld              tile loads of global and share memory\n"
    "  ventus isa ret              the instruction of an alias\n"
    "  ventus isa 0x0010200b 0x5e024057\n"
    "                              decodes words, a prefix with the next one\n"
    "  ventus isa --json vbeq      as JSON; without a name: all\n"
    "\n";

struct request {
    unsigned version; /* enum ventus_isa_version, or both */
    bool json;
};

/* Prints and empties `out`. */
static void
flush_text(struct buf *out)
{
    if (out->n)
        fwrite(out->at, 1, out->n, stdout);
    buf_free(out);
}

static void
show_op(struct buf *out, const struct request *r, enum ventus_isa_op op)
{
    if (!r->json) {
        isa_page(out, op);
        return;
    }
    struct json j = { .out = stdout };
    flush_text(out);
    isa_page_json(&j, op);
    putchar('\n');
}

/* The row of that name, or of the instruction that an alias stands for. */
static enum ventus_isa_op
find_row(const struct request *r, const char *name)
{
    size_t n = strlen(name);
    enum ventus_isa_op op =
        ventus_isa_find((enum ventus_isa_version)r->version, name, n);
    for (unsigned i = 0; !op && i < VENTUS_ISA_ALIAS_COUNT; i++)
        if (strcmp(ventus_isa_aliases[i].name, name) == 0)
            op = (enum ventus_isa_op)ventus_isa_aliases[i].op;
    return op;
}

/* Shows the forms of a mnemonic: vadd.vv, vadd.vx, vadd.vi for "vadd".  False: none. */
static bool
show_forms(struct buf *out, const struct request *r, const char *name)
{
    size_t n = strlen(name);
    bool any = false;
    for (enum ventus_isa_op op = 1; op < VENTUS_ISA_OP_COUNT; op++) {
        const struct ventus_isa_info *info = &ventus_isa_info[op];
        if (!(info->versions & r->version) ||
            strncmp(info->name, name, n) != 0 || info->name[n] != '.')
            continue;
        any = true;
        if (r->json)
            show_op(out, r, op);
        else
            isa_page_line(out, op);
    }
    return any;
}

/* Shows instructions of the tile extension, which belong to no version; "tile": all. */
static bool
show_tile(struct buf *out, const struct request *r, const char *name)
{
    bool all = strcmp(name, "tile") == 0;
    return !r->json && r->version == (VENTUS_ISA_V1 | VENTUS_ISA_V2) &&
           tile_page(out, all ? NULL : name);
}

static const char *
nearest(const struct request *r, const char *name)
{
    struct spelling nearest = { .word = name };
    for (enum ventus_isa_op op = 1; op < VENTUS_ISA_OP_COUNT; op++)
        if (ventus_isa_info[op].versions & r->version)
            spelling_offer(&nearest, ventus_isa_info[op].name);
    return nearest.name;
}

static bool
is_number(const char *text, uint32_t *value)
{
    char *end;
    unsigned long long x = strtoull(text, &end, 16);
    *value = (uint32_t)x;
    return *text >= '0' && *text <= '9' && !*end && x <= UINT32_MAX;
}

static bool
show_word(struct buf *out, enum ventus_isa_version version,
          const uint32_t *words, size_t count, unsigned *taken)
{
    struct ventus_isa_insn in;
    char text[VENTUS_ISA_TEXT_MAX];
    *taken = ventus_isa_decode(version, words, count, &in);
    if (!*taken) {
        const char *why = ventus_isa_refused(version, words, count);
        buf_printf(out, "%08x            ", words[0]);
        if (why)
            buf_printf(out, "refused before %08x: %s\n", words[1], why);
        else
            buf_printf(out, "no instruction of version %d\n", version);
        *taken = 1;
        return false;
    }
    ventus_isa_print(&in, NULL, text, sizeof text);
    if (*taken == 2)
        buf_printf(out, "%08x %08x   %s\n", words[0], words[1], text);
    else
        buf_printf(out, "%08x            %s\n", words[0], text);
    return true;
}

/* Shows names and words (numbers) of the arguments.  False: a name is unknown, which
 * ends the loop, or a word is no instruction. */
static bool
show_all(struct buf *out, const struct request *r, int argc, char **argv)
{
    bool ok = true;
    for (int i = 0; i < argc;) {
        uint32_t words[2];
        if (is_number(argv[i], &words[0])) {
            bool more = i + 1 < argc && is_number(argv[i + 1], &words[1]);
            unsigned taken;
            ok &= show_word(out,
                            r->version == VENTUS_ISA_V2 ? VENTUS_ISA_V2
                                                        : VENTUS_ISA_V1,
                            words, more ? 2 : 1, &taken);
            i += (int)taken;
            continue;
        }
        enum ventus_isa_op op = find_row(r, argv[i]);
        if (!op &&
            (show_forms(out, r, argv[i]) || show_tile(out, r, argv[i]))) {
            i++;
            continue;
        }
        if (!op) {
            command_unknown("instruction", argv[i], nearest(r, argv[i]));
            return false;
        }
        show_op(out, r, op);
        i++;
    }
    return ok;
}

static void
show_table(struct buf *out, const struct request *r)
{
    if (!r->json) {
        isa_page_list(out, r->version);
        return;
    }
    struct json j = { .out = stdout };
    json_array(&j, NULL);
    for (enum ventus_isa_op op = 1; op < VENTUS_ISA_OP_COUNT; op++) {
        if (!(ventus_isa_info[op].versions & r->version))
            continue;
        isa_page_json(&j, op);
        json_new_line(&j);
    }
    json_end(&j);
    putchar('\n');
}

int
command_isa(int argc, char **argv)
{
    struct request r = { .version = VENTUS_ISA_V1 | VENTUS_ISA_V2 };
    for (int c; (c = command_option(argc, argv, &options_isa)) != -1;) {
        if (c == 'h')
            return command_help(help, &options_isa, NULL);
        if (c == OPT_JSON)
            r.json = true;
        else if (c != OPT_MARCH || !command_march("isa", optarg, &r.version))
            return command_usage("isa");
    }
    uint32_t word;
    for (int i = optind; r.json && i < argc; i++)
        if (is_number(argv[i], &word)) {
            fprintf(stderr,
                    "isa: --json is for names, found the word '%s': `ventus "
                    "dis --raw --json` has words\n",
                    argv[i]);
            return command_usage("isa");
        }
    struct buf out = { 0 };
    bool ok = true;
    if (optind == argc)
        show_table(&out, &r);
    else
        ok = show_all(&out, &r, argc - optind, argv + optind);
    flush_text(&out);
    return ok ? 0 : 1;
}
