# Load and store multiple, string instructions, and operands across word, double-word, line and page boundaries.
# Checksum: part 1: 40 x (20 + 21 + ... + 31) = 40 x 306 = 12240; part 2: 24 x 22 bytes = 528;
# part 3: lengths 0 + 1 + ... + 32 = 528; part 4: 60 x 4 = 240; sum 13536 a round;
# 6 rounds: 81216, & 255 = 64.
        .text
        .globl  kernel
kernel: stwu    r1, -128(r1)
        stmw    r13, 32(r1)
        li      r3, 0
        lis     r4, area@ha
        addi    r4, r4, area@l
        li      r12, 6
# 1: twelve registers, stored and loaded at successive words.
round:
        li      r20, 20
        li      r21, 21
        li      r22, 22
        li      r23, 23
        li      r24, 24
        li      r25, 25
        li      r26, 26
        li      r27, 27
        li      r28, 28
        li      r29, 29
        li      r30, 30
        li      r31, 31
        li      r5, 40
        mr      r6, r4
part1:  stmw    r20, 0(r6)
        lmw     r20, 0(r6)
        add     r7, r20, r21
        add     r7, r7, r22
        add     r7, r7, r23
        add     r7, r7, r24
        add     r7, r7, r25
        add     r7, r7, r26
        add     r7, r7, r27
        add     r7, r7, r28
        add     r7, r7, r29
        add     r7, r7, r30
        add     r7, r7, r31
        add     r3, r3, r7
        addi    r6, r6, 4
        addic.  r5, r5, -1
        bne     part1
# 2: immediate strings of 3, 4, 7 and 8 bytes, loaded and stored; 24 turns at different alignments.
        li      r5, 24
        mr      r6, r4
part2:  lswi    r8, r6, 3
        stswi   r8, r6, 3
        lswi    r8, r6, 4
        stswi   r8, r6, 4
        lswi    r8, r6, 7
        stswi   r8, r6, 7
        lswi    r8, r6, 8
        stswi   r8, r6, 8
        addi    r3, r3, 22
        addi    r6, r6, 5
        addic.  r5, r5, -1
        bne     part2
# 3: indexed strings of 0 to 32 bytes; the length is in XER.
        li      r5, 0
        addi    r6, r4, 64
        addi    r7, r4, 512
part3:  mtxer   r5
        lswx    r14, r6, r5
        stswx   r14, r7, r5
        mfxer   r8
        add     r3, r3, r8
        addi    r5, r5, 1
        cmpwi   r5, 32
        ble     part3
# 4: misaligned operands; the address advances by 61 and reaches every offset in a line, and page ends.
        lis     r6, pages@ha
        addi    r6, r6, pages@l
        addi    r6, r6, 3968
        li      r5, 60
part4:  lwz     r7, 1(r6)
        stw     r7, 1(r6)
        lhz     r7, 3(r6)
        sth     r7, 3(r6)
        lha     r7, 7(r6)
        lwz     r7, 29(r6)
        stw     r7, 31(r6)
        lwbrx   r7, 0, r6
        stwbrx  r7, 0, r6
        rlwinm  r9, r6, 0, 0, 29
        lfd     f1, 4(r9)
        stfd    f1, 12(r9)
        lfs     f2, 8(r9)
        stfs    f2, 8(r9)
        addi    r3, r3, 4
        addi    r6, r6, 61
        addic.  r5, r5, -1
        bne     part4
        addic.  r12, r12, -1
        bne     round
        lmw     r13, 32(r1)
        addi    r1, r1, 128
        blr

        .lcomm  area, 1024, 32
        .lcomm  pages, 12288, 32
        .section .note.GNU-stack,"",@progbits
