/* SPDX-License-Identifier: Apache-2.0 */
/* ventus report: a page of HTML from the JSON of launches. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "command.h"
#include "dbg/html.h"
#include "dbg/json_check.h"

static const char help[] =
    "usage: ventus report FILE.json [-o REPORT.html]\n"
    "\n"
    "Writes an HTML page that needs no network: use of issue slots over time\n"
    "and by line, roofline, units, memory.  FILE.json has a line for each\n"
    "launch (- is standard input), as these commands print:\n"
    "\n"
    "  ventus exec --model rtl-verilog --json --stats --hot ... > k.json\n"
    "  ventus report k.json -o k.html\n"
    "\n"
    "  -o FILE   output, standard output by default\n";

static int
write_report(const char *from, const char *to)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    size_t size, made = 0;
    char *page = NULL;
    const char *text = (const char *)file_read(&a, from, &size, &sink);
    bool ok = text && json_check_lines(from, text, &sink);
    if (ok && !strstr(text, "\"cycles\":")) {
        diag_report(&sink, DIAG_ERROR, (struct diag_at){ .file = from },
                    "no launch that counted cycles; expected the output of "
                    "ventus exec --model PRESET --json --stats --hot");
        ok = false;
    }
    FILE *out = ok ? open_memstream(&page, &made) : NULL;
    if (out) {
        html_report(out, text);
        ok = fclose(out) == 0 && file_write(to, page, made, &sink);
    }
    diag_print(&sink, stderr, command_colour());
    free(page);
    arena_free(&a);
    return ok ? 0 : 1;
}

int
command_report(int argc, char **argv)
{
    static const struct option options[] = {
        { "help", no_argument, NULL, 'h' },
        { "output", required_argument, NULL, 'o' },
        { 0 },
    };
    const char *to = "-";
    for (int c;
         (c = command_option(argc, argv, "ho:", options, false)) != -1;) {
        if (c == 'h')
            return command_help(help);
        if (c != 'o')
            return command_usage("report");
        to = optarg;
    }
    if (optind != argc - 1) {
        fputs("report: expected one FILE.json\n", stderr);
        return command_usage("report");
    }
    return write_report(argv[optind], to);
}
