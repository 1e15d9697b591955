#!/usr/bin/env bash
# The option PMUSIM_PGO: every source of cores and trace reader gets GCC's option, no other source does; without a profile
# the message says what makes one.
#   profiled.sh SOURCE
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
configure() {
  cmake -G Ninja -S "$1" -B "$scratch" -DPMUSIM_BUILD_TESTS=OFF -DPMUSIM_BUILD_TESTBENCH=OFF -DPMUSIM_PGO="$2" >"$scratch/log" 2>&1
}
expect() {  # expect OPTION
  local commands
  commands=$(grep '"command"' "$scratch/compile_commands.json")
  grep -E ' -c [^ ]*/(models/core|isa-traces/src)/' <<<"$commands" >"$scratch/hot" || { echo "no source of the cores is compiled"; exit 1; }
  ! grep -v -e "$1=$scratch/profile" "$scratch/hot" || { echo "these are compiled without $1"; exit 1; }
  ! grep -E ' -c [^ ]*/encoder/' <<<"$commands" | grep -e "$1" || { echo "these are compiled with $1"; exit 1; }
}
! configure "$1" ON || { echo "configured without a profile"; exit 1; }
tr -s ' \n' ' ' <"$scratch/log" | grep -q "$scratch/profile is missing, expected the profile of scripts/build-profiled" || { cat "$scratch/log"; exit 1; }
configure "$1" train || { cat "$scratch/log"; exit 1; }
expect -fprofile-generate
mkdir "$scratch/profile"
configure "$1" ON || { cat "$scratch/log"; exit 1; }
expect -fprofile-use
