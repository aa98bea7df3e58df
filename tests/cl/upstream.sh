#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The compiler, for devices that run only what upstream's machines run as ours.
exec "$VENTUS_CC_REAL" "$@" --profile upstream
