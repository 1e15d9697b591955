# All execution units: condition-register logic, carries, multiply and divide, rotates, counted and indirect
# branches, floating point with its status register, trap instructions whose condition is false.
# Checksum, per turn of 300: condition logic 1, carry chain 2, multiply-divide 7, branches 5, floating point 6
# = 21; 300 x 21 = 6300, & 255 = 156.
        .text
        .globl  kernel
kernel: mflr    r31
        li      r3, 0
        li      r30, 300
        lis     r29, constants@ha
        addi    r29, r29, constants@l
        lfd     f10, 0(r29)             # 1.0
        lfd     f11, 8(r29)             # 2.0
        lfd     f12, 16(r29)            # 3.0
        lfs     f13, 24(r29)            # 0.5
turn:
# Condition register: crb 8-11 from a comparison, then identities that leave crb 12 = 1.
        cmpwi   cr2, r30, 0
        cmplwi  cr4, r30, 5
        cmpw    cr5, r30, r3
        cmplw   cr6, r30, r3
        crxor   12, 12, 12
        crnor   13, 12, 12
        crand   14, 13, 9
        cror    15, 13, 12
        crnand  16, 12, 13
        creqv   17, 16, 13
        crandc  18, 17, 12
        crorc   12, 18, 13
        mcrf    cr7, cr3
        mfcr    r5
        mtcrf   0x08, r5
        rlwinm  r6, r5, 13, 31, 31      # bit 12 to bit 31
        add     r3, r3, r6
# Carry: (2^32 - 1) + 1 = 2^32 in two words, minus 0 with extended forms; the high word is 1.
        li      r5, -1
        li      r6, 1
        li      r7, 0
        addc    r8, r5, r6
        adde    r9, r7, r7
        subfc   r10, r7, r8
        subfe   r11, r7, r9
        addze   r12, r8
        addme   r12, r12
        subfze  r14, r7
        subfme  r14, r7
        addic   r14, r11, 0
        addic.  r14, r14, 1
        subfic  r15, r14, 2
        addo    r16, r14, r15
        mcrxr   cr1
        add     r3, r3, r14
# Multiply, divide: 21 * 1000 / 1000 = 21; 21 / 3 = 7; the high halves are 0.
        li      r5, 1000
        mulli   r6, r5, 21
        mullw   r7, r6, r5
        mulhw   r8, r6, r5
        mulhwu  r9, r6, r5
        divw    r10, r7, r5
        divwu   r10, r10, r5
        li      r11, 3
        divw.   r10, r10, r11
        add     r10, r10, r8
        add     r10, r10, r9
        add     r3, r3, r10
# Rotates, logic, counts: the result is not used.
        slw     r5, r10, r11
        srw     r5, r5, r11
        sraw    r5, r5, r11
        srawi.  r6, r7, 3
        rlwimi  r5, r6, 4, 8, 20
        rlwnm   r5, r5, r11, 0, 31
        cntlzw  r6, r5
        extsb   r6, r5
        extsh   r6, r6
        eqv     r6, r6, r5
        nand    r6, r6, r5
        orc     r6, r6, r5
        nor.    r6, r6, r5
        andc    r6, r6, r6
        xoris   r6, r6, 0x1234
        andis.  r6, r6, 0
        neg     r6, r6
        twi     4, r6, 1                # trap if equal to 1: it is 0
        tw      16, r6, r6              # trap if less
# Counted loop of 3, a jump through CTR, a call and a conditional return: 3 + 1 + 1.
        li      r5, 3
        mtctr   r5
count:  addi    r3, r3, 1
        bdnz    count
        lis     r5, landing@ha
        addi    r5, r5, landing@l
        mtctr   r5
        bctr
        tw      31, r0, r0
landing:
        addi    r3, r3, 1
        bl      leaf
        lis     r5, leaf@ha
        addi    r5, r5, leaf@l
        mtctr   r5
        li      r6, 2
        cmpwi   cr1, r6, 2
        beqctrl cr1
        addi    r3, r3, -1
        mtctr   r6
conditional:
        cmpwi   r6, 5
        bdnzf   eq, conditional
# Floating point: 1 + 2 * 3 = 7; 7 - 1 = 6 through conversions.
        fmadd   f1, f11, f12, f10
        fsub    f2, f1, f10
        fdiv    f3, f2, f12             # 2
        fmul    f3, f3, f12             # 6
        fadd    f4, f3, f10
        fnmsub  f5, f11, f12, f4        # 1
        fmsub   f6, f4, f10, f5         # 6
        fnmadd  f7, f10, f11, f12       # -5
        fadds   f8, f13, f13
        fsubs   f8, f8, f13
        fmuls   f8, f8, f11
        fdivs   f8, f8, f13
        fmadds  f8, f8, f13, f13
        fnmadds f9, f8, f13, f13
        fmsubs  f9, f8, f13, f13
        fnmsubs f9, f8, f13, f13
        fres    f9, f11
        frsqrte f9, f12
        fsel    f9, f7, f9, f6          # f7 < 0: 6
        fneg    f7, f7
        fabs    f7, f7
        fnabs   f7, f7
        fmr     f7, f9
        frsp    f7, f7
        fctiw   f7, f7
        fctiwz  f9, f9
        fcmpu   cr5, f6, f3
        fcmpo   cr6, f6, f10
        fadd.   f5, f5, f5
        stfiwx  f9, 0, r29
        stfd    f9, 40(r29)
        lwz     r5, 44(r29)             # 6
        lfdu    f10, 0(r29)             # restore the first constant, which was overwritten
        lis     r6, 0x3ff0
        stw     r6, 0(r29)
        lfd     f10, 0(r29)
        bne     cr5, wrong
        add     r3, r3, r5
wrong:  mffs    f7
        mtfsf   0xff, f7
        mtfsb1  29
        mtfsb0  29
        mtfsfi  7, 0
        mcrfs   cr1, 5
        addic.  r30, r30, -1
        bne     turn
        mtlr    r31
        blr
leaf:   cmpwi   cr7, r3, -1
        addi    r3, r3, 1
        bnelr   cr7
        tw      31, r0, r0

        .data
        .balign 32
constants:
        .double 1.0, 2.0, 3.0
        .float  0.5, 0.0
        .space  32
        .section .note.GNU-stack,"",@progbits
