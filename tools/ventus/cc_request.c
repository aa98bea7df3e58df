/* SPDX-License-Identifier: Apache-2.0 */
#include "cc_request.h"

#include <assert.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/spelling.h"
#include "cc/compile.h"
#include "cc/target.h"
#include "option_list.h"

static const char help[] =
    "usage: ventus cc [OPTION...] FILE.cl|FILE.spv\n"
    "       ventus cc [OPTION...] OBJECT.bc...\n"
    "       ventus cc [OPTION...] FILE.cl|OBJECT.bc... FILE.s|OBJECT.o...\n"
    "\n"
    "The first form compiles OpenCL C or SPIR-V, from standard input if FILE "
    "is -.\n"
    "The second links objects of --emit bc.  The third links either with "
    "assembly:\n"
    "OpenCL C declares its functions extern, and it may call OpenCL C.\n"
    "\n";

static const char help_end[] =
    "\n"
    "Messages are clang's.  Exit status: 1 wrong source, 2 wrong options.\n"
    "\n"
    "  ventus cc -D N=16 -o saxpy.elf saxpy.cl\n"
    "  ventus cc --emit bc a.cl && ventus cc --emit bc b.cl\n"
    "  ventus cc -o ab.elf a.bc b.bc\n";

int
cc_request_help(void)
{
    command_help(help, &options_cc, NULL);
    fputs("\nOptimisations of the back end; -fno-NAME disables one:\n\n",
          stdout);
    for (const struct cc_optimisation *o = cc_optimisations; o->name; o++)
        printf("  %-22s %s\n", o->name, o->what);
    fputs("\nPasses:\n  front end, --emit ll:", stdout);
    for (unsigned i = 0; front_pass_name(i); i++)
        printf(" %s", front_pass_name(i));
    fputs("\n  back end, --emit ir:", stdout);
    for (unsigned i = 0; cc_pass_name(i); i++)
        printf(" %s", cc_pass_name(i));
    fputc('\n', stdout);
    fputs(help_end, stdout);
    return 0;
}

static int
wrong_option(const char *what, const char *found)
{
    fprintf(stderr, "cc: %s '%s'\n", what, found);
    return -1;
}

static int
take_choice(const char **to, const char *const *choices, const char *option,
            const char *value)
{
    for (unsigned i = 0; choices[i]; i++)
        if (strcmp(value, choices[i]) == 0) {
            *to = choices[i];
            return 2;
        }
    fprintf(stderr, "cc: %s: expected", option);
    for (unsigned i = 0; choices[i]; i++)
        fprintf(stderr, "%s %s", i ? "," : "", choices[i]);
    fprintf(stderr, "; found '%s'\n", value);
    return -1;
}

static void
take_headers(struct request *r, const char *folder)
{
    r->headers = arena_printf(&r->arena, "%s/", folder);
    vec_push(
        &r->arena, &r->options.words,
        arena_printf(&r->arena, "-I%s", front_options_path(&r->arena, folder)));
    vec_push(&r->arena, &r->options.words,
             arena_printf(&r->arena, "-ffile-prefix-map=%s=", r->headers));
}

static int
take_pass(struct request *r, const char *name)
{
    bool known = strcmp(name, "all") == 0 || strcmp(name, "translate") == 0;
    struct spelling nearest = { .word = name };
    for (unsigned i = 0; cc_pass_name(i); i++) {
        known |= strcmp(name, cc_pass_name(i)) == 0;
        spelling_offer(&nearest, cc_pass_name(i));
    }
    for (unsigned i = 0; front_pass_name(i); i++) {
        if (strcmp(name, front_pass_name(i)) == 0)
            r->options.last_pass = name;
        spelling_offer(&nearest, front_pass_name(i));
    }
    known |= r->options.last_pass != NULL;
    r->after = name;
    if (known)
        return 2;
    fputs("cc: ", stderr);
    command_unknown("pass", name, nearest.name);
    return -1;
}

/* Ties this process to the one that started it: whatever ends that one ends this one,
 * too. */
static int
end_with(const char *parent)
{
    char *end;
    long pid = strtol(parent, &end, 10);
    if (pid <= 0 || *end)
        return wrong_option("--parent: expected the number of a process, found",
                            parent);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != pid) /* the parent has ended before */
        return wrong_option("--parent: we were not started by process", parent);
    return 2;
}

static int
take_pause(struct request *r, const char *name)
{
    for (unsigned i = 0; cc_pause_names[i]; i++)
        if (strcmp(cc_pause_names[i], name) == 0) {
            r->pause = (enum cc_pause)i;
            return 1;
        }
    return wrong_option("-fpause: expected none, divide or multiply, found",
                        name);
}

/* Takes an option of the back end: -fno-NAME of an optimisation, -march, -fpause; 0:
 * the word is none. */
static int
take_back_end(struct request *r, const char *word)
{
    if (strncmp(word, "-march=", 7) == 0) {
        unsigned version;
        if (!command_march("cc", word + 7, &version))
            return -1;
        r->options.target = cc_target_of_version(version);
        return r->options.target ? 1 : wrong_option("no such target:", word);
    }
    if (strncmp(word, "-fpause=", 8) == 0)
        return take_pause(r, word + 8);
    for (const struct cc_optimisation *o = cc_optimisations; o->name; o++)
        if (strncmp(word, "-fno-", 5) == 0 && strcmp(word + 5, o->name) == 0) {
            r->off |= o->off;
            return 1;
        }
    return 0;
}

/* The number of an option of this project, a letter or OPT_NAME; 0: the word is none. */
static int
number_of(const char *word)
{
    if (word[0] == '-' && word[1] && strchr("Sco", word[1]) && !word[2])
        return word[1];
    if (strncmp(word, "--", 2) != 0)
        return 0;
    for (const struct option *o = options_cc.names; o->name; o++)
        if (strcmp(word + 2, o->name) == 0)
            return o->val;
    return 0;
}

/* Takes an option of this project; 0: the word is none. */
static int
take_own(struct request *r, const char *option, const char *value)
{
    static const char *const emits[] = {
        "bc", "ll", "ir", "s", "o", "elf", NULL
    };
    static const char *const profiles[] = { "default", "upstream", NULL };
    int c = number_of(option);
    switch (c) {
    case 0:
    case 'h':
        return 0;
    case OPT_STATS:
        return r->stats = true;
    case OPT_TIME:
        return r->time = true;
    case 'S':
    case 'c':
        r->emit = c == 'S' ? "s" : "o";
        return 1;
    }
    if (!value)
        return wrong_option("expected an argument after", option);
    switch (c) {
    case OPT_EMIT:
        return take_choice(&r->emit, emits, option, value);
    case 'o':
        r->output = value;
        return 2;
    case OPT_PROFILE:
        return take_choice(&r->profile, profiles, option, value);
    case OPT_NAME:
        r->source.name = value;
        return 2;
    case OPT_SPEC_CONSTANT:
        vec_push(&r->arena, &r->constants, value);
        return 2;
    case OPT_DEPFILE:
        r->depfile = value;
        return 2;
    case OPT_AFTER:
        return take_pass(r, value);
    case OPT_HEADERS:
        take_headers(r, value);
        return 2;
    case OPT_PARENT:
        return end_with(value);
    }
    assert(c == OPT_OPTIONS && "every option of options.def is taken");
    return front_options_text(&r->arena, &r->options, value, &r->sink) ? 2 : -1;
}

/* Refuses -save-temps: the runtime ignores it; here it would promise files that are
 * not written. */
static int
refuse_temps(const char *word)
{
    fprintf(stderr,
            "cc: %s: files between the steps are not kept; --emit writes one "
            "of them: ll, ir, s or o\n",
            word);
    return -1;
}

/* Adds a suggestion to the message about an unknown option. */
static void
suggest_optimisation(struct request *r, const char *word)
{
    if (strncmp(word, "-fno-", 5) != 0)
        return;
    struct spelling nearest = { .word = word + 5 };
    for (const struct cc_optimisation *o = cc_optimisations; o->name; o++)
        spelling_offer(&nearest, o->name);
    if (nearest.name)
        diag_report(&r->sink, DIAG_NOTE, (struct diag_at){ 0 },
                    "did you mean '-fno-%s'?", nearest.name);
}

int
cc_request_take(struct request *r, char **words, int n)
{
    const char *word = words[0];
    if (strncmp(word, "-save-temps", strlen("-save-temps")) == 0)
        return refuse_temps(word);
    int taken = take_own(r, word, n > 1 ? words[1] : NULL);
    if (!taken)
        taken = take_back_end(r, word);
    if (taken)
        return taken;
    if (word[0] == '-' && word[1]) {
        taken = (int)front_options_word(&r->arena, &r->options,
                                        (const char *const *)words, (size_t)n,
                                        &r->sink);
        if (!taken)
            suggest_optimisation(r, word);
        return taken ? taken : -1;
    }
    vec_push(&r->arena, &r->files, word);
    return 1;
}
