/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/findings/suppress.h"

#include <fnmatch.h>
#include <string.h>

#include "base/file.h"
#include "base/spelling.h"
#include "sanitize/sanitize.h"

enum { WORDS = 3 };

/* The next word of a line, ended by a zero byte; NULL: there is none. */
static char *
next_word(char **line)
{
    static const char blank[] = " \t\r";
    char *word = *line + strspn(*line, blank);
    if (!*word || *word == '#')
        return NULL;
    char *end = word + strcspn(word, blank);
    *line = *end ? end + 1 : end;
    *end = 0;
    return word;
}

/*
 * The finding that a word is nearly the name of.  One that is near none may be of a
 * host program's own (ventus_dev_check_note).
 */
static const char *
misspelt(const char *word)
{
    static const char *const of_host[] = { "leak", "mapped-use", "failed-call",
                                           "map-overlap" };
    struct spelling nearest = { .word = word };
    if (strpbrk(word, "*?["))
        return NULL;
    for (unsigned i = 0; i < SANITIZE_WHATS; i++)
        spelling_offer(&nearest, sanitize_id((enum sanitize_what)i));
    for (size_t i = 0; i < sizeof of_host / sizeof *of_host; i++)
        spelling_offer(&nearest, of_host[i]);
    return nearest.name && nearest.edits ? nearest.name : NULL;
}

static bool
read_line(struct arena *a, struct suppress *s, char *line,
          const struct diag_at *at, struct diag_sink *sink)
{
    char *word[WORDS], *more;
    unsigned n = 0;
    while (n < WORDS && (word[n] = next_word(&line)))
        n++;
    if (!n)
        return true;
    more = n == WORDS ? next_word(&line) : NULL;
    if (n < WORDS || more) {
        diag_report(sink, DIAG_ERROR, *at,
                    "expected three patterns: finding, kernel, place; found "
                    "%s",
                    more ? "more" : "fewer");
        return false;
    }
    const char *meant = misspelt(word[0]);
    if (meant) {
        diag_report(sink, DIAG_ERROR, *at,
                    "expected the name of a finding, found '%s', did you mean "
                    "'%s'?",
                    word[0], meant);
        return false;
    }
    vec_push(a, &s->rule, (struct suppress_rule){ word[0], word[1], word[2] });
    return true;
}

bool
suppress_read(struct arena *a, struct suppress *s, const char *path,
              struct diag_sink *sink)
{
    size_t size;
    char *text = (char *)file_read(a, path, &size, sink);
    struct diag_at at = { .file = path };
    bool ok = text != NULL;
    while (text && *text) {
        char *end = text + strcspn(text, "\n");
        char *next = *end ? end + 1 : end;
        *end = 0;
        at.line++;
        ok &= read_line(a, s, text, &at, sink);
        text = next;
    }
    return ok;
}

bool
suppress_matches(const struct suppress *s, const char *what, const char *kernel,
                 const char *place)
{
    for (size_t i = 0; i < s->rule.n; i++) {
        const struct suppress_rule *r = &s->rule.at[i];
        if (fnmatch(r->what, what, 0) == 0 &&
            fnmatch(r->kernel, kernel, 0) == 0 &&
            fnmatch(r->place, place, 0) == 0)
            return true;
    }
    return false;
}
