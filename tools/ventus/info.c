/* SPDX-License-Identifier: Apache-2.0 */
/* ventus info: prints presets, and every setting of a device. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

#include "base/json.h"
#include "base/text.h"
#include "option_list.h"

enum { INI_WIDTH = 66, LISTING_WIDTH = 150 };

static const char help[] =
    "usage: ventus info [--config] [--device PRESET] [--json]\n"
    "       ventus info [--ini] PRESET\n"
    "\n"
    "Lists the presets of devices.  With --config it lists every setting, its\n"
    "value in a preset (`default` unless given) and its meaning.  A preset or\n"
    "ini file as the only argument is --config --device PRESET:\n"
    "\n"
    "  ventus info lanes8\n"
    "\n"
    "The list is an ini file, to start one's own machine from; with --ini it\n"
    "has no list of presets, and narrow comments:\n"
    "\n"
    "  ventus info --ini chisel > mine.ini\n"
    "  ventus exec --device mine.ini ...\n"
    "\n"
    "An ini file may begin with base = chisel, a preset or another ini file:\n"
    "it sets what differs.\n"
    "\n"
    "To change a setting use --set KEY=VALUE of `ventus exec`, or an ini file\n"
    "in place of a preset.\n"
    "\n";

/* Formats a value: 131072 as "128K", v1 of "v1 v2", yes. */
static void
print_value(char *out, size_t size, const struct ventus_dev_key *k, uint64_t v)
{
    if (k->type == VENTUS_DEV_KEY_BOOL) {
        snprintf(out, size, "%s", v ? "yes" : "no");
    } else if (k->type == VENTUS_DEV_KEY_CHOICE) {
        const char *word = k->choices;
        for (uint64_t i = k->min; i < v; i++)
            word = strchr(word, ' ') + 1;
        snprintf(out, size, "%.*s", (int)strcspn(word, " "), word);
    } else if (k->type == VENTUS_DEV_KEY_SIZE && v && v % (1 << 20) == 0) {
        snprintf(out, size, "%" PRIu64 "M", v >> 20);
    } else if (k->type == VENTUS_DEV_KEY_SIZE && v && v % (1 << 10) == 0) {
        snprintf(out, size, "%" PRIu64 "K", v >> 10);
    } else {
        snprintf(out, size, "%" PRIu64, v);
    }
}

/* Adds the range of a key: (cycles, 1 to 255); nothing for yes and no. */
static void
add_range(const struct ventus_dev_key *k, char *out, size_t size)
{
    char min[32], max[32];
    const char *comma = *k->unit ? ", " : "";
    if (k->type == VENTUS_DEV_KEY_CHOICE) {
        text_append(out, size, " (%s)", k->choices);
    } else if (k->type != VENTUS_DEV_KEY_BOOL && k->max == UINT64_MAX) {
        if (k->min)
            text_append(out, size, " (%s%sat least %" PRIu64 ")", k->unit,
                        comma, k->min);
        else if (*k->unit)
            text_append(out, size, " (%s)", k->unit);
    } else if (k->type != VENTUS_DEV_KEY_BOOL) {
        print_value(min, sizeof min, k, k->min);
        print_value(max, sizeof max, k, k->max);
        text_append(out, size, " (%s%s%s to %s%s)", k->unit, comma, min, max,
                    k->power_of_two ? ", a power of two" : "");
    }
}

/* Prints comment lines of at most `width`, each after "; ". */
static void
print_comment(const char *text, size_t width)
{
    size_t n;
    while ((n = strlen(text)) > width) {
        for (n = width; n && text[n] != ' '; n--)
            continue;
        if (!n)
            n = strcspn(text, " ");
        printf("; %.*s\n%31s", (int)n, text, "");
        text += n + (text[n] == ' ');
    }
    printf("; %s\n", text);
}

/* Prints the settings as an ini file, whose lines have a bounded length: comments of
 * `width`. */
static void
print_settings(const struct ventus_dev *d, size_t width)
{
    size_t n;
    const struct ventus_dev_key *k = ventus_dev_keys(&n);
    const char *section = "";
    for (size_t i = 0; i < n; i++) {
        char value[32], comment[1024];
        if (strcmp(section, k[i].section) != 0)
            printf("%s[%s]\n", i ? "\n" : "", k[i].section);
        section = k[i].section;
        print_value(value, sizeof value, &k[i],
                    ventus_dev_setting(d, k[i].name));
        snprintf(comment, sizeof comment, "%s", k[i].meaning);
        add_range(&k[i], comment, sizeof comment);
        printf("%-18s = %-9s ", k[i].name, value);
        print_comment(comment, width);
    }
    const struct ventus_dev_text_key *t = ventus_dev_text_keys(&n);
    for (size_t i = 0; i < n; i++) {
        const char *text = ventus_dev_text(d, t[i].name);
        if (!i)
            printf("\n[%s]\n", t[i].section);
        /* Without a text the line is a comment: an empty one is refused. */
        printf("%s%-*s = %-9s ", *text ? "" : "; ", *text ? 18 : 16, t[i].name,
               text);
        print_comment(t[i].meaning, width);
    }
}

/* Writes a value in the form of --set: a number, true or false, or a word of the
 * choices. */
static void
json_value(struct json *j, const char *name, const struct ventus_dev_key *k,
           uint64_t v)
{
    char word[32];
    if (k->type == VENTUS_DEV_KEY_BOOL) {
        json_bool(j, name, v);
    } else if (k->type == VENTUS_DEV_KEY_CHOICE) {
        print_value(word, sizeof word, k, v);
        json_string(j, name, word);
    } else {
        json_number(j, name, v);
    }
}

/* Writes the words of a choice, or the range of a number. */
static void
json_range(struct json *j, const struct ventus_dev_key *k)
{
    if (k->type == VENTUS_DEV_KEY_CHOICE) {
        json_array(j, "choices");
        for (uint64_t v = k->min; v <= k->max; v++)
            json_value(j, NULL, k, v);
        json_end(j);
    } else if (k->type != VENTUS_DEV_KEY_BOOL) {
        json_number(j, "min", k->min);
        json_number(j, "max", k->max);
    }
}

static void
print_json(const struct ventus_dev *d, char *const *presets)
{
    size_t n;
    const struct ventus_dev_key *k = ventus_dev_keys(&n);
    struct json j = { .out = stdout };
    json_object(&j, NULL);
    json_array(&j, "presets");
    for (size_t i = 0; presets && presets[i]; i++)
        json_string(&j, NULL, presets[i]);
    json_end(&j);
    json_array(&j, "settings");
    for (size_t i = 0; i < n; i++) {
        json_object(&j, NULL);
        json_string(&j, "section", k[i].section);
        json_string(&j, "name", k[i].name);
        json_string(&j, "unit", k[i].unit);
        json_range(&j, &k[i]);
        json_value(&j, "default", &k[i], k[i].fallback);
        json_value(&j, "value", &k[i], ventus_dev_setting(d, k[i].name));
        json_string(&j, "meaning", k[i].meaning);
        json_end(&j);
    }
    const struct ventus_dev_text_key *t = ventus_dev_text_keys(&n);
    for (size_t i = 0; i < n; i++) {
        json_object(&j, NULL);
        json_string(&j, "section", t[i].section);
        json_string(&j, "name", t[i].name);
        json_string(&j, "default", "");
        json_string(&j, "value", ventus_dev_text(d, t[i].name));
        json_string(&j, "meaning", t[i].meaning);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
    putchar('\n');
}

struct wanted {
    const char *device;
    bool config, json, ini;
};

static void
print_text(const struct wanted *w, const struct ventus_dev *d,
           char *const *presets, const char *folder)
{
    /* With the settings the output is an ini file, where this is a comment. */
    const char *mark = w->config ? "; " : "";
    if (folder && *folder)
        printf("%spresets in %.150s:\n", mark, folder);
    else
        printf("%spresets, built in:\n", mark);
    for (size_t i = 0; presets && presets[i]; i++)
        printf("%s  %s\n", mark, presets[i]);
    if (w->config) {
        putchar('\n');
        print_settings(d, LISTING_WIDTH);
    } else {
        printf("`ventus info --config` lists the settings\n");
    }
}

static int
print_info(const struct wanted *w)
{
    char *folder = NULL;
    struct ventus_dev *d =
        ventus_dev_open(&(struct ventus_dev_options){ .config = w->device });
    if (!d) {
        fprintf(stderr, "info: error: %s\n", ventus_dev_message());
        return 1;
    }
    char **presets = ventus_dev_presets(&folder);
    if (w->json)
        print_json(d, presets);
    else if (w->ini)
        print_settings(d, INI_WIDTH);
    else
        print_text(w, d, presets, folder);
    free(presets);
    free(folder);
    ventus_dev_close(d);
    return 0;
}

int
command_info(int argc, char **argv)
{
    struct wanted w = { .device = NULL };
    for (int c; (c = command_option(argc, argv, &options_info)) != -1;) {
        if (c == 'h')
            return command_help(help, &options_info, NULL);
        if (c == OPT_CONFIG)
            w.config = true;
        else if (c == OPT_DEVICE)
            w.device = optarg;
        else if (c == OPT_JSON)
            w.json = true;
        else if (c == OPT_INI)
            w.ini = true;
        else
            return command_usage("info");
    }
    if (!w.device && optind + 1 == argc) {
        w.device = argv[optind++];
        w.config = true;
    }
    if (optind != argc) {
        fprintf(stderr, "info: unexpected '%s', expected one preset at most\n",
                argv[argc - 1]);
        return command_usage("info");
    }
    if (w.ini && w.json) {
        fputs("info: --ini and --json exclude each other\n", stderr);
        return command_usage("info");
    }
    return print_info(&w);
}
