/* SPDX-License-Identifier: Apache-2.0 */
/* The command: finds the subcommand and runs it. */
#include <stdio.h>
#include <string.h>

#include <ventus/version.h>

#include "base/arith.h"
#include "base/spelling.h"
#include "command.h"

static const struct command commands[] = {
    { "as", "assembles to an object", command_as },
    { "cc", "compiles OpenCL C to a program", command_cc },
    { "compare", "finds where two event files differ", command_compare },
    { "debug", "runs an OpenCL program with its kernels under GDB",
      command_debug },
    { "dis", "disassembles machine code", command_dis },
    { "exec", "runs a kernel without a host program", command_exec },
    { "info", "lists presets and settings of devices", command_info },
    { "isa", "shows the manual page of an instruction", command_isa },
    { "link", "links objects to a program", command_link },
    { "replay", "runs recorded launches again", command_replay },
    { "report", "writes a report of launches, or compares two",
      command_report },
    { "run", "runs an OpenCL program on a Ventus device", command_run },
    { "sweep", "runs programs on many devices, and compares", command_sweep },
    { "tile", "runs programs of the tile extension", command_tile },
};
enum { COMMANDS = ARRAY_SIZE(commands) };

static void
print_help(FILE *out)
{
    fputs("usage: ventus COMMAND [ARGUMENT...]\n"
          "\n"
          "Tools for the Ventus GPGPU.  `ventus help COMMAND` or `ventus "
          "COMMAND\n"
          "--help` describes each; `ventus version` is the release.\n"
          "\n",
          out);
    for (unsigned i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fputs(
        "\n"
        "Exit status: 0 success; 1 wrong input, a fault of the program, or\n"
        "lost output; 2 wrong command line.  `run` and `tile run` return the\n"
        "exit status of their program if it ended.\n",
        out);
}

static int
unknown_command(const char *name)
{
    struct spelling nearest = { .word = name };
    for (unsigned i = 0; i < COMMANDS; i++)
        spelling_offer(&nearest, commands[i].name);
    spelling_offer(&nearest, "help");
    spelling_offer(&nearest, "version");
    spelling_offer(&nearest, "--help");
    spelling_offer(&nearest, "--version");
    command_unknown(*name == '-' ? "option" : "command", name, nearest.name);
    fputs("try 'ventus --help'\n", stderr);
    return 2;
}

static int
run_command(int argc, char **argv)
{
    for (unsigned i = 0; i < COMMANDS; i++)
        if (strcmp(argv[0], commands[i].name) == 0)
            return command_end(commands[i].run(argc, argv));
    return unknown_command(argv[0]);
}

int
main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    const char *name = argv[1];
    static char ask[] = "--help";
    bool helps = strcmp(name, "help") == 0;
    if (helps && argc == 3 && argv[2][0] != '-')
        return run_command(2, (char *[]){ argv[2], ask, NULL });
    if (helps && argc > 3) {
        fprintf(stderr, "ventus: expected help COMMAND, found '%s' too\n",
                argv[3]);
        return 2;
    }
    if (helps || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        return command_end(0);
    }
    /* --version is accepted after a subcommand, too. */
    if (strcmp(name, "version") == 0 ||
        strcmp(argc == 3 ? argv[2] : name, "--version") == 0) {
        puts("ventus " VENTUS_VERSION);
        return command_end(0);
    }
    return run_command(argc - 1, argv + 1);
}
