/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/text.h"

unsigned
ir_written_slots(unsigned op, enum ventus_isa_slot *slots)
{
    static const unsigned counts[] = {
#define X(id, name, n) [IR_##id - IR_FIRST] = n < 0 ? 0 : (unsigned)n,
        IR_PSEUDO_LIST(X)
#undef X
    };
    unsigned n = 0;
    if (!ir_is_isa(op)) {
        for (; n < counts[op - IR_FIRST]; n++)
            slots[n] = (enum ventus_isa_slot)(n + 1);
        return n;
    }
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[ventus_isa_info[op].format];
    for (unsigned i = 0; i < format->fields; i++) {
        const struct ventus_isa_field *field =
            &ventus_isa_fields[format->field[i]];
        if (field->member <= VENTUS_ISA_MEMBER_3 && field->read)
            slots[n++] = (enum ventus_isa_slot)field->member;
    }
    return n;
}

static void
print_value(const struct ir_func *f, ir_val v, bool definition, FILE *out)
{
    if (v >= f->values.n) { /* the validator prints it: "no such value" */
        fprintf(out, "?%u", v);
        return;
    }
    const struct ir_value *value = ir_value(f, v);
    if (v == IR_NONE) {
        fputs("none", out);
        return;
    }
    if (v == IR_ZERO) {
        fputs("zero", out);
        return;
    }
    fprintf(out, "%c%u", value->cls == IR_S ? 's' : 'v', v);
    if (definition && value->words == 2)
        fputs(":2", out);
    if (definition && value->fixed >= 0)
        fprintf(out, "@%d", value->fixed);
    if (definition && value->divergent)
        fputc('*', out);
    if (value->reg >= 0)
        fprintf(out, "(%c%d)", value->cls == IR_S ? 'x' : 'v', value->reg);
}

static void
print_operands(const struct ir_func *f, const struct ir_insn *in, FILE *out)
{
    const char *separator = " ";
    if (in->op == IR_PHI)
        for (unsigned i = 0; i < in->n_many; i++, separator = ", ") {
            fputs(separator, out);
            print_value(f, in->many[i], false, out);
        }
    for (unsigned i = 0; i < in->n_in; i++, separator = ", ") {
        fputs(separator, out);
        print_value(f, in->many[i], false, out);
    }
    if (in->op == IR_PARCOPY)
        for (unsigned i = 0; i < in->n_many; i += 2, separator = ", ") {
            fputs(separator, out);
            print_value(f, in->many[i], true, out);
            fputs(" = ", out);
            print_value(f, in->many[i + 1], false, out);
        }
    enum ventus_isa_slot slots[8];
    unsigned n = ir_written_slots(in->op, slots);
    for (unsigned i = 0; i < n; i++, separator = ", ") {
        fputs(separator, out);
        print_value(f, in->src[slots[i]], false, out);
    }
}

static void
print_attributes(const struct ir_func *f, const struct ir_insn *in, FILE *out)
{
    if (in->imm || in->op == IR_CONST)
        fprintf(out, " imm=%d", in->imm);
    if (in->aux)
        fprintf(out, " aux=%u", in->aux);
    if (in->rm != 7)
        fprintf(out, " rm=%u", in->rm);
    if (in->space)
        fprintf(out, " space=%u", in->space);
    if (in->hint)
        fprintf(out, " hint=%u", in->hint);
    if (in->abs)
        fprintf(out, " abs=%u", in->abs);
    if (in->neg)
        fprintf(out, " neg=%u", in->neg);
    if (in->aqrl)
        fprintf(out, " aqrl=%u", in->aqrl);
    if (in->mask) {
        fputs(in->masked ? " masked=" : " mask=", out);
        print_value(f, in->mask, false, out);
    }
    if (in->symbol)
        fprintf(out, " sym=%s", in->symbol);
    if (in->pair)
        fputs(" pair", out);
    if (in->half)
        fputs(in->half == IR_BYTE ? " byte" : " half", out);
    if (in->is_volatile)
        fputs(" volatile", out);
    if (in->is_exchange)
        fputs(" exchange", out);
    if (in->line)
        fprintf(out, " line=%u", in->line);
}

void
ir_print_insn(const struct ir_func *f, const struct ir_insn *in, FILE *out)
{
    for (unsigned i = 0; i < in->n_out; i++) {
        print_value(f, in->many[in->n_in + i], true, out);
        fputs(i + 1 < in->n_out || in->dst ? ", " : " = ", out);
    }
    if (in->dst) {
        print_value(f, in->dst, true, out);
        fputs(" = ", out);
    }
    fputs(ir_op_name(in->op), out);
    print_operands(f, in, out);
    print_attributes(f, in, out);
    if (in->block && in == in->block->last && in->block->succ[0]) {
        fprintf(out, " -> b%u", in->block->succ[0]->id);
        if (in->block->succ[1])
            fprintf(out, ", b%u", in->block->succ[1]->id);
    }
}

void
ir_print(const struct ir_func *f, FILE *out)
{
    fprintf(out, "func %s\n", f->name);
    ir_foreach_block (f, b) {
        fprintf(out, "b%u:\n", b->id);
        if (b->preds.n) {
            fputs("    preds", out);
            for (size_t i = 0; i < b->preds.n; i++)
                fprintf(out, " b%u", b->preds.at[i]->id);
            fputc('\n', out);
        }
        ir_foreach_insn (b, in) {
            fputs("    ", out);
            ir_print_insn(f, in, out);
            fputc('\n', out);
        }
    }
}
