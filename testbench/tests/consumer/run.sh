#!/usr/bin/env bash
# Installs the build tree into a scratch prefix and builds the outside project on it.
#   run.sh BUILD_DIR SOURCE_OF_PROJECT
set -euo pipefail
build=$1 project=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cmake -G Ninja -S "$project" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$scratch/build" >/dev/null
count=$("$scratch/build/consumer")
[ "$count" = 2 ] || { echo "consumer counted '$count' instead of 2"; exit 1; }
events=$("$scratch/build/consumer_c")
[ "$events" = many ] || { echo "consumer_c found '$events' events"; exit 1; }
"$scratch/prefix/bin/pmusim" --version | grep -q '^pmusim [0-9]' || { echo "installed pmusim does not run"; exit 1; }
echo "1 passed, 0 failed"
