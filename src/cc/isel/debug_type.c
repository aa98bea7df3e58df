/* SPDX-License-Identifier: Apache-2.0 */
/* Types of the source, from LLVM's metadata to entries of the unit. */
#include <string.h>

#include "cc/isel/debug.h"

enum { DERIVED_BASE = 3, COMPOSITE_ELEMENTS = 4 };

uint32_t
tr_debug_size(struct tr *t, LLVMMetadataRef type)
{
    while (type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind &&
           !LLVMDITypeGetSizeInBits(type))
        type = tr_node(t, type, DERIVED_BASE);
    return type ? (uint32_t)(LLVMDITypeGetSizeInBits(type) / 8) : 0;
}

static void
put_base_type(struct tr *t, LLVMMetadataRef type, struct dwarf_die *d)
{
    static const struct {
        const char *name;
        unsigned encoding; /* DWARF 5, 7.8 */
    } encodings[] = {
        { "DW_ATE_boolean", 2 },       { "DW_ATE_float", 4 },
        { "DW_ATE_signed_char", 6 },   { "DW_ATE_signed", 5 },
        { "DW_ATE_unsigned_char", 8 }, { "DW_ATE_unsigned", 7 },
    };
    const char *text = tr_node_text(t, type);
    for (unsigned i = 0; i < sizeof encodings / sizeof *encodings; i++)
        if (strstr(text, encodings[i].name)) {
            dwarf_die_number(t->m->arena, d, DW_AT_encoding,
                             encodings[i].encoding);
            return;
        }
}

/* The elements of an array, the members of a structure, the enumerators. */
static void
put_element(struct tr *t, LLVMMetadataRef node, struct dwarf_die *parent)
{
    struct arena *a = t->m->arena;
    struct dwarf_die *d = dwarf_die_new(a, parent, LLVMGetDINodeTag(node));
    if (d->tag == DW_TAG_subrange_type) {
        LLVMMetadataRef count = tr_node(t, node, 0);
        if (!count ||
            LLVMGetMetadataKind(count) != LLVMConstantAsMetadataMetadataKind)
            return;
        LLVMValueRef n;
        LLVMGetMDNodeOperands(LLVMMetadataAsValue(t->context, count), &n);
        if (LLVMConstIntGetSExtValue(n) >= 0)
            dwarf_die_number(a, d, DW_AT_count, LLVMConstIntGetZExtValue(n));
        return;
    }
    const char *name =
        tr_node_string(t, node, d->tag == DW_TAG_enumerator ? 0 : 2);
    if (name)
        dwarf_die_string(a, d, DW_AT_name, name);
    if (d->tag == DW_TAG_enumerator) {
        dwarf_die_signed(a, d, DW_AT_const_value,
                         tr_text_number(tr_node_text(t, node), ", value: ", 0));
        return;
    }
    struct dwarf_die *type = tr_debug_type(t, tr_node(t, node, DERIVED_BASE));
    if (type)
        dwarf_die_entry(a, d, DW_AT_type, type);
    dwarf_die_number(a, d, DW_AT_data_member_location,
                     LLVMDITypeGetOffsetInBits(node) / 8);
}

static void
put_composite(struct tr *t, LLVMMetadataRef type, struct dwarf_die *d)
{
    LLVMMetadataRef elements = tr_node(t, type, COMPOSITE_ELEMENTS);
    if (LLVMDITypeGetFlags(type) & LLVMDIFlagVector)
        dwarf_die_flag(t->m->arena, d, DW_AT_GNU_vector);
    if (LLVMDITypeGetFlags(type) & LLVMDIFlagFwdDecl)
        dwarf_die_flag(t->m->arena, d, DW_AT_declaration);
    LLVMMetadataRef x;
    for (unsigned i = 0; elements && (x = tr_node(t, elements, i)); i++) {
        LLVMMetadataKind kind = LLVMGetMetadataKind(x);
        if (kind == LLVMDISubrangeMetadataKind ||
            kind == LLVMDIEnumeratorMetadataKind ||
            kind == LLVMDIDerivedTypeMetadataKind) /* not methods of C++ */
            put_element(t, x, d);
    }
}

struct dwarf_die *
tr_debug_type(struct tr *t, LLVMMetadataRef type)
{
    if (!type || LLVMGetMetadataKind(type) == LLVMDISubroutineTypeMetadataKind)
        return NULL;
    struct arena *a = t->m->arena;
    void **at = map_put_number(a, &t->debug_types, (uintptr_t)type);
    if (*at)
        return *at;
    struct dwarf_die *d = dwarf_die_new(a, NULL, LLVMGetDINodeTag(type));
    *at = d;
    vec_push(a, &t->m->debug->entries, d);
    size_t n;
    const char *name = LLVMDITypeGetName(type, &n);
    LLVMMetadataKind kind = LLVMGetMetadataKind(type);
    if (n)
        dwarf_die_string(a, d, DW_AT_name, arena_strndup(a, name, n));
    uint64_t size = LLVMDITypeGetSizeInBits(type);
    if (size)
        dwarf_die_number(a, d, DW_AT_byte_size, size / 8);
    if (kind == LLVMDIBasicTypeMetadataKind) {
        put_base_type(t, type, d);
        return d;
    }
    struct dwarf_die *base = tr_debug_type(t, tr_node(t, type, DERIVED_BASE));
    if (base)
        dwarf_die_entry(a, d, DW_AT_type, base);
    if (kind == LLVMDICompositeTypeMetadataKind)
        put_composite(t, type, d);
    if (d->tag == DW_TAG_pointer_type) {
        int64_t space =
            tr_text_number(tr_node_text(t, type), "dwarfAddressSpace: ", 0);
        if (space)
            dwarf_die_number(a, d, DW_AT_address_class, (uint64_t)space);
    }
    return d;
}

/* ---- pointers that are shorter than their type ---- */

/* The member that the byte at *offset_B is of, made an offset in it. */
static LLVMMetadataRef
member_at(struct tr *t, LLVMMetadataRef type, uint32_t *offset_B)
{
    LLVMMetadataRef elements = tr_node(t, type, COMPOSITE_ELEMENTS), x;
    for (unsigned i = 0; elements && (x = tr_node(t, elements, i)); i++) {
        if (LLVMGetMetadataKind(x) != LLVMDIDerivedTypeMetadataKind)
            continue;
        uint64_t at = LLVMDITypeGetOffsetInBits(x) / 8;
        if (*offset_B < at || *offset_B - at >= tr_debug_size(t, x))
            continue;
        *offset_B -= (uint32_t)at;
        return tr_node(t, x, DERIVED_BASE);
    }
    return NULL;
}

static bool
is_short_pointer(struct tr *t, LLVMMetadataRef type)
{
    enum { NAMES_NONE = 0, LOCAL = 3, SIZE_B = 8 };
    int64_t space =
        tr_text_number(tr_node_text(t, type), "dwarfAddressSpace: ", 0);
    return tr_debug_size(t, type) == SIZE_B &&
           (space == NAMES_NONE || space == LOCAL);
}

bool
tr_debug_is_short_pointer(struct tr *t, LLVMMetadataRef type, uint32_t offset_B)
{
    while (type) {
        unsigned tag = LLVMGetDINodeTag(type);
        if (tag == DW_TAG_pointer_type)
            return !offset_B && is_short_pointer(t, type);
        LLVMMetadataKind kind = LLVMGetMetadataKind(type);
        if (tag == DW_TAG_structure_type) {
            type = member_at(t, type, &offset_B);
        } else if (tag == DW_TAG_array_type) {
            type = tr_node(t, type, DERIVED_BASE);
            uint32_t size_B = tr_debug_size(t, type);
            offset_B %= size_B ? size_B : 1;
        } else if (kind == LLVMDIDerivedTypeMetadataKind) {
            type = tr_node(t, type, DERIVED_BASE); /* typedef, const */
        } else {
            return false;
        }
    }
    return false;
}
