#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# testfloat.sh TESTFLOAT_GEN FP_TESTFLOAT [LEVEL]: every function of TestFloat
# that the instruction set has, in every rounding mode.
set -eu
gen=$1 ours=$2 level=${3:-1} status=0

# FUNCTION MODE
try() {
    "$gen" -level "$level" "-r$2" -tininessafter -exact "$1" 2>/dev/null |
        "$ours" "$1" "$2" || status=1
}

for mode in near_even minMag min max near_maxMag; do
    for f in f16 f32 f64; do
        for op in add sub mul div mulAdd sqrt eq lt le \
            to_i32 to_i64 to_ui32 to_ui64; do
            try ${f}_$op $mode
        done
        for i in i32 i64 ui32 ui64; do
            try ${i}_to_$f $mode
        done
    done
    for name in f16_to_f32 f16_to_f64 f32_to_f16 f32_to_f64 f64_to_f16 \
        f64_to_f32; do
        try $name $mode
    done
done
try f32_to_f16 odd
try f64_to_f32 odd
exit $status
