#!/usr/bin/env bash
# Makes an environment of its own for each program in DIRECTORY, and runs the tasks: run.sh DIRECTORY [PROGRAM...]
# A package index is needed, and no other network. PYTHON names another Python (3.11 or later).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
directory=$1
shift
declare -A packages=([sqlite]='' [duckdb]=duckdb [lancedb]=lancedb [chroma]=chromadb)
mkdir -p "$directory"
for program in "${@:-sqlite duckdb lancedb chroma}"; do
    for each in $program; do
        environment=$directory/$each
        rm -rf "$environment"
        "${PYTHON:-python3}" -m venv "$environment"
        begin=$(date +%s%N)
        if [[ -n "${packages[$each]}" ]]; then
            "$environment/bin/pip" install --quiet --no-cache-dir --disable-pip-version-check "${packages[$each]}"
        fi
        milliseconds=$((($(date +%s%N) - begin) / 1000000))
        echo "$each: installed in $milliseconds ms, $(du -sm "$environment" | cut -f1) MB with pip itself"
        "$environment/bin/python" -W ignore "$here/with_$each.py" | tee "$directory/$each.json"
    done
done
