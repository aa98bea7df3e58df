/* SPDX-License-Identifier: Apache-2.0 */
/* Prints instructions by the syntax strings of the table. */
#include <ventus/isa.h>

#include <string.h>

struct out {
    char *at;
    size_t length, size;
    const struct ventus_isa_insn *in;
    const struct ventus_isa_print *options;
};

static void
put_char(struct out *o, char c)
{
    if (o->length + 1 < o->size)
        o->at[o->length] = c;
    o->length++;
}

static void
put_text(struct out *o, const char *text)
{
    while (*text)
        put_char(o, *text++);
}

static void
put_number(struct out *o, int64_t value)
{
    char digits[24];
    unsigned n = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        digits[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        put_char(o, '-');
    while (n)
        put_char(o, digits[--n]);
}

static void
put_hex(struct out *o, uint64_t value, unsigned least)
{
    unsigned n = 16;
    while (n > least && n > 1 && value >> (n * 4 - 4) == 0)
        n--;
    put_text(o, "0x");
    while (n-- > 0)
        put_char(o, "0123456789abcdef"[(value >> (n * 4)) & 15]);
}

static void
put_register(struct out *o, char file, unsigned number)
{
    const char *name = file == 'x' && o->options->abi_names
                           ? ventus_isa_abi_name(number)
                           : NULL;
    if (name) {
        put_text(o, name);
        return;
    }
    put_char(o, file);
    put_number(o, number);
}

/* Prints a register.  Upstream's logs show the register field of the word, GNU style
 * the full number.  Under a pair prefix an even register is a pair: [v5:v4]. */
static void
put_slot(struct out *o, enum ventus_isa_slot slot, char file)
{
    unsigned number = o->in->reg[slot];
    if (o->options->style == VENTUS_ISA_STYLE_LOG) {
        put_register(o, file, number & 31);
    } else if (ventus_isa_is_pair(o->in, slot) && (number || file == 'v')) {
        put_char(o, '[');
        put_register(o, file, number + 1);
        put_char(o, ':');
        put_register(o, file, number);
        put_char(o, ']');
    } else {
        put_register(o, file, number);
    }
}

static void
put_target(struct out *o, const struct ventus_isa_field *f, int32_t offset)
{
    const struct ventus_isa_print *p = o->options;
    if (p->style == VENTUS_ISA_STYLE_LOG || !p->has_pc) {
        put_text(o, offset < 0 ? "pc - " : "pc + ");
        int64_t distance = offset < 0 ? -(int64_t)offset : offset;
        if (f->kind == VENTUS_ISA_KIND_J && p->style == VENTUS_ISA_STYLE_LOG)
            put_hex(o, (uint64_t)distance, 1);
        else
            put_number(o, distance);
        return;
    }
    uint64_t target = p->pc + (uint64_t)(int64_t)offset;
    char name[VENTUS_ISA_TEXT_MAX];
    if (p->symbol && p->symbol(p->ctx, target, name, sizeof name))
        put_text(o, name);
    else
        put_hex(o, target, 1);
}

static void
put_csr(struct out *o, unsigned number)
{
    const struct ventus_isa_csr *csr = ventus_isa_csr_by_number(number);
    if (csr)
        put_text(o, csr->name);
    else
        put_hex(o, number, 3);
}

/* Prints vtype: [7] ma [6] ta [5:3] SEW = 8 << n [2:0] LMUL (RVV 1.0, 3.4). */
static void
put_vtype(struct out *o, unsigned vtype)
{
    static const char *const lmul[8] = { "m1", "m2",  "m4",  "m8",
                                         NULL, "mf8", "mf4", "mf2" };
    unsigned sew = vtype >> 3 & 7;
    if (vtype >> 8 || sew > 3 || !lmul[vtype & 7]) {
        put_number(o, vtype);
        return;
    }
    put_char(o, 'e');
    put_number(o, 8 << sew);
    put_text(o, ", ");
    put_text(o, lmul[vtype & 7]);
    put_text(o, vtype & 0x40 ? ", ta" : ", tu");
    put_text(o, vtype & 0x80 ? ", ma" : ", mu");
}

/* Prints the sets of a fence: [11:8] fm [7:4] pred [3:0] succ, each i o r w from bit 3
 * down. */
static void
put_order(struct out *o, unsigned order)
{
    if (order >> 8) {
        put_hex(o, order, 1);
        return;
    }
    for (int part = 1; part >= 0; part--) {
        unsigned set = order >> (4 * part) & 15;
        for (int i = 3; i >= 0; i--)
            if (set >> i & 1)
                put_char(o, "wroi"[i]);
        if (!set)
            put_char(o, '0');
        if (part)
            put_text(o, ", ");
    }
}

/* Prints the scope of a barrier: [4:3] scope [2:0] image global local (manual 4.2.4);
 * upstream's logs have the number. */
static void
put_barrier(struct out *o, unsigned words)
{
    static const char *const what[] = { "local", "global", "image" };
    static const char *const scope[] = { "", ", work_item", ", device",
                                         ", all_svm_devices" };
    if (o->options->style == VENTUS_ISA_STYLE_LOG) {
        put_number(o, words);
        return;
    }
    unsigned left = words & 7;
    if (!left)
        put_text(o, "use_cnt");
    for (unsigned i = 0; i < 3; i++)
        if (left >> i & 1) {
            put_text(o, what[i]);
            left &= ~(1u << i);
            put_text(o, left ? ", " : "");
        }
    put_text(o, scope[words >> 3 & 3]);
}

/* Prints the register bits of a prefix: one number, or as upstream lists them. */
static void
put_ext(struct out *o, const struct ventus_isa_field *f)
{
    unsigned ext = o->in->ext;
    if (o->options->style != VENTUS_ISA_STYLE_LOG) {
        put_number(o, ext);
        return;
    }
    put_char(o, ' ');
    if (f->kind == VENTUS_ISA_KIND_EXTI) {
        put_number(o, ext >> 6);
    } else {
        put_number(o, ext >> 9);
        put_char(o, ' ');
        put_number(o, ext >> 6 & 7);
    }
    put_char(o, ' ');
    put_number(o, ext >> 3 & 7);
    put_char(o, ' ');
    put_number(o, ext & 7);
    put_char(o, ' ');
}

/* Prints ", name=value" for rare operands; fields called unused_x, too. */
static void
put_optional(struct out *o, const struct ventus_isa_field *f)
{
    int32_t value = ventus_isa_get(o->in, f);
    if (!value)
        return;
    put_text(o, ", ");
    for (const char *c = f->name; *c && *c != '_'; c++)
        put_char(o, *c);
    put_char(o, '=');
    put_number(o, value);
}

static void
put_operand(struct out *o, const struct ventus_isa_field *f)
{
    static const char *const rounding[8] = { ", rne", ", rtz", ", rdn", ", rup",
                                             ", rmm", ", rm5", ", rm6", "" };
    const struct ventus_isa_insn *in = o->in;
    switch ((enum ventus_isa_kind)f->kind) {
    case VENTUS_ISA_KIND_X:
        put_slot(o, (enum ventus_isa_slot)f->member, 'x');
        break;
    case VENTUS_ISA_KIND_V:
        put_slot(o, (enum ventus_isa_slot)f->member, 'v');
        break;
    case VENTUS_ISA_KIND_A:
        put_slot(o, (enum ventus_isa_slot)f->member,
                 o->options->scalar_amo ? 'x' : 'v');
        break;
    case VENTUS_ISA_KIND_S:
    case VENTUS_ISA_KIND_U:
        put_number(o, in->imm);
        break;
    case VENTUS_ISA_KIND_B:
    case VENTUS_ISA_KIND_J:
        put_target(o, f, in->imm);
        break;
    case VENTUS_ISA_KIND_HI:
        put_hex(o, (uint32_t)in->imm, 1);
        break;
    case VENTUS_ISA_KIND_CSR:
        put_csr(o, in->aux);
        break;
    case VENTUS_ISA_KIND_VTYPE:
        put_vtype(o, in->aux);
        break;
    case VENTUS_ISA_KIND_IORW:
        put_order(o, in->aux);
        break;
    case VENTUS_ISA_KIND_BARRIER:
        put_barrier(o, (unsigned)in->imm);
        break;
    case VENTUS_ISA_KIND_RM:
        put_text(o, rounding[in->rm & 7]);
        break;
    /* Preceded by the register that is read instead of vd. */
    case VENTUS_ISA_KIND_VM:
        if (in->split) {
            put_text(o, ", ");
            put_slot(o, VENTUS_ISA_SLOT_3, 'v');
        }
        put_text(o, in->vm ? "" : ", v0.t");
        break;
    case VENTUS_ISA_KIND_EXT:
    case VENTUS_ISA_KIND_EXTI:
        put_ext(o, f);
        break;
    case VENTUS_ISA_KIND_OPT:
        put_optional(o, f);
        break;
    case VENTUS_ISA_KIND_AQRL: /* printed with the mnemonic */
        break;
    }
}

static void
put_syntax(struct out *o, const char *syntax)
{
    for (const char *c = syntax; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte == 1)
            put_number(
                o, ventus_isa_get(
                       o->in, &ventus_isa_fields[(unsigned char)*++c - 128]) &
                       31);
        else if (byte >= 128)
            put_operand(o, &ventus_isa_fields[byte - 128]);
        else
            put_char(o, *c);
    }
}

static bool
alias_fits(const struct ventus_isa_alias *a, const struct ventus_isa_insn *in)
{
    for (unsigned i = 0; i < a->fixed; i++) {
        int32_t want =
            a->fix[i].same
                ? ventus_isa_get(in, &ventus_isa_fields[a->fix[i].same - 1])
                : a->fix[i].value;
        if (ventus_isa_get(in, &ventus_isa_fields[a->fix[i].field]) != want)
            return false;
    }
    return true;
}

static const struct ventus_isa_alias *
find_alias(const struct ventus_isa_insn *in)
{
    unsigned i = ventus_isa_first_alias[in->op];
    while (i && !alias_fits(&ventus_isa_aliases[i - 1], in))
        i = ventus_isa_aliases[i - 1].next;
    return i ? &ventus_isa_aliases[i - 1] : NULL;
}

size_t
ventus_isa_print(const struct ventus_isa_insn *in,
                 const struct ventus_isa_print *options, char *out, size_t size)
{
    static const struct ventus_isa_print defaults = { 0 };
    struct out o = { out, 0, size, in, options ? options : &defaults };
    const struct ventus_isa_info *info = &ventus_isa_info[in->op];
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[info->format];
    const char *name = info->name, *syntax = format->syntax[0];
    if (o.options->style == VENTUS_ISA_STYLE_LOG && format->syntax[1])
        syntax = format->syntax[1];
    const struct ventus_isa_alias *alias =
        o.options->no_alias ? NULL : find_alias(in);
    if (alias) {
        name = alias->name;
        syntax = alias->syntax;
    }
    put_text(&o, name);
    static const char *const suffix[4] = { "", ".rl", ".aq", ".aqrl" };
    put_text(&o, suffix[in->aqrl & 3]);
    if (*syntax) {
        do
            put_char(&o, ' ');
        while (o.length < VENTUS_ISA_MNEMONIC_PAD);
        put_syntax(&o, syntax);
    }
    if (size)
        o.at[o.length < size ? o.length : size - 1] = 0;
    return o.length < size ? o.length : size ? size - 1 : 0;
}
