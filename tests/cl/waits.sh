#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The compiler on a host that is busy with something else.
sleep 4
exec "$VENTUS_TEST_COMPILER" "$@"
