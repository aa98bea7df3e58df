#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A compiler that never ends, as it has so much to do.
while :; do :; done
