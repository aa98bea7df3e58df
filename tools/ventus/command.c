/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <ventus/isa.h>

int
command_help(const char *text)
{
    fputs(text, stdout);
    return 0;
}

int
command_end(int status)
{
    errno = 0; /* the stream may remember an error, and not which */
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
command_march(const char *text, unsigned *version)
{
    if (strcmp(text, "ventus1") == 0)
        *version = VENTUS_ISA_V1;
    else if (strcmp(text, "ventus2") == 0)
        *version = VENTUS_ISA_V2;
    else {
        fprintf(stderr, "-march: expected ventus1 or ventus2, found '%s'\n",
                text);
        return false;
    }
    return true;
}

static unsigned
smallest(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

unsigned
command_distance(const char *a, const char *b)
{
    enum { MOST = 31 };
    size_t m = strlen(a), n = strlen(b);
    unsigned row[MOST + 1];
    if (m > MOST || n > MOST)
        return MOST;
    for (unsigned j = 0; j <= n; j++)
        row[j] = j;
    for (unsigned i = 1; i <= m; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= n; j++) {
            unsigned above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1,
                              diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[n];
}

void
command_unknown(const char *what, const char *name, const char *near)
{
    fprintf(stderr, "unknown %s '%s'", what, name);
    if (near)
        fprintf(stderr, ", did you mean '%s'?", near);
    fputc('\n', stderr);
}
