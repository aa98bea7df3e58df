/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as SARIF 2.1.0, which editors and code hosts show at their lines. */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "dev/error.h"
#include "dev/findings/findings.h"
#include "dev/findings/sarif.h"

#define SCHEMA                                                            \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/" \
    "sarif-schema-2.1.0.json"

/* The finding whose kind is described; a kind is described once. */
struct rules {
    const struct finding *of[64];
    unsigned n;
};

static unsigned
rule_of(const struct rules *r, const struct finding *f)
{
    unsigned i = 0;
    while (i < r->n && strcmp(r->of[i]->id, f->id) != 0)
        i++;
    return i;
}

static void
collect(struct rules *r, const struct ventus_dev *d)
{
    const struct findings *f = findings_of(d);
    for (size_t i = 0; f && i < finding_total(f); i++) {
        const struct finding *e = finding_at(f, i);
        if (e && rule_of(r, e) == r->n && r->n < 64)
            r->of[r->n++] = e;
    }
}

static void
put_text(struct json *j, const char *name, const char *text)
{
    json_object(j, name);
    json_string(j, "text", text);
    json_end(j);
}

static void
put_rules(struct json *j, const struct rules *r)
{
    json_array(j, "rules");
    for (unsigned i = 0; i < r->n; i++) {
        json_object(j, NULL);
        json_string(j, "id", r->of[i]->id);
        put_text(j, "shortDescription",
                 r->of[i]->host ? r->of[i]->id : r->of[i]->text);
        json_end(j);
    }
    json_end(j);
}

/* A URI has no blanks and the like. */
static const char *
uri_of(const char *file, char *to, size_t size)
{
    static const char plain[] = "-._~/";
    size_t n = 0;
    for (; *file && n + 4 < size; file++) {
        unsigned char c = (unsigned char)*file;
        bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (letter || (c >= '0' && c <= '9') || strchr(plain, c))
            to[n++] = (char)c;
        else
            n += (size_t)snprintf(to + n, size - n, "%%%02X", c);
    }
    to[n] = 0;
    return to;
}

/* Members of the object under way; without a file none. */
static void
put_place(struct json *j, const char *file, unsigned line, const char *source)
{
    char uri[512];
    if (!file)
        return;
    json_object(j, "physicalLocation");
    json_object(j, "artifactLocation");
    json_string(j, "uri", uri_of(file, uri, sizeof uri));
    json_end(j);
    if (line) {
        json_object(j, "region");
        json_number(j, "startLine", line);
        if (source && *source)
            put_text(j, "snippet", source);
        json_end(j);
    }
    json_end(j);
}

static void
put_names(struct json *j, const struct finding *f, const struct finding_side *s)
{
    json_array(j, "logicalLocations");
    json_object(j, NULL);
    json_string(j, "name", f->kernel);
    json_string(j, "kind", "function");
    if (s->symbol)
        json_string(j, "fullyQualifiedName", s->symbol);
    json_end(j);
    json_end(j);
}

static void
put_location(struct json *j, const struct finding *f,
             const struct finding_side *s, const char *message)
{
    json_object(j, NULL);
    put_place(j, s->file, s->line, s->source);
    put_names(j, f, s);
    if (message)
        put_text(j, "message", message);
    json_end(j);
}

/* "write by work-item (1,0,0) of work-group (0,0,0)" */
static void
describe_finding(const struct finding_side *s, char *text, size_t size)
{
    if (s->has_item)
        snprintf(text, size,
                 "%s by work-item (%" PRIu64 ",%" PRIu64 ",%" PRIu64
                 ") of work-group (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")",
                 s->access, s->item[0], s->item[1], s->item[2], s->group[0],
                 s->group[1], s->group[2]);
    else if (s->idle)
        snprintf(text, size,
                 "%s by lane %d of warp %u, which has no work-item (all_lanes "
                 "= yes)",
                 s->access, s->lane, s->warp);
    else
        snprintf(text, size, "%s by warp %u", s->access, s->warp);
}

static void
put_stack(struct json *j, const struct finding *f)
{
    if (!f->here.calls)
        return;
    json_array(j, "stacks");
    json_object(j, NULL);
    json_array(j, "frames");
    for (size_t i = 0; i <= f->here.calls; i++) {
        const struct finding_call *c = i ? &f->here.call[i - 1] : NULL;
        json_object(j, NULL);
        json_object(j, "location");
        put_place(j, c ? c->file : f->here.file, c ? c->line : f->here.line,
                  c ? c->source : f->here.source);
        put_text(j, "message",
                 i < f->here.calls ? f->here.call[i].function : f->kernel);
        json_end(j);
        json_end(j);
    }
    json_end(j);
    json_end(j);
    json_end(j);
}

static void
put_message(struct json *j, const struct finding *f)
{
    char text[1024], here[256] = "";
    if (!f->host)
        describe_finding(&f->here, here, sizeof here);
    if (f->host)
        snprintf(text, sizeof text, "%s", f->text);
    else
        snprintf(text, sizeof text, "%s in kernel '%s'%s%s; %s%s%s", f->text,
                 f->kernel, *f->where ? ": " : "", f->where, here,
                 f->note ? "; " : "", f->note ? f->note : "");
    put_text(j, "message", text);
}

static void
put_result(struct json *j, const struct rules *r, const struct finding *f,
           uint64_t count)
{
    char text[256];
    json_new_line(j);
    json_object(j, NULL);
    json_string(j, "ruleId", f->id);
    json_number(j, "ruleIndex", rule_of(r, f));
    json_string(j, "level", "error");
    put_message(j, f);
    json_number(j, "occurrenceCount", count < INT32_MAX ? count : INT32_MAX);
    if (!f->host) {
        json_array(j, "locations");
        put_location(j, f, &f->here, NULL);
        json_end(j);
    }
    if (f->has_other) {
        describe_finding(&f->other, text, sizeof text);
        json_array(j, "relatedLocations");
        put_location(j, f, &f->other, text);
        json_end(j);
    }
    put_stack(j, f);
    if (f->suppressed) {
        json_array(j, "suppressions");
        json_object(j, NULL);
        json_string(j, "kind", "external");
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

bool
sarif_write(struct ventus_dev *const *device, unsigned n, FILE *out)
{
    struct json j = { .out = out };
    struct rules rules = { .n = 0 };
    for (unsigned i = 0; i < n; i++) {
        ventus_dev_check_found(device[i], NULL); /* waits for its launches */
        collect(&rules, device[i]);
    }
    json_object(&j, NULL);
    json_string(&j, "$schema", SCHEMA);
    json_string(&j, "version", "2.1.0");
    json_array(&j, "runs");
    json_object(&j, NULL);
    json_object(&j, "tool");
    json_object(&j, "driver");
    json_string(&j, "name", "ventus");
    put_rules(&j, &rules);
    json_end(&j);
    json_end(&j);
    json_array(&j, "results");
    for (unsigned i = 0; i < n; i++) {
        const struct findings *f = findings_of(device[i]);
        for (size_t k = 0; f && k < finding_total(f); k++)
            if (finding_at(f, k))
                put_result(&j, &rules, finding_at(f, k), finding_count(f, k));
    }
    json_end(&j);
    json_end(&j);
    json_end(&j);
    json_end(&j);
    fputc('\n', out);
    return !ferror(out) || dev_fail("the findings cannot be written");
}
