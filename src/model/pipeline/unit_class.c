/* SPDX-License-Identifier: Apache-2.0 */
/* The unit and the latency of an instruction (microarchitecture.md, Execution
 * units). */
#include "model/pipeline/unit_class.h"

#include <assert.h>

#include "model/pipeline/op.h"

static enum unit_kind
kind_of(const struct model_op *o)
{
    if (o->ends || o->barrier)
        return UNIT_CONTROL;
    if (o->branch == BRANCH_VECTOR || o->branch == BRANCH_JOIN)
        return UNIT_SIMT;
    switch ((enum ventus_isa_unit)o->unit) {
    case VENTUS_ISA_UNIT_LSU:
        return UNIT_LSU;
    case VENTUS_ISA_UNIT_SFU:
        return UNIT_SFU;
    case VENTUS_ISA_UNIT_CSR:
    case VENTUS_ISA_UNIT_SIMT: /* setrpc writes a CSR */
    case VENTUS_ISA_UNIT_VALU:
    case VENTUS_ISA_UNIT_MUL:
    case VENTUS_ISA_UNIT_FPU:
    case VENTUS_ISA_UNIT_TENSOR:
        return UNIT_PIPELINED;
    case VENTUS_ISA_UNIT_SALU:
    case VENTUS_ISA_UNIT_WARP:
    case VENTUS_ISA_UNIT_PREFIX:
    case VENTUS_ISA_UNIT_COUNT:
        break;
    }
    return UNIT_SCALAR;
}

static unsigned
cycles_of(const struct ventus_model_config *c, const struct model_op *o)
{
    switch ((enum ventus_isa_unit)o->unit) {
    case VENTUS_ISA_UNIT_MUL:
        return c->mul_cycles;
    case VENTUS_ISA_UNIT_FPU:
        return o->fpu == FPU_SHORT   ? c->fpu_short_cycles
               : o->fpu == FPU_FUSED ? c->fpu_cycles
                                     : c->fpu_add_cycles;
    case VENTUS_ISA_UNIT_TENSOR:
        return c->tensor_cycles;
    default:
        return 1;
    }
}

static enum unit_queue
queue_of(const struct model_op *o)
{
    switch ((enum ventus_isa_unit)o->unit) {
    case VENTUS_ISA_UNIT_VALU:
        return o->writes_x ? Q_SALU : Q_VALU;
    case VENTUS_ISA_UNIT_MUL:
        return Q_MUL;
    case VENTUS_ISA_UNIT_FPU:
        return Q_FPU;
    case VENTUS_ISA_UNIT_TENSOR:
        return Q_TENSOR;
    default:
        return Q_CSR;
    }
}

unsigned
unit_class_passes(const struct ventus_model_config *config, unsigned lanes)
{
    unsigned hardware = config->unit_lanes;
    return hardware ? (lanes + hardware - 1) / hardware : 1;
}

/*
 * A unit with fewer lanes than a warp takes a vector in passes, one a cycle:
 * one more to put the first in, one to put the results together.
 */
void
unit_class_set(struct model_op *o, const struct ventus_model_config *config,
               unsigned lanes)
{
    unsigned passes = unit_class_passes(config, lanes);
    o->kind = (uint8_t)kind_of(o);
    o->queue = (uint8_t)queue_of(o);
    o->passes = (uint8_t)(o->vector ? passes : 1);
    unsigned more = o->passes > 1 ? o->passes + 1u : 0;
    o->cycles = cycles_of(config, o) + more;
    assert(o->passes && o->cycles && "every instruction takes time");
}
