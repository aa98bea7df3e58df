/* SPDX-License-Identifier: Apache-2.0 */
/* Common functions of the subcommands of `ventus`. */
#pragma once

#include <stdbool.h>

/* A subcommand: argv[0] is its name; returns the exit status: 0 done, 1 the input is
 * wrong, the program faulted or output was lost, 2 the command line is wrong. */
struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
};

struct option;

/* The options of a subcommand, which options.py makes from options.def. */
struct command_options {
    const char *letters;        /* for getopt_long */
    const struct option *names; /* for getopt_long */
    bool one_dash;              /* long options may begin with one dash */
    const char *help;           /* their lines of --help */
};

/* Prints the help of a subcommand: a text, its options, and the rest, which may be NULL;
 * returns 0. */
int
command_help(const char *text, const struct command_options *options,
             const char *rest);

/* The exit status of a command that is done: 1 instead of 0, with a message, if
 * standard output could not be written. */
int
command_end(int status);

/* Prints "try 'ventus NAME --help'"; returns 2. */
int
command_usage(const char *name);

/* Whether standard error has colours: it is a terminal that has them, and the user's
 * NO_COLOR is not set or empty (no-color.org). */
bool
command_colour(void);

/* Calls getopt_long, or getopt_long_only if options may begin with one dash; after the
 * message about an unknown option it prints the most similar name. */
int
command_option(int argc, char **argv, const struct command_options *options);

/* Converts "ventus1" or "ventus2" to an enum ventus_isa_version; reports errors as the
 * command of that name. */
bool
command_march(const char *command, const char *text, unsigned *version);

/* Reports "unknown WHAT 'NAME', did you mean 'NEAR'?"; near may be NULL. */
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

/* Whether a word is a value of --engine, which are those of the key `execution`. */
bool
command_is_engine(const char *word);

int
command_sweep(int argc, char **argv);
