/* SPDX-License-Identifier: Apache-2.0 */
/* The call site of an entry: the first return address on the stack that belongs
 * neither to this library nor to the loader.  Its function and line come from the
 * symbols and the debug information of the file that contains it, which is read once. */
#define _GNU_SOURCE /* dladdr */
#include "cl/checks/call_site.h"

#include <assert.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/oom.h"
#include "cl/api.h"
#include "obj/dwarf.h"
#include "obj/elf.h"

enum { MAX_FRAMES = 32, MAX_FILES = 8, MAX_FILE_B = 1 << 26 };

/* A file of the program; its tables are empty if it cannot be read. */
struct program_file {
    char path[512];
    struct arena arena;
    struct elf elf;
    struct dwarf_lines lines;
};

static struct {
    pthread_mutex_t lock;
    struct program_file *file[MAX_FILES];
    unsigned n;
} files = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void
read_file(void *ctx)
{
    struct program_file *f = ctx;
    struct diag_sink sink = { .arena = &f->arena };
    struct stat s;
    size_t size;
    if (stat(f->path, &s) != 0 || s.st_size > MAX_FILE_B)
        return;
    const uint8_t *image = file_read(&f->arena, f->path, &size, &sink);
    if (!image || !elf_read(&f->arena, f->path, image, size, &f->elf, &sink))
        f->elf = (struct elf){ 0 };
    else if (!dwarf_line_read(&f->arena, &f->elf, &f->lines, &sink))
        f->lines = (struct dwarf_lines){ 0 };
}

/* Finds or adds a file; NULL: the table is full.  The lock is held. */
static struct program_file *
find_file(const char *path)
{
    for (unsigned i = 0; i < files.n; i++)
        if (strcmp(files.file[i]->path, path) == 0)
            return files.file[i];
    if (files.n == MAX_FILES)
        return NULL;
    struct program_file *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    snprintf(f->path, sizeof f->path, "%s", path);
    if (!oom_call(read_file, f)) {
        f->elf = (struct elf){ 0 };
        f->lines = (struct dwarf_lines){ 0 };
    }
    return files.file[files.n++] = f;
}

/* The difference between the addresses in memory and those in the file. */
static uint64_t
bias_of(const struct elf *elf, const void *base)
{
    enum { PAGE = 4096 };
    uint64_t lowest = UINT64_MAX;
    for (size_t i = 0; i < elf->n_segments; i++)
        if (elf->segment[i].type == ELF_PT_LOAD &&
            elf->segment[i].vaddr < lowest)
            lowest = elf->segment[i].vaddr;
    return (uintptr_t)base - lowest / PAGE * PAGE;
}

static const char *
function_at(const struct elf *elf, uint64_t address)
{
    for (size_t i = 0; i < elf->n_symbols; i++) {
        const struct elf_symbol *s = &elf->symbol[i];
        if (s->type == ELF_STT_FUNC && address - s->value < s->size)
            return s->name;
    }
    return NULL;
}

static const char *
without_folders(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Describes an address; the lock is held. */
static void
describe_place(const Dl_info *at, const void *pc, char *text, size_t capacity)
{
    const struct program_file *f = find_file(at->dli_fname);
    const char *function = at->dli_sname, *name = "";
    const struct dwarf_row *row = NULL;
    if (f && f->elf.n_segments) {
        /* The call instruction ends before the return address. */
        uint64_t address = (uintptr_t)pc - 1 - bias_of(&f->elf, at->dli_fbase);
        const char *known = function_at(&f->elf, address);
        function = known ? known : function;
        row = dwarf_line_find(&f->lines, 0, address);
        if (row)
            name = f->lines.file[row->file].name;
    }
    size_t n = 0;
    if (function)
        n = (size_t)snprintf(text, capacity, ", in %s", function);
    if (row && n < capacity)
        n += (size_t)snprintf(text + n, capacity - n, " (%s:%u)",
                              without_folders(name), row->line);
    if (n < capacity)
        snprintf(text + n, capacity - n, "%s%s", function ? " of " : ", in ",
                 without_folders(at->dli_fname));
}

/* The caller's return address; NULL: not found.  backtrace() of a build with
 * AddressSanitizer has a frame of its own first. */
static void *
find_caller(Dl_info *at)
{
    void *frame[MAX_FRAMES];
    Dl_info own;
    int n = backtrace(frame, MAX_FRAMES);
    if (!dladdr((const void *)(uintptr_t)find_file, &own))
        return NULL;
    bool inside = false;
    for (int i = 0; i < n; i++) {
        if (!dladdr(frame[i], at) || !at->dli_fname)
            continue;
        bool is_own = at->dli_fbase == own.dli_fbase;
        inside |= is_own;
        if (inside && !is_own &&
            strncmp(without_folders(at->dli_fname), "libOpenCL.", 10) != 0)
            return frame[i];
    }
    return NULL;
}

static const char *
ordinal_ending(unsigned n)
{
    static const char *const endings[] = { "th", "st", "nd", "rd" };
    bool teen = n / 10 % 10 == 1;
    return n % 10 < 4 && !teen ? endings[n % 10] : "th";
}

void *
call_site_address(void)
{
    Dl_info at;
    return find_caller(&at);
}

void
call_site_of_address(void *caller, char *text, size_t capacity)
{
    Dl_info at;
    *text = 0;
    if (!caller || !dladdr(caller, &at) || !at.dli_fname)
        return;
    pthread_mutex_lock(&files.lock);
    describe_place(&at, caller, text, capacity);
    pthread_mutex_unlock(&files.lock);
}

void
call_site_current(char *text, size_t capacity)
{
    call_site_of_address(call_site_address(), text, capacity);
}

char *
call_site_describe(const char *call, unsigned *count)
{
    char place[512], text[640];
    if (!cl_env("VENTUS_CHECK"))
        return NULL;
    call_site_current(place, sizeof place);
    pthread_mutex_lock(&files.lock);
    unsigned number = ++*count;
    pthread_mutex_unlock(&files.lock);
    snprintf(text, sizeof text, "the %u%s %s%s", number, ordinal_ending(number),
             call, place);
    return strdup(text);
}

char *
call_site_copy(void)
{
    char place[512];
    if (!cl_env("VENTUS_CHECK"))
        return NULL;
    call_site_current(place, sizeof place);
    return strdup(place);
}
