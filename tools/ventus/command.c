/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "base/arith.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ventus/isa.h>

#include "base/spelling.h"

int
command_help(const char *text, const struct command_options *options,
             const char *rest)
{
    fputs(text, stdout);
    fputs(options->help, stdout);
    fputs(rest ? rest : "", stdout);
    return 0;
}

int
command_end(int status)
{
    errno = 0; /* the stream remembers that an error occurred, but not which */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (!status)
        fprintf(stderr, "ventus: cannot write <stdout>: %s\n",
                errno ? strerror(errno) : "output was lost");
    return status ? status : 1;
}

int
command_usage(const char *name)
{
    fprintf(stderr, "try 'ventus %s --help'\n", name);
    return 2;
}

bool
command_colour(void)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(2) && !(refused && *refused) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

/* The option here with the meaning of another tool's option. */
static const char *
usual_name(const char *name)
{
    static const char *const names[][2] = {
        { "global", "grid" },
        { "global-size", "grid" },
        { "global-work-size", "grid" },
        { "gws", "grid" },
        { "size", "grid" },
        { "local-size", "local" },
        { "local-work-size", "local" },
        { "lws", "local" },
        { "group", "local" },
        { "workgroup", "local" },
        { "block", "local" },
        { "out", "output" },
        { "preset", "device" },
        { "config", "device" },
        { "timeout", "time-limit" },
        { "profile", "hot" },
        { "vcd", "trace" },
        { "html", "report" },
        { "print", "show" },
        { "port", "gdb" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strcmp(names[i][0], name) == 0)
            return names[i][1];
    return NULL;
}

static void
suggest_option(const char *word, const struct option *options)
{
    size_t dashes = strspn(word, "-");
    char name[64];
    size_t n = strcspn(word + dashes, "=");
    if (!dashes || !n || n >= sizeof name)
        return;
    memcpy(name, word + dashes, n);
    name[n] = 0;
    const char *usual = usual_name(name), *same = NULL;
    struct spelling nearest = { .word = name };
    for (const struct option *o = options; o->name; o++) {
        spelling_offer(&nearest, o->name);
        if (usual && strcmp(o->name, usual) == 0)
            same = o->name;
    }
    if (same)
        fprintf(stderr, "did you mean '--%s'?\n", same);
    else if (nearest.name && nearest.edits)
        fprintf(stderr, "did you mean '--%s'?\n", nearest.name);
}

/* Whether an option lacks its argument: "--" is none. */
static bool
lacks_argument(char **argv, int c)
{
    if (c <= 0 || c == '?' || !optarg || strcmp(optarg, "--") != 0 ||
        optarg != argv[optind - 1])
        return false;
    fprintf(stderr, "%s: option '%s' requires an argument, found '--'\n",
            argv[0], argv[optind - 2]);
    return true;
}

int
command_option(int argc, char **argv, const struct command_options *options)
{
    optopt = 0; /* stays 0 if no option has the name */
    int c = (options->one_dash ? getopt_long_only : getopt_long)(
        argc, argv, options->letters, options->names, NULL);
    if (lacks_argument(argv, c))
        return '?';
    if (c == '?' && !optopt && optind > 0)
        suggest_option(argv[optind - 1], options->names);
    return c;
}

bool
command_march(const char *command, const char *text, unsigned *version)
{
    if (strcmp(text, "ventus1") == 0)
        *version = VENTUS_ISA_V1;
    else if (strcmp(text, "ventus2") == 0)
        *version = VENTUS_ISA_V2;
    else {
        fprintf(stderr, "%s: -march: expected ventus1 or ventus2, found '%s'\n",
                command, text);
        return false;
    }
    return true;
}

void
command_unknown(const char *what, const char *name, const char *nearest)
{
    fprintf(stderr, "unknown %s '%s'", what, name);
    if (nearest)
        fprintf(stderr, ", did you mean '%s'?", nearest);
    fputc('\n', stderr);
}

bool
command_is_engine(const char *word)
{
    return strcmp(word, "auto") == 0 || strcmp(word, "interpreter") == 0 ||
           strcmp(word, "native") == 0;
}
