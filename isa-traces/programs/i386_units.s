# All kinds of operations: rare integer instructions, indirect branches, x87 with transcendental functions and its
# environment, MMX, 3DNow!, misaligned operands.
# Checksum, per turn of 150: integer 11, branches 6, x87 4, MMX 8, 3DNow! 5 = 34; 150 x 34 = 5100, & 255 = 236.
        .text
        .globl  kernel
kernel: pushl   %ebp
        pushl   %ebx
        pushl   %esi
        pushl   %edi
        xorl    %edi, %edi
        movl    $150, %ebp
turn:
# Integer: multiply and divide give 7, bit scan 3, exchange 1.
        movl    $21, %eax
        movl    $1000, %ecx
        mull    %ecx
        divl    %ecx
        movl    $3, %ecx
        cltd
        idivl   %ecx
        addl    %eax, %edi              # 7
        imull   %ecx, %eax
        imull   $5, %eax, %edx
        movl    $8, %eax
        bsfl    %eax, %ecx
        addl    %ecx, %edi              # 3
        bsrl    %eax, %ecx
        btl     $3, %eax
        setc    %cl
        movzbl  %cl, %ecx
        addl    %ecx, %edi              # 1
        bswapl  %edx
        xchgl   %eax, %edx
        movsbl  %al, %edx
        movswl  %ax, %edx
        shldl   $4, %edx, %eax
        shrdl   $4, %edx, %eax
        rcll    $1, %eax
        rcrl    $3, %eax
        roll    $5, %eax
        sarl    $2, %eax
        cmovnel %edx, %eax
        cmpxchgl %ecx, %edx
        movl    $42, %eax
        aam
        aad
        daa
        das
        lahf
        sahf
        cwtl
        movl    $table, %ebx
        movb    $2, %al
        xlatb
        cmc
        stc
        clc
        notl    %eax
        negl    %eax
        adcl    %eax, scratch
        sbbl    %eax, scratch
        btcl    $5, scratch
        btrl    %ecx, scratch
        pushl   scratch
        popl    scratch+4
        pushfl
        popl    %eax
        pusha
        popa
        enter   $16, $0
        movl    %edi, -4(%ebp)
        leave
        nop
        prefetchnta scratch
        prefetcht0 scratch+32
        prefetchw scratch+64
# Misaligned: across 8 bytes, a line, a page.
        movl    scratch+5, %eax
        movl    %eax, scratch+6
        movw    scratch+7, %ax
        movw    %ax, scratch+63
        addl    $0, pages+4094
        movl    pages+4093, %eax
# Branches: a call through a register and through memory, a jump through a table, loop, jecxz.
        movl    $leaf, %eax
        call    *%eax                   # 1
        call    *pointer                # 1
        movl    %ebp, %eax
        andl    $1, %eax
        jmp     *jumps(,%eax,4)
even:   incl    %edi
        jmp     joined
odd:    incl    %edi                    # even or odd: 1
joined: movl    $3, %ecx
again:  incl    %edi                    # 3
        loop    again
        jecxz   empty
        ud2
empty:  into
# x87: 2 + 2 = 4 with several forms; sine, tangent, logarithm, exponential, remainder; environment.
        fninit
        fld1
        fadd    %st(0), %st
        faddl   two
        fistl   integer
        addl    integer, %edi           # 4
        fsqrt
        fstps   scratch+16
        fldt    extended
        fstpt   scratch+32
        fildl   integer
        fimull  integer
        fidivl  integer
        fisubl  integer
        fcos
        fsin
        fabs
        fchs
        fptan
        fpatan
        fldpi
        fldl2e
        fyl2x
        frndint
        f2xm1
        fxch    %st(1)
        fscale
        fxam
        ftst
        fucomi  %st(1), %st
        fcomp   %st(1)
        fnstsw  %ax
        fcmovne %st(1), %st
        fld1
        fldz
        fprem
        fdivp   %st, %st(1)
        fincstp
        fdecstp
        fnstcw  scratch
        fldcw   scratch
        fnstenv environment
        fldenv  environment
        fnsave  environment
        frstor  environment
        fbld    decimal
        fbstp   scratch+48
        ffree   %st(0)
        fwait
        fnclex
        fninit
# MMX: sums 1 + 1 = 2 and 2 + 2 = 4 of words, and a difference of 2: 2 + 4 + 2 = 8.
        movq    words, %mm0
        paddw   words, %mm0             # 2, 4, 6, 8
        movd    %mm0, %eax
        movzwl  %ax, %ecx
        addl    %ecx, %edi              # 2
        shrl    $16, %eax
        addl    %eax, %edi              # 4
        movq    %mm0, %mm1
        psrlq   $16, %mm1
        psubw   %mm0, %mm1              # 2 in the lowest
        movd    %mm1, %eax
        andl    $0xff, %eax
        addl    %eax, %edi              # 2
        pmullw  %mm0, %mm1
        pmaddwd %mm0, %mm1
        punpcklwd %mm1, %mm0
        packssdw %mm1, %mm0
        pcmpgtw %mm1, %mm0
        pxor    %mm2, %mm2
        por     %mm2, %mm0
        pand    %mm1, %mm0
        pandn   %mm1, %mm0
        pslld   $3, %mm0
        movq    %mm0, scratch+72
        movl    %ebp, %eax
        movd    %eax, %mm3
        pmovmskb %mm3, %eax
        pshufw  $0x1b, %mm3, %mm4
        pinsrw  $2, %eax, %mm4
        pextrw  $2, %mm4, %eax
        pavgb   %mm3, %mm4
        movntq  %mm4, scratch+80
        emms
# 3DNow!: 1.5 + 3.5 = 5.
        movq    floats, %mm0
        pfadd   floats+8, %mm0
        pf2id   %mm0, %mm1
        movd    %mm1, %eax
        addl    %eax, %edi              # 5
        pi2fd   %mm1, %mm1
        pfmul   %mm0, %mm1
        pfsub   %mm0, %mm1
        pfcmpge %mm0, %mm1
        pswapd  %mm0, %mm2
        femms
        decl    %ebp
        jnz     turn
        movl    %edi, %eax
        popl    %edi
        popl    %esi
        popl    %ebx
        popl    %ebp
        ret
leaf:   incl    %edi
        ret     $0

        .data
        .balign 64
two:    .double 2.0
words:  .short  1, 2, 3, 4
floats: .float  1.5, 2.5, 3.5, 4.5
extended:
        .byte   0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f
decimal:
        .byte   0x21, 0x43, 0, 0, 0, 0, 0, 0, 0, 0
        .balign 4
pointer:
        .long   leaf
jumps:  .long   even, odd
table:  .byte   1, 2, 3, 4
integer:
        .long   0
        .lcomm  scratch, 128
        .lcomm  environment, 128
        .balign 4096
pages:  .space  8192
        .section .note.GNU-stack,"",@progbits
