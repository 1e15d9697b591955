# All integer and floating-point operates of the base architecture, conditional moves, all branches and jumps.
# Checksum: 118 checks; each of 150 turns adds 1 for each check that passes; 17700, & 255 = 36.
        .set    noat
        .arch   ev4
        .text
        .globl  kernel
        .ent    kernel
# Adds 1 to the checksum if the register holds the literal.
        .macro  is register, value
        cmpeq   \register, \value, $28
        addq    $0, $28, $0
        .endm
# The same for a floating-point number.
        .macro  fis register, value
        cvttq/c \register, $f30
        stt     $f30, 0($30)
        ldq     $27, 0($30)
        is      $27, \value
        .endm
        .macro  gis register, value     # VAX
        cvtgq/c \register, $f30
        stt     $f30, 0($30)
        ldq     $27, 0($30)
        is      $27, \value
        .endm
# A branch that must be taken, and the opposite branch, which must not.
        .macro  taken yes, no, register
        \yes    \register, 1f
        subq    $0, 1, $0
1:      \no     \register, 2f
        addq    $0, 1, $0
2:
        .endm
kernel: ldgp    $29, 0($27)
        .prologue 1
        lda     $30, -32($30)
        stq     $26, 8($30)
        mov     $31, $0
        lda     $16, numbers
        lda     $1, 150($31)
        mov     20, $2
        mov     3, $3
        negq    $3, $4                  # -3
        lda     $5, -1($31)
turn:
# Arithmetic: 20 and 3.
        addl    $2, $3, $6
        is      $6, 23
        addq    $2, $3, $6
        is      $6, 23
        subl    $2, $3, $6
        is      $6, 17
        subq    $2, $3, $6
        is      $6, 17
        s4addl  $2, $3, $6
        is      $6, 83
        s4addq  $2, $3, $6
        is      $6, 83
        s4subl  $2, $3, $6
        is      $6, 77
        s4subq  $2, $3, $6
        is      $6, 77
        s8addl  $2, $3, $6
        is      $6, 163
        s8addq  $2, $3, $6
        is      $6, 163
        s8subl  $2, $3, $6
        is      $6, 157
        s8subq  $2, $3, $6
        is      $6, 157
        addl/v  $2, $3, $6
        is      $6, 23
        addq/v  $2, $3, $6
        is      $6, 23
        subl/v  $2, $3, $6
        is      $6, 17
        subq/v  $2, $3, $6
        is      $6, 17
        trapb
        lda     $6, 100($2)
        is      $6, 120
        ldah    $6, 1($31)              # 65536
        srl     $6, 9, $6
        is      $6, 128
# Comparisons, true and false ones.
        cmpeq   $2, 20, $6
        is      $6, 1
        cmplt   $4, $3, $6
        is      $6, 1
        cmple   $3, $3, $6
        is      $6, 1
        cmpult  $4, $3, $6
        is      $6, 0
        cmpule  $3, $4, $6
        is      $6, 1
        cmpbge  $5, $3, $6              # each byte of -1 is at least the byte of 3
        is      $6, 255
        cmpbge  $3, 4, $6
        is      $6, 254
# Multiply.
        mull    $2, $3, $6
        is      $6, 60
        mulq    $2, $3, $6
        is      $6, 60
        mull/v  $2, $3, $6
        is      $6, 60
        mulq/v  $2, $3, $6
        is      $6, 60
        umulh   $5, $3, $6              # (2^64 - 1) * 3 = 2 * 2^64 + ...
        is      $6, 2
# Logic: 20 = 10100b, 3 = 00011b.
        and     $2, 6, $6
        is      $6, 4
        bic     $2, 4, $6
        is      $6, 16
        bis     $2, $3, $6
        is      $6, 23
        ornot   $2, $5, $6
        is      $6, 20
        xor     $2, 6, $6
        is      $6, 18
        eqv     $2, $5, $6
        is      $6, 20
        implver $6                      # differs between processors: read but not used
        amask   $31, $6
        is      $6, 0
# Shift and bytes.
        sll     $2, 3, $6
        is      $6, 160
        srl     $2, 2, $6
        is      $6, 5
        sra     $4, 1, $6               # -2
        addq    $6, 2, $6
        is      $6, 0
        zap     $5, 254, $6
        is      $6, 255
        zapnot  $2, 1, $6
        is      $6, 20
        sll     $2, 40, $7
        extbl   $7, 5, $6
        is      $6, 20
        extwl   $7, 5, $6
        is      $6, 20
        extll   $7, 5, $6
        is      $6, 20
        extql   $7, 5, $6
        is      $6, 20
        extwh   $2, 7, $6               # byte 0 becomes byte 1
        srl     $6, 8, $6
        is      $6, 20
        extlh   $2, 7, $6
        srl     $6, 8, $6
        is      $6, 20
        extqh   $2, 7, $6
        srl     $6, 8, $6
        is      $6, 20
        insbl   $2, 3, $6
        srl     $6, 24, $6
        is      $6, 20
        inswl   $2, 3, $6
        srl     $6, 24, $6
        is      $6, 20
        insll   $2, 3, $6
        srl     $6, 24, $6
        is      $6, 20
        insql   $2, 3, $6
        srl     $6, 24, $6
        is      $6, 20
        inswh   $7, 7, $6               # its low word is 0
        is      $6, 0
        inslh   $7, 3, $6
        is      $6, 0
        insqh   $7, 3, $6               # byte 5 becomes byte 0
        is      $6, 20
        mskbl   $2, 0, $6
        is      $6, 0
        mskwl   $2, 0, $6
        is      $6, 0
        mskll   $2, 0, $6
        is      $6, 0
        mskql   $2, 0, $6
        is      $6, 0
        mskwh   $2, 7, $6
        is      $6, 0
        msklh   $2, 7, $6
        is      $6, 0
        mskqh   $2, 7, $6
        is      $6, 0
# Conditional moves: eight moves of 9, each checked.
        mov     $31, $6
        cmoveq  $31, 9, $6
        is      $6, 9
        mov     $31, $6
        cmovne  $3, 9, $6
        is      $6, 9
        mov     $31, $6
        cmovlt  $4, 9, $6
        is      $6, 9
        mov     $31, $6
        cmovle  $4, 9, $6
        is      $6, 9
        mov     $31, $6
        cmovgt  $3, 9, $6
        is      $6, 9
        mov     $31, $6
        cmovge  $3, 9, $6
        is      $6, 9
        mov     $31, $6
        cmovlbs $3, 9, $6
        is      $6, 9
        mov     $31, $6
        cmovlbc $2, 9, $6
        is      $6, 9
# Branches: each kind once taken and once not taken.
        taken   beq, bne, $31
        taken   bne, beq, $3
        taken   blt, bge, $4
        taken   bge, blt, $3
        taken   ble, bgt, $4
        taken   bgt, ble, $3
        taken   blbs, blbc, $3
        taken   blbc, blbs, $2
# Jumps: a branch, a subroutine by displacement and by register, a coroutine there and back, a computed jump.
        br      $31, over
        subq    $0, 1, $0
over:   bsr     $23, leaf
        lda     $27, leaf
        jsr     $23, ($27), leaf
        lda     $27, partner
        jsr     $26, ($27), partner     # returns after its first half
                jsr_coroutine $26, ($26)        # its second half, and back
        is      $8, 2
        lda     $27, landing
        jmp     $31, ($27), landing
        subq    $0, 1, $0
landing:
# Floating point: IEEE 12 and 5 ...
        ldt     $f1, 0($16)
        ldt     $f2, 8($16)
        addt    $f1, $f2, $f3
        fis     $f3, 17
        subt    $f1, $f2, $f3
        fis     $f3, 7
        mult    $f1, $f2, $f3
        fis     $f3, 60
        divt    $f1, $f2, $f3           # 2.4
        fis     $f3, 2
        lds     $f4, 16($16)
        lds     $f5, 20($16)
        adds    $f4, $f5, $f3
        fis     $f3, 17
        subs    $f4, $f5, $f3
        fis     $f3, 7
        muls    $f4, $f5, $f3
        fis     $f3, 60
        divs    $f4, $f5, $f3
        fis     $f3, 2
        cmpteq  $f1, $f1, $f3           # 2.0 for true
        fis     $f3, 2
        cmptlt  $f2, $f1, $f3
        fis     $f3, 2
        cmptle  $f2, $f1, $f3
        fis     $f3, 2
        cmptun  $f2, $f1, $f3
        fis     $f3, 0
        cvttq/c $f1, $f6
        cvtqt   $f6, $f3
        fis     $f3, 12
        cvtqs   $f6, $f3
        fis     $f3, 12
        cvtql   $f6, $f7
        cvtlq   $f7, $f6
        cvtqt   $f6, $f3
        fis     $f3, 12
        cvtts   $f1, $f3
        cvtst   $f3, $f3
        fis     $f3, 12
        addt/su $f1, $f2, $f3
        fis     $f3, 17
        trapb
# ... VAX 8 and 4: the emulator drops the fraction of results, therefore they are powers of two; its F format is not
# reliable, therefore F results are not checked ...
        ldg     $f10, 24($16)
        ldg     $f11, 32($16)
        addg    $f11, $f11, $f12
        gis     $f12, 8
        subg    $f10, $f11, $f12
        gis     $f12, 4
        mulg    $f10, $f11, $f12
        gis     $f12, 32
        divg    $f10, $f11, $f12
        gis     $f12, 2
        ldf     $f13, 40($16)
        ldf     $f14, 44($16)
        addf    $f14, $f14, $f12
        subf    $f13, $f14, $f12
        mulf    $f13, $f14, $f12
        divf    $f13, $f14, $f12
        cmpgeq  $f10, $f10, $f12        # 0.5 for true
        fbne    $f12, veq
        subq    $0, 1, $0
veq:    cmpglt  $f11, $f10, $f12
        fbne    $f12, vlt
        subq    $0, 1, $0
vlt:    cmpgle  $f11, $f10, $f12
        fbne    $f12, vle
        subq    $0, 1, $0
vle:    cvtgq/c $f10, $f15
        cvtqg   $f15, $f12
        gis     $f12, 8
        cvtqf   $f15, $f12
        cvtgf   $f10, $f12
# ... signs, moves, control register, branches.
        cpysn   $f1, $f1, $f20          # -12
        cpys    $f1, $f20, $f3          # 12
        fis     $f3, 12
        cpyse   $f1, $f2, $f3           # sign and exponent of 12, fraction of 5: 10
        fis     $f3, 10
        cpys    $f31, $f31, $f3
        fcmoveq $f31, $f1, $f3
        fis     $f3, 12
        fcmovne $f1, $f2, $f3
        fis     $f3, 5
        fcmovlt $f20, $f1, $f3
        fis     $f3, 12
        fcmovle $f20, $f2, $f3
        fis     $f3, 5
        fcmovgt $f1, $f1, $f3
        fis     $f3, 12
        fcmovge $f1, $f2, $f3
        fis     $f3, 5
        trapb
        mf_fpcr $f21
        mt_fpcr $f21
        trapb
        taken   fbeq, fbne, $f31
        taken   fbne, fbeq, $f1
        taken   fblt, fbge, $f20
        taken   fbge, fblt, $f1
        taken   fble, fbgt, $f20
        taken   fbgt, fble, $f1
# All kinds of no-operations.
        bis     $31, $31, $31
        cpys    $f31, $f31, $f31
        ldq_u   $31, 0($30)
        subq    $1, 1, $1
        bne     $1, turn
        ldq     $26, 8($30)
        lda     $30, 32($30)
        ret     $31, ($26), 1
leaf:   addq    $0, 1, $0
        ret     $31, ($23), 1
partner:
        mov     1, $8
        jsr_coroutine $26, ($26)        # back to the caller; continues here later
        addq    $8, 1, $8
        jmp     $31, ($26)
        .end    kernel

        .data
        .align  3
numbers: .quad  0x4028000000000000, 0x4014000000000000  # 12.0 and 5.0 as T
        .long   0x41400000, 0x40A00000                  # S
        .quad   0x0000000000004040, 0x0000000000004030  # 8.0 and 4.0 as G
        .long   0x00004200, 0x00004180                  # F
        .section .note.GNU-stack,"",@progbits
