/* SPDX-License-Identifier: Apache-2.0 */
/* A parser that only verifies JSON. */
#include "dbg/json_check.h"

#include "base/json_read.h"

bool
json_check_lines(const char *file, const char *text, struct diag_sink *sink)
{
    struct diag_at at = { .file = file };
    while (*text) {
        struct json_reader r = { .one_line = true, .at = text };
        at.line++;
        while (*r.at == ' ' || *r.at == '\t' || *r.at == '\r')
            r.at++;
        if (*r.at != '\n' && *r.at) {
            bool ok = json_read(&r);
            if (!ok || (*r.at && *r.at != '\n')) {
                at.col = (unsigned)(r.at - text) + 1;
                diag_report(sink, DIAG_ERROR, at,
                            "not JSON: expected %s, found '%.*s'",
                            r.expected ? r.expected : "the end of the line",
                            *r.at && *r.at != '\n' ? 1 : 0, r.at);
                return false;
            }
        }
        text = *r.at ? r.at + 1 : r.at;
    }
    return true;
}
