#!/usr/bin/env python3
"""The trace of example.c, written in Python: example.py FILE.pmt [ROUNDS]"""
import sys

from pmusim_trace import Writer

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000

with Writer(sys.argv[1], "i386", program="example") as writer:
    writer.directive("cpl 3")
    for i in reversed(range(ROUNDS)):
        writer.instruction(0x8049000, bytes.fromhex("03048e"), [("L", 0x804C000 + 4 * i, 4)])
        writer.instruction(0x8049003, bytes.fromhex("49"))
        writer.instruction(0x8049004, bytes.fromhex("79fa"), target=0x8049000 if i > 0 else None)
    writer.instruction(0x8049006, bytes.fromhex("c3"), [("L", 0xBFFFF7FC, 4)], target=0x8048100)
