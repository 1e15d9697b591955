# Reservations, barriers, and cache-block instructions.
# Checksum: 400 atomic increments + 100 failed stores + 50 turns of a lock + 128 words of 7 found in blocks
# that were zeroed, filled, cleaned and flushed (896) = 1446; & 255 = 166.
        .text
        .globl  kernel
kernel: lis     r4, counter@ha
        addi    r4, r4, counter@l
        li      r3, 0
# Atomic increment; the barriers take turns.
        li      r0, 200
        mtctr   r0
increment:
        lwarx   r5, 0, r4
        addi    r5, r5, 1
        stwcx.  r5, 0, r4
        bne-    increment
        eieio
second: lwarx   r5, 0, r4
        addi    r5, r5, 1
        stwcx.  r5, 0, r4
        bne-    second
        sync
        bdnz    increment
        lwz     r5, 0(r4)
        add     r3, r3, r5
# A conditional store without a reservation fails.
        li      r0, 100
        mtctr   r0
fails:  stwcx.  r5, 0, r4
        beq     succeeded
        addi    r3, r3, 1
succeeded:
        bdnz    fails
# A lock: import barrier isync, export barrier sync or eieio.
        addi    r6, r4, 32
        li      r0, 50
        mtctr   r0
acquire:
        lwarx   r5, 0, r6
        cmpwi   r5, 0
        bne-    acquire
        li      r7, 1
        stwcx.  r7, 0, r6
        bne-    acquire
        isync
        lwz     r8, 4(r6)
        addi    r8, r8, 1
        stw     r8, 4(r6)
        sync
        li      r7, 0
        stw     r7, 0(r6)
        eieio
        bdnz    acquire
        lwz     r8, 4(r6)
        add     r3, r3, r8
# Cache blocks: 128 blocks of 32 bytes, 4 rounds over 4 KB.
        lis     r9, blocks@ha
        addi    r9, r9, blocks@l
        li      r10, 4
round:  li      r0, 128
        mtctr   r0
        li      r11, 0
touch:  dcbt    r9, r11
        dcbtst  r9, r11
        addi    r11, r11, 32
        bdnz    touch
        li      r0, 128
        mtctr   r0
        li      r11, 0
        li      r12, 7
fill:   dcbz    r9, r11
        stwx    r12, r9, r11
        dcbst   r9, r11
        addi    r11, r11, 32
        bdnz    fill
        sync
        li      r0, 128
        mtctr   r0
        li      r11, 0
flush:  dcbf    r9, r11
        icbi    r9, r11
        addi    r11, r11, 32
        bdnz    flush
        sync
        isync
        addic.  r10, r10, -1
        bne     round
# Sum of the blocks: each contains one 7 and seven zeros.
        li      r0, 1024
        mtctr   r0
        addi    r11, r9, -4
sum:    lwzu    r5, 4(r11)
        add     r3, r3, r5
        bdnz    sum
# The time base is read but not used.
        mftb    r5
        mftbu   r5
        blr

        .lcomm  counter, 64, 32
        .lcomm  blocks, 4096, 32
        .section .note.GNU-stack,"",@progbits
