/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/hazard.h"

#include <assert.h>

enum ventus_tile_unit
hazard_unit(unsigned kind)
{
    assert(kind <= CHECK_HART);
    static const enum ventus_tile_unit units[] = {
        VENTUS_TILE_UNIT_GLSU, VENTUS_TILE_UNIT_GLSU, VENTUS_TILE_UNIT_SLSU,
        VENTUS_TILE_UNIT_SLSU, VENTUS_TILE_UNIT_TMA,  VENTUS_TILE_UNIT_MMA,
        VENTUS_TILE_UNIT_ALU,  VENTUS_TILE_UNIT_COUNT
    };
    return units[kind];
}

void
hazard_report(struct check *c, struct ventus_tile_hazard found)
{
    assert(c->hazards <= CHECK_HAZARDS_MAX);
    for (size_t i = 0; i < c->hazards; i++)
        if (c->hazard[i].first_pc == found.first_pc &&
            c->hazard[i].second_pc == found.second_pc)
            return;
    if (c->hazards < CHECK_HAZARDS_MAX)
        c->hazard[c->hazards++] = found;
}
