#!/usr/bin/env python3
"""The processor of example.c, written in Python: example.py FILE.pma"""
import sys

from pmusim_activity import Writer

COUNT, BLOCK = 5000, 4096

with Writer(sys.argv[1], "athlon", program="example.py") as writer:
    retire = writer.signal("retire")
    lookup = writer.signal("dcache_lookup", fields=[("load", 1), ("miss", 1)])
    clock = writer.state("clock", fields=[("on", 1)])
    cpl = writer.state("cpl", fields=[("level", 2)])
    instruction = writer.table("instruction", ["id", "ip", "next_ip", "length"])
    request = writer.table("request", ["id", "address", "size", "has_instruction", "instruction"])
    writer.change(clock, 0, on=1)
    for cycle, level in ((0, 3), (1000, 0), (1100, 3)):
        writer.change(cpl, cycle, level=level)
    next_block = BLOCK
    for i in range(COUNT):
        while 2 * i >= next_block:
            writer.end_block(next_block)
            next_block += BLOCK
        ip = 0x1000 + 4 * i
        writer.occur(retire, 2 * i, writer.row(instruction, id=i, ip=ip, next_ip=ip + 4, length=4))
        if i % 10 == 0:
            ref = writer.row(request, id=i // 10, address=0x80000 + 64 * i, size=4, has_instruction=1, instruction=i)
            writer.occur(lookup, 2 * i, ref, load=1, miss=1)
    writer.retired(0, COUNT)
    writer.end_block(2 * COUNT - 1)
