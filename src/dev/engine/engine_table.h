/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every engine, included once for each table made of it; docs/engines.md.
 *
 *     ENGINE(name, capabilities, meaning)
 *
 * The name is the value of the key `engine`; the file of the engine defines
 * engine_NAME.  The first one is the default.
 */
/* clang-format off */
ENGINE(sim, VENTUS_DEV_STEPS | VENTUS_DEV_CHECKS | VENTUS_DEV_SANITIZES,
       "runs fast")
ENGINE(model, VENTUS_DEV_STEPS | VENTUS_DEV_CHECKS | VENTUS_DEV_CYCLES |
                  VENTUS_DEV_PROFILES | VENTUS_DEV_ORDERED,
       "counts cycles")
#ifdef DEV_ENGINES_OF_TESTS
#include DEV_ENGINES_OF_TESTS
#endif
