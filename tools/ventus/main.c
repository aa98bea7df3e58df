/* SPDX-License-Identifier: Apache-2.0 */
/* The one command: finds the subcommand and runs it. */
#include <stdio.h>
#include <string.h>

#include "command.h"

static const struct command commands[] = {
    { "as", "assembly to an object", command_as },
    { "cc", "OpenCL C to a program", command_cc },
    { "dis", "machine code as text", command_dis },
    { "exec", "runs a kernel", command_exec },
    { "info", "presets and settings of devices", command_info },
    { "isa", "the manual page of an instruction", command_isa },
    { "link", "objects to a program", command_link },
    { "report", "a page of what launches did", command_report },
    { "run", "an OpenCL program on a Ventus device", command_run },
    { "tile", "run a program of the tile extension", command_tile },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void
help(FILE *out)
{
    fputs("usage: ventus COMMAND [ARGUMENT...]\n"
          "\n"
          "Tools for the Ventus GPGPU.  `ventus COMMAND --help` teaches each.\n"
          "\n",
          out);
    for (unsigned i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fputs(
        "\n"
        "Exit status of all: 0 done, 1 the input is wrong, the program\n"
        "faulted or output was lost, 2 the command line is wrong.  `run` and\n"
        "`tile run` end as their program does, if that ended.\n",
        out);
}

static const char *
nearest(const char *name)
{
    const char *best = NULL;
    unsigned least = 3;
    for (unsigned i = 0; i < COMMANDS; i++) {
        unsigned d = command_distance(commands[i].name, name);
        if (d < least) {
            least = d;
            best = commands[i].name;
        }
    }
    return best;
}

int
main(int argc, char **argv)
{
    if (argc < 2) {
        help(stderr);
        return 2;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
        strcmp(name, "help") == 0) {
        help(stdout);
        return command_end(0);
    }
    if (strcmp(name, "--version") == 0) {
        puts("ventus " VENTUS_VERSION);
        return command_end(0);
    }
    for (unsigned i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return command_end(commands[i].run(argc - 1, argv + 1));
    command_unknown("command", name, nearest(name));
    fputs("try 'ventus --help'\n", stderr);
    return 2;
}
