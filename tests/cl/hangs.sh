#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A compiler that does not end, and a child of it that does not either.
sleep 100 &
sleep 100
