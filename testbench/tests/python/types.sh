#!/usr/bin/env bash
# Checks the package's types with mypy, and the stub of the extension against the extension itself with stubtest.
#   types.sh PYTHON FOLDER_OF_PACKAGE
set -euo pipefail
python=$1 folder=$2 allowed=$(realpath "$(dirname "$0")/stubtest-allowed.txt")
if ! "$python" -c 'import mypy' 2>/dev/null; then
  [ -z "${PMUSIM_REQUIRE_TOOLS:-}" ] || { echo "mypy is missing; scripts/install-dependencies --python installs it"; exit 1; }
  echo "skipped: no mypy"
  exit 77
fi
scratch=$(mktemp -d)  # for 15 MB of mypy's cache
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export MYPYPATH=$folder
"$python" -m mypy --strict --no-error-summary -p pmusim
"$python" -m mypy.stubtest --allowlist "$allowed" pmusim._pmusim
