/* SPDX-License-Identifier: Apache-2.0 */
/* Files, scopes and variables of the source, from LLVM's metadata. */
#include "cc/isel/debug.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cc/front/clang.h"
#include "cc/front/module.h"

/* ---- files ---- */

/* The text of a file, if the module has it (-gembed-source), without the prologue. */
static const char *
source_of(struct tr *t, LLVMMetadataRef file)
{
    unsigned n;
    const char *text = LLVMDIFileGetSource(file, &n);
    if (!text || !n)
        return NULL;
    char *copy = arena_strndup(t->m->arena, text, n), *end = NULL;
    if (strncmp(copy, FRONT_PROLOGUE, strlen(FRONT_PROLOGUE)) == 0)
        end = strstr(copy, FRONT_PROLOGUE_END);
    end = end ? strchr(end, '\n') : NULL;
    return end ? end + 1 : copy;
}

static const char *
full_path(struct tr *t, const struct cc_file *f)
{
    if (!f->dir || *f->name == '/')
        return f->name;
    return arena_printf(t->m->arena, "%s/%s", f->dir, f->name);
}

uint32_t
tr_file(struct tr *t, LLVMMetadataRef scope)
{
    LLVMMetadataRef of = scope ? LLVMDIScopeGetFile(scope) : NULL;
    void **known = map_put_number(t->m->arena, &t->debug_files, (uintptr_t)of);
    if (*known)
        return (uint32_t)(uintptr_t)*known - 1;
    unsigned n = 0, dn = 0;
    const char *name = of ? LLVMDIFileGetFilename(of, &n) : "";
    const char *dir = of ? LLVMDIFileGetDirectory(of, &dn) : NULL;
    const char *source = of ? source_of(t, of) : NULL;
    /* A source that the program carries is in no folder. */
    bool has_dir = dn && !source;
    struct cc_file file = { arena_strndup(t->m->arena, name, n),
                            has_dir ? arena_strndup(t->m->arena, dir, dn)
                                    : NULL,
                            source };
    const char *path = full_path(t, &file);
    uint32_t i = 0;
    while (i < t->m->files.n &&
           strcmp(full_path(t, &t->m->files.at[i]), path) != 0)
        i++;
    if (i == t->m->files.n)
        vec_push(t->m->arena, &t->m->files, file);
    *known = (void *)(uintptr_t)(i + 1);
    return i;
}

/* ---- scopes ---- */

/* Operands of LLVM's nodes. */
enum {
    SUBPROGRAM_TYPE = 4,
    SUBROUTINE_TYPES = 3,
    BLOCK_SCOPE = 1,
    VARIABLE_SCOPE = 0,
    VARIABLE_NAME = 1,
    VARIABLE_TYPE = 3
};

static struct cc_debug_function *
function_of(struct tr *t, LLVMMetadataRef subprogram)
{
    void **at =
        map_put_number(t->m->arena, &t->debug_functions, (uintptr_t)subprogram);
    if (*at)
        return *at;
    struct cc_debug_function *f =
        arena_new(t->m->arena, struct cc_debug_function, 1);
    *at = f;
    const char *name = tr_node_string(t, subprogram, 2);
    f->name = name ? name : "";
    f->file = tr_file(t, subprogram);
    f->line = LLVMDISubprogramGetLine(subprogram);
    f->is_external =
        !strstr(tr_node_text(t, subprogram), "DISPFlagLocalToUnit");
    LLVMMetadataRef type = tr_node(t, subprogram, SUBPROGRAM_TYPE);
    LLVMMetadataRef types = type ? tr_node(t, type, SUBROUTINE_TYPES) : NULL;
    LLVMMetadataRef result = types ? tr_node(t, types, 0) : NULL;
    f->type = tr_debug_type(t, result);
    return f;
}

/* A number, for a pair of nodes; *at is 0 if it is new. */
static uint32_t *
number_of(struct tr *t, struct map *map, LLVMMetadataRef a, LLVMMetadataRef b)
{
    const void *key[2] = { a, b };
    void **at = map_put(t->m->arena, map, (const char *)key, sizeof key);
    if (!*at)
        *at = arena_new(t->m->arena, uint32_t, 1);
    return *at;
}

uint32_t
tr_debug_scope(struct tr *t, LLVMMetadataRef scope, LLVMMetadataRef at)
{
    struct cc_debug *d = t->m->debug;
    LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
    if (kind == LLVMDILexicalBlockFileMetadataKind)
        return tr_debug_scope(t, tr_node(t, scope, BLOCK_SCOPE), at);
    uint32_t *number = number_of(t, &t->debug_scopes, scope, at);
    if (*number)
        return *number;
    struct cc_debug_scope s = { .kind = CC_SCOPE_BLOCK };
    if (kind == LLVMDILexicalBlockMetadataKind) {
        s.parent = tr_debug_scope(t, tr_node(t, scope, BLOCK_SCOPE), at);
    } else if (kind != LLVMDISubprogramMetadataKind) {
        return 0;
    } else if (at) {
        LLVMMetadataRef from = LLVMDILocationGetScope(at);
        s.kind = CC_SCOPE_INLINED;
        s.parent = tr_debug_scope(t, from, LLVMDILocationGetInlinedAt(at));
        s.file = tr_file(t, from);
        s.line = LLVMDILocationGetLine(at);
        s.column = LLVMDILocationGetColumn(at);
    } else {
        s.kind = CC_SCOPE_FUNCTION;
    }
    if (s.kind != CC_SCOPE_BLOCK)
        s.function = function_of(t, scope);
    *number = (uint32_t)d->scopes.n;
    vec_push(t->m->arena, &d->scopes, s);
    return *number;
}

/* ---- variables ---- */

LLVMMetadataRef
tr_debug_type_of(struct tr *t, LLVMMetadataRef variable)
{
    return tr_node(t, variable, VARIABLE_TYPE);
}

uint32_t
tr_debug_variable(struct tr *t, LLVMMetadataRef variable, LLVMMetadataRef at)
{
    uint32_t *number = number_of(t, &t->debug_variables, variable, at);
    if (*number)
        return *number;
    LLVMMetadataRef type = tr_debug_type_of(t, variable);
    const char *name = tr_node_string(t, variable, VARIABLE_NAME);
    struct cc_debug_variable v = {
        .name = name ? name : "",
        .file = tr_file(t, LLVMDIVariableGetFile(variable)),
        .line = LLVMDIVariableGetLine(variable),
        .scope = tr_debug_scope(t, tr_node(t, variable, VARIABLE_SCOPE), at),
        .type = tr_debug_type(t, type),
        .size_B = tr_debug_size(t, type),
        .arg =
            (unsigned)tr_text_number(tr_node_text(t, variable), ", arg: ", 0),
    };
    *number = (uint32_t)t->m->debug->variables.n;
    vec_push(t->m->arena, &t->m->debug->variables, v);
    return *number;
}

/* The DIGlobalVariable of a global; NULL: it has none. */
static LLVMMetadataRef
variable_of(struct tr *t, LLVMValueRef global)
{
    size_t n;
    LLVMMetadataRef found = NULL;
    unsigned kind = LLVMGetMDKindIDInContext(t->context, "dbg", 3);
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
    for (unsigned i = 0; i < n; i++)
        if (LLVMValueMetadataEntriesGetKind(all, i) == kind)
            found = LLVMDIGlobalVariableExpressionGetVariable(
                LLVMValueMetadataEntriesGetMetadata(all, i));
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

/* Adds a variable of the module.  Each kernel has its own local memory; constants are
 * common to all. */
static void
add_global(struct tr *t, const struct tr_global *g)
{
    LLVMMetadataRef node = variable_of(t, g->of);
    bool local = g->space == IR_SPACE_LOCAL;
    uint32_t *number =
        node ? number_of(t, &t->debug_variables, node, NULL) : NULL;
    if (!node || (*number && !local))
        return;
    const char *name = tr_node_string(t, node, VARIABLE_NAME);
    LLVMMetadataRef type = tr_debug_type_of(t, node);
    struct cc_debug_variable v = {
        .name = name ? name : "",
        .file = tr_file(t, LLVMDIVariableGetFile(node)),
        .line = LLVMDIVariableGetLine(node),
        .scope = local ? t->f->scope : 0,
        .type = tr_debug_type(t, type),
        .size_B = tr_debug_size(t, type),
        .has_address = local,
        .address = CC_DEBUG_LOCAL + g->offset,
        .symbol = g->symbol,
    };
    *number = (uint32_t)t->m->debug->variables.n;
    vec_push(t->m->arena, &t->m->debug->variables, v);
}

void
tr_debug_globals(struct tr *t)
{
    for (size_t i = 0; t->m->debug && i < t->globals.n; i++)
        add_global(t, t->globals.entry[i].value);
}

/* ---- for other files ---- */

bool
tr_is_debug_record(LLVMValueRef insn)
{
    LLVMValueRef callee = front_callee(insn);
    size_t n;
    return callee &&
           strncmp(LLVMGetValueName2(callee, &n), "llvm.dbg.", 9) == 0;
}

void
tr_set_line(struct tr *t, LLVMValueRef in)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(in);
    unsigned line = at ? LLVMDILocationGetLine(at) : 0;
    if (!line)
        return;
    LLVMMetadataRef scope = LLVMDILocationGetScope(at);
    t->line = line;
    t->column = LLVMDILocationGetColumn(at);
    t->file = tr_file(t, scope);
    if (t->m->debug)
        t->scope = tr_debug_scope(t, scope, LLVMDILocationGetInlinedAt(at));
}

/*
 * The texts of variables and expressions.  LLVM numbers the nodes of the whole
 * module each time that it prints one that an instruction names; so they are
 * printed while records are none.
 */
static void
read_texts(struct tr *t, LLVMModuleRef module)
{
    vec(LLVMMetadataRef) nodes = { 0 };
    struct map seen = { 0 };
    LLVMSetIsNewDbgInfoFormat(module, false);
    front_foreach_function(f, module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        /* of a variable: its value or place, itself, an expression; of a label: it */
        unsigned n = tr_is_debug_record(i) ? LLVMGetNumArgOperands(i) : 0;
        for (unsigned k = 1; k < 3 && k < n; k++) {
            LLVMMetadataRef node = LLVMValueAsMetadata(LLVMGetOperand(i, k));
            void **at = map_put_number(t->m->arena, &seen, (uintptr_t)node);
            if (!*at)
                vec_push(t->m->arena, &nodes, node);
            *at = node;
        }
    }
    LLVMSetIsNewDbgInfoFormat(module, true);
    for (size_t i = 0; i < nodes.n; i++)
        tr_node_text(t, nodes.at[i]);
}

void
tr_debug_begin(struct tr *t, LLVMModuleRef module)
{
    if (!t->m->options->debug)
        return;
    read_texts(t, module);
    LLVMSetIsNewDbgInfoFormat(module, false); /* records as instructions */
    struct cc_debug *d = arena_new(t->m->arena, struct cc_debug, 1);
    vec_push(t->m->arena, &d->scopes, ((struct cc_debug_scope){ 0 }));
    vec_push(t->m->arena, &d->variables, ((struct cc_debug_variable){ 0 }));
    t->m->debug = d;
    tr_debug_read_lists(t, module);
}

/* The function itself, for what has no line. */
void
tr_debug_function(struct tr *t, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    bool described = t->m->debug && subprogram;
    t->scope = described ? tr_debug_scope(t, subprogram, NULL) : 0;
    t->f->scope = t->scope;
    if (!subprogram)
        return;
    t->f->line = LLVMDISubprogramGetLine(subprogram);
    t->f->file = tr_file(t, subprogram);
}
