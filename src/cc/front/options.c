/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/front/options.h"

#include <ctype.h>
#include <string.h>

#include "base/spelling.h"
#include "cc/compile.h"

enum effect {
    FOR_CLANG,
    IGNORED,
    FAST_MATH,
    UNIFORM,
    NO_FP64,
    DEBUG,
    EMBED,
    CHECK_BOUNDS,
    CHECK_INIT,
    CHECK_RACE,
    LEVEL
};

struct option {
    const char *name;
    enum effect effect;
    unsigned level;
};

static const struct option options[] = {
    { "-w", FOR_CLANG, 0 },
    { "-Werror", FOR_CLANG, 0 },
    { "-cl-single-precision-constant", FOR_CLANG, 0 },
    { "-cl-fp32-correctly-rounded-divide-sqrt", FOR_CLANG, 0 },
    { "-cl-mad-enable", FOR_CLANG, 0 },
    { "-cl-no-signed-zeros", FOR_CLANG, 0 },
    { "-cl-unsafe-math-optimizations", FOR_CLANG, 0 },
    { "-cl-finite-math-only", FOR_CLANG, 0 },
    { "-cl-fast-relaxed-math", FAST_MATH, 0 },
    { "-cl-uniform-work-group-size", UNIFORM, 0 },
    { "-cl-strict-aliasing", IGNORED, 0 }, /* always */
    { "-cl-kernel-arg-info", IGNORED, 0 }, /* always */
    { "-cl-no-subgroup-ifp", IGNORED, 0 },
    { "-cl-denorms-are-zero", IGNORED, 0 }, /* a hint */
    { "-cl-opt-disable", LEVEL, 0 },
    { "-g", DEBUG, 0 },
    { "-gembed-source", EMBED, 0 },
    { "-O", LEVEL, 2 },
    { "-O0", LEVEL, 0 },
    { "-O1", LEVEL, 1 },
    { "-O2", LEVEL, 2 },
    { "-O3", LEVEL, 2 },
    { "-O4", LEVEL, 2 },
    { "-O5", LEVEL, 2 },
    { "-Os", LEVEL, 1 },
    { "-fno-fp64", NO_FP64, 0 },           /* ours */
    { "-fcheck-bounds", CHECK_BOUNDS, 0 }, /* ours */
    { "-fcheck-init", CHECK_INIT, 0 },     /* ours */
    { "-fcheck-race", CHECK_RACE, 0 },     /* ours */
};

/* The beginnings of options of NVIDIA's, AMD's, Intel's and Arm's compilers. */
static const char *const foreign[] = {
    "-cl-nv-",  "-nv-",      "-cl-amd-",    "-amd-",
    "-fbin-",   "-fno-bin-", "-cl-intel-",  "-save-temps",
    "-cl-arm-", "-qcom-",    "-cl-poclbin", "-fno-unroll",
};

struct front_options
front_options_default(void)
{
    return (struct front_options){ .optimise = 2, .std = 120 };
}

static void
report_option(struct diag_sink *sink, const char *what, const char *word)
{
    diag_report(sink, DIAG_ERROR, (struct diag_at){ 0 },
                "build options: %s '%s'", what, word);
}

static bool
starts_with(const char *s, const char *start)
{
    return strncmp(s, start, strlen(start)) == 0;
}

static void
for_clang(struct arena *a, struct front_options *o, const char *word)
{
    vec_push(a, &o->words, arena_strndup(a, word, strlen(word)));
}

static bool
take_std(struct front_options *o, const char *word, struct diag_sink *sink)
{
    static const struct {
        const char *name;
        unsigned std;
    } stds[] = { { "CL1.0", 100 }, { "CL", 100 },    { "CL1.1", 110 },
                 { "CL1.2", 120 }, { "CL2.0", 200 }, { "CL3.0", 300 },
                 { "CL3.1", 310 } };
    for (unsigned i = 0; i < sizeof stds / sizeof *stds; i++)
        if (strcmp(word + strlen("-cl-std="), stds[i].name) == 0) {
            o->std = stds[i].std;
            return true;
        }
    report_option(sink,
                  "expected CL1.0, CL1.1, CL1.2, CL2.0, CL3.0 or CL3.1, found",
                  word);
    return false;
}

const char *
front_options_path(struct arena *a, const char *path)
{
    bool special = *path == '-' || *path == '@';
    return special ? arena_printf(a, "./%s", path) : path;
}

/* Whether the word is an option about clang's warnings; no other group begins so. */
static bool
is_warning(const char *word)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                               "UVWXYZ0123456789+-_=";
    const char *text = word + 2;
    return starts_with(word, "-W") && isalpha((unsigned char)*text) &&
           !text[strspn(text, name)];
}

static bool
is_macro(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return *text == 0 || *text == '=' || *text == '(';
}

/* -D, -U and -I, with their argument in the same word or the next. */
static size_t
take_argument(struct arena *a, struct front_options *o,
              const char *const *words, size_t n, struct diag_sink *sink)
{
    bool joined = words[0][2] != 0;
    if (!joined && n < 2) {
        report_option(sink, "nothing after", words[0]);
        return 0;
    }
    const char *argument = joined ? words[0] + 2 : words[1];
    if (words[0][1] != 'I' && !is_macro(argument)) {
        report_option(sink, "expected the name of a macro, found", argument);
        return 0;
    }
    if (words[0][1] == 'I' && !*argument) {
        report_option(sink, "expected a folder, found", argument);
        return 0;
    }
    if (words[0][1] == 'I')
        argument = front_options_path(a, argument);
    if (words[0][1] == 'U' && strpbrk(argument, "=(")) {
        report_option(sink, "expected the name of a macro only, found",
                      argument);
        return 0;
    }
    vec_push(a, &o->words, arena_printf(a, "-%c%s", words[0][1], argument));
    return joined ? 1 : 2;
}

static void
apply_option(struct arena *a, struct front_options *o,
             const struct option *option)
{
    switch (option->effect) {
    case FAST_MATH:
        o->fast_math = true;
        for_clang(a, o, option->name);
        return;
    case FOR_CLANG:
        for_clang(a, o, option->name);
        return;
    case UNIFORM:
        o->uniform_groups = true;
        for_clang(a, o, option->name); /* it says so of each kernel */
        return;
    case NO_FP64:
        o->no_fp64 = true;
        return;
    case DEBUG:
        o->debug = true;
        return;
    case EMBED:
        o->embed_source = true;
        return;
    case CHECK_BOUNDS:
        o->check_bounds = true;
        return;
    case CHECK_INIT:
        o->check_init = true;
        return;
    case CHECK_RACE:
        o->check_race = true;
        return;
    case LEVEL:
        o->optimise = option->level;
        return;
    case IGNORED:
        return;
    }
}

/* -WNAME or -Wno-NAME of a warning of the back end. */
static bool
take_warning(struct front_options *o, const char *word)
{
    static const struct {
        const char *name;
        unsigned bit;
    } warnings[] = {
#define X(id, bit, name) { name, CC_WARN_##id },
        CC_WARNING_LIST(X)
#undef X
    };
    bool no = starts_with(word, "-Wno-");
    for (unsigned i = 0; i < sizeof warnings / sizeof *warnings; i++)
        if (strcmp(word + (no ? 5 : 2), warnings[i].name) == 0) {
            o->no_warn &= ~warnings[i].bit;
            o->no_warn |= no ? warnings[i].bit : 0;
            return true;
        }
    return false;
}

size_t
front_options_word(struct arena *a, struct front_options *o,
                   const char *const *words, size_t n, struct diag_sink *sink)
{
    const char *word = words[0];
    if (starts_with(word, "-D") || starts_with(word, "-U") ||
        starts_with(word, "-I"))
        return take_argument(a, o, words, n, sink);
    if (starts_with(word, "-cl-std="))
        return take_std(o, word, sink);
    if (starts_with(word, "-W") && take_warning(o, word))
        return 1;
    if (strcmp(word, "-w") == 0)
        o->no_warn = CC_WARN_ALL;
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(word, options[i].name) == 0) {
            apply_option(a, o, &options[i]);
            return 1;
        }
    for (unsigned i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (starts_with(word, foreign[i]))
            return 1;
    if (is_warning(word)) {
        for_clang(a, o, word);
        return 1;
    }
    report_option(sink, "unknown option", word);
    struct spelling nearest = { .word = word };
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
        spelling_offer(&nearest, options[i].name);
    if (strncmp(word, "-O", 2) == 0)
        diag_report(sink, DIAG_NOTE, (struct diag_at){ 0 },
                    "expected -O0, -O1 or -O2");
    else if (nearest.name)
        diag_report(sink, DIAG_NOTE, (struct diag_at){ 0 },
                    "did you mean '%s'?", nearest.name);
    if (strcmp(word, "-c") == 0)
        diag_report(sink, DIAG_NOTE, (struct diag_at){ 0 },
                    "an object is `--emit o`");
    return 0;
}

/* The word at *text, quotes removed, goes to *room, which is moved past its zero byte;
 * NULL at the end. */
static const char *
next_word(char **room, const char **text, bool *open)
{
    const char *s = *text;
    while (isspace((unsigned char)*s))
        s++;
    if (!*s)
        return NULL;
    char *word = *room, *to = word;
    char quote = 0;
    for (; *s && (quote || !isspace((unsigned char)*s)); s++) {
        if (*s == '\\' && s[1] && strchr("\\\"' ", s[1]))
            *to++ = *++s;
        else if (quote ? *s == quote : *s == '"' || *s == '\'')
            quote = quote ? 0 : *s;
        else
            *to++ = *s;
    }
    *to++ = 0;
    *open = quote != 0;
    *room = to;
    *text = s;
    return word;
}

bool
front_options_text(struct arena *a, struct front_options *o, const char *text,
                   struct diag_sink *sink)
{
    vec(const char *) words = { 0 };
    const char *word;
    bool open = false;
    /* a word and its zero byte are as long as the word and the space after it */
    char *room = arena_new(a, char, strlen(text) + 1);
    while ((word = next_word(&room, &text, &open)))
        vec_push(a, &words, word);
    if (open) {
        report_option(sink, "a quote is not closed in", words.at[words.n - 1]);
        return false;
    }
    for (size_t i = 0; i < words.n;) {
        size_t taken =
            front_options_word(a, o, words.at + i, words.n - i, sink);
        if (!taken)
            return false;
        i += taken;
    }
    return true;
}
