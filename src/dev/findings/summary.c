/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up all findings at the end, as text and as a file for other programs. */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "dev/error.h"
#include "dev/findings/findings.h"

static void
write_line(const struct finding *e, uint64_t count, FILE *out)
{
    fprintf(out, "%8" PRIu64 " %s", count, e->id);
    if (strcmp(e->kernel, "-") != 0)
        fprintf(out, " in kernel '%s'", e->kernel);
    if (e->host)
        fprintf(out, " (%s)", e->place);
    else if (e->here.file)
        fprintf(out, " (%s:%u)", e->here.file, e->here.line);
    fputc('\n', out);
}

static void
write_text(const struct findings *f, uint64_t different, uint64_t all,
           FILE *out)
{
    uint64_t suppressed = 0;
    fprintf(out,
            "ventus: %" PRIu64 " finding%s, made %" PRIu64
            " time%s, in %" PRIu64 " launch%s",
            different, text_plural(different), all, text_plural(all),
            f->launches, f->launches == 1 ? "" : "es");
    for (size_t i = 0; i < finding_total(f); i++)
        suppressed += finding_at(f, i) && finding_at(f, i)->suppressed;
    if (suppressed)
        fprintf(out, "; %" PRIu64 " suppressed", suppressed);
    fputc('\n', out);
    for (size_t i = 0; i < finding_total(f); i++) {
        const struct finding *e = finding_at(f, i);
        if (e && !e->suppressed)
            write_line(e, finding_count(f, i), out);
    }
    if (f->faults)
        fprintf(out, "%8" PRIu64 " launch%s ended by a fault\n", f->faults,
                f->faults == 1 ? "" : "es");
}

bool
ventus_dev_check_summary(struct ventus_dev *d, FILE *text)
{
    const struct findings *f = findings_of(d);
    uint64_t all, different = ventus_dev_check_found(d, &all);
    if (!f)
        return dev_fail("this device has no checks");
    write_text(f, different, all, text);
    if (ferror(text))
        return dev_fail("the findings cannot be written");
    return !f->incomplete || dev_fail_memory("all findings");
}

static void
put_findings(struct json *j, const struct ventus_dev *d)
{
    const struct findings *f = findings_of(d);
    for (size_t i = 0; f && i < finding_total(f); i++)
        if (finding_at(f, i))
            finding_json(finding_at(f, i), finding_count(f, i), j);
}

bool
ventus_dev_check_json(struct ventus_dev *const *device, unsigned n, FILE *out)
{
    struct json j = { .out = out };
    uint64_t different = 0, made = 0, launches = 0, faults = 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t all;
        different += ventus_dev_check_found(device[i], &all);
        made += all;
        const struct findings *f = findings_of(device[i]);
        launches += f ? f->launches : 0;
        faults += f ? f->faults : 0;
    }
    json_object(&j, NULL);
    json_number(&j, "findings", different);
    json_number(&j, "made", made);
    json_number(&j, "launches", launches);
    json_number(&j, "faults", faults);
    json_array(&j, "list");
    for (unsigned i = 0; i < n; i++)
        put_findings(&j, device[i]);
    json_end(&j);
    json_new_line(&j);
    json_end(&j);
    fputc('\n', out);
    return !ferror(out) || dev_fail("the findings cannot be written");
}
