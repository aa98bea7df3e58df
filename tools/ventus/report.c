/* SPDX-License-Identifier: Apache-2.0 */
/* ventus report: makes a page of HTML from the JSON of launches. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "dbg/html.h"
#include "dbg/json_check.h"
#include "dbg/report_text.h"
#include "option_list.h"

static const char help[] =
    "usage: ventus report [--text] [BASE.json] FILE.json [-o REPORT.html]\n"
    "\n"
    "Writes an HTML page that needs no network: what would make a launch\n"
    "faster, use of issue slots over time and by line, source and machine\n"
    "code, roofline, units, memory.  With BASE.json it compares: which lines\n"
    "take more or less, and why.  A file has a line for each launch (- is\n"
    "standard input), as these commands print:\n"
    "\n"
    "  ventus exec --model rtl-verilog --json --stats --hot ... > k.json\n"
    "  ventus report k.json -o k.html\n"
    "  ventus report before.json k.json -o difference.html\n"
    "\n"
    "The file of `ventus run --json FILE` is read, too: issue slots of each\n"
    "kernel, without lines.  `ventus run --report` has them.  Missing\n"
    "data are named, with the option that records them.\n"
    "\n"
    "The page shows the launches of a kernel one by one or as a sum.\n"
    "\n";

/* Keeps only the kernels of `run --json`, one per line: the input has them in one
 * object, each on lines of its own. */
static void
keep_kernels(char *text)
{
    static const char head[] = "{\"kernels\":[\n";
    if (strncmp(text, head, sizeof head - 1) != 0)
        return;
    memset(text, ' ', sizeof head - 2);
    for (char *line = text + sizeof head - 1, *end; *line; line = end) {
        static const char kernel[] = "{\"name\":";
        end = line + strcspn(line, "\n");
        bool is_last =
            *end && (strncmp(end + 1, kernel, sizeof kernel - 1) == 0 ||
                     strncmp(end + 1, "]}", 2) == 0);
        if (strncmp(line, "]}", 2) == 0)
            memset(line, ' ', 2);
        else if (*end && !is_last)
            *end = ' '; /* joins the lines of a kernel */
        else if (end > line && end[-1] == ',')
            end[-1] = ' ';
        end += *end == '\n';
    }
}

/* Whether a text has cycles; a functional machine has none, or 0. */
static bool
counts_cycles(const char *text)
{
    static const char key[] = "\"cycles\":";
    while ((text = strstr(text, key)) != NULL) {
        text += sizeof key - 1;
        if (*text != '0')
            return true;
    }
    return false;
}

/* Reads the launches of a file; NULL: an error, which is reported. */
static const char *
read_launches(struct arena *a, const char *from, struct diag_sink *sink)
{
    size_t size;
    char *text = (char *)file_read(a, from, &size, sink);
    if (text)
        keep_kernels(text);
    if (!text || !json_check_lines(from, text, sink))
        return NULL;
    if (counts_cycles(text))
        return text;
    diag_report(
        sink, DIAG_ERROR, (struct diag_at){ .file = from },
        "no launch that counted cycles; expected the output of "
        "ventus exec --model PRESET --json --stats --hot, or the file of "
        "ventus run --model PRESET --json FILE");
    return NULL;
}

struct request {
    const char *base, *from, *to; /* base may be NULL */
    bool text;
};

static void
write_to(FILE *out, struct arena *a, const struct request *q,
         const char *before, const char *text)
{
    if (q->text)
        report_text(out, before, text);
    else if (before)
        html_report(out,
                    arena_printf(a, "%s\n{\"base\":true}\n%s", before, text));
    else
        html_report(out, text);
}

static int
write_report(const struct request *q)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    size_t made = 0;
    char *page = NULL;
    const char *before = q->base ? read_launches(&a, q->base, &sink) : NULL;
    const char *text = read_launches(&a, q->from, &sink);
    bool ok = text && !q->base == !before;
    FILE *out = ok ? open_memstream(&page, &made) : NULL;
    if (out) {
        write_to(out, &a, q, before, text);
        ok = fclose(out) == 0 && file_write(q->to, page, made, &sink);
    }
    diag_print(&sink, stderr, command_colour());
    free(page);
    arena_free(&a);
    return ok ? 0 : 1;
}

int
command_report(int argc, char **argv)
{
    struct request q = { .to = "-" };
    for (int c; (c = command_option(argc, argv, &options_report)) != -1;) {
        if (c == 'h')
            return command_help(help, &options_report, NULL);
        if (c == OPT_TEXT)
            q.text = true;
        else if (c == 'o')
            q.to = optarg;
        else
            return command_usage("report");
    }
    int n = argc - optind;
    if (n < 1 || n > 2) {
        fputs("report: expected [BASE.json] FILE.json\n", stderr);
        return command_usage("report");
    }
    q.base = n > 1 ? argv[optind] : NULL;
    q.from = argv[argc - 1];
    return write_report(&q);
}
