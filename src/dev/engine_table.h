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
ENGINE(sim, DEV_STEPS | DEV_CHECKS, "runs fast")
ENGINE(model, DEV_STEPS | DEV_CHECKS | DEV_CYCLES | DEV_PROFILES | DEV_ORDERED,
       "counts cycles")
#ifdef DEV_ENGINES_OF_TESTS
#include DEV_ENGINES_OF_TESTS
#endif
