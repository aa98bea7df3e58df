/* SPDX-License-Identifier: Apache-2.0 */
/* What the subcommands of `ventus` share. */
#pragma once

#include <stdbool.h>

/* A subcommand: argv[0] is its name; returns the exit status: 0 done, 1 the
 * input is wrong, the program faulted or output was lost, 2 the command line is
 * wrong. */
struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
};

/* Prints a help text; returns 0. */
int
command_help(const char *text);

/* The exit status, when all is done: 1 instead of 0, with a message, if what
 * was printed on standard output could not be written. */
int
command_end(int status);

/* "try 'ventus NAME --help'"; returns 2. */
int
command_usage(const char *name);

/* Colours on standard error: on a terminal that has them, unless the user's
 * NO_COLOR is set and not empty (no-color.org). */
bool
command_colour(void);

struct option;

/*
 * getopt_long, or getopt_long_only if options may begin with one dash; behind
 * the message about an unknown option it prints the name that is nearest.
 */
int
command_option(int argc, char **argv, const char *letters,
               const struct option *options, bool one_dash);

/* "ventus1" or "ventus2" to an enum ventus_isa_version; says what is wrong, as the
 * command of that name. */
bool
command_march(const char *command, const char *text, unsigned *version);

/* "unknown WHAT 'NAME', did you mean 'NEAR'?"; near may be NULL. */
void
command_unknown(const char *what, const char *name, const char *near);

int
command_as(int argc, char **argv);

int
command_cc(int argc, char **argv);

int
command_link(int argc, char **argv);

int
command_exec(int argc, char **argv);

int
command_info(int argc, char **argv);

int
command_isa(int argc, char **argv);

int
command_replay(int argc, char **argv);

int
command_compare(int argc, char **argv);

int
command_dis(int argc, char **argv);

int
command_tile(int argc, char **argv);

int
command_report(int argc, char **argv);

int
command_debug(int argc, char **argv);

int
command_run(int argc, char **argv);

int
command_sweep(int argc, char **argv);
