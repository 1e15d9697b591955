#!/usr/bin/env python3
"""Compares the symbols that a shared library defines with the symbols file of its package.

  symbols.py LIBRARY SYMBOLS VERSION       VERSION: the library's symbol version
"""
import subprocess
import sys


def main():
    library, listed, version = sys.argv[1:]
    lines = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    # A version's name is itself a symbol, of type A.
    defined = {line.split()[0].partition("@")[0] for line in lines if line.split()[1] != "A"} - {version}
    with open(listed, encoding="ascii") as file:
        names = {line.split()[0].partition("@")[0] for line in file if line.startswith(" ")} - {version}
    for name in sorted(defined - names):
        print(f"not in {listed}: {name}")
    for name in sorted(names - defined):
        print(f"not in the library: {name}")
    print(f"{len(defined & names)} symbols agree")
    return 0 if defined == names and defined else 1


sys.exit(main())
