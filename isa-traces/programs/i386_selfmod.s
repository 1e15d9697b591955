# Self-modifying code: the text segment is writable (linked with -N). A function's immediate operand is rewritten
# before each call, from another page and from the same line; an instruction is replaced by another and restored.
# Checksum: (0 + 1 + ... + 99) + 100 x 3 (modified in its own line) + 50 = 4950 + 300 + 50 = 5300
# a round; 5 rounds: 26500, & 255 = 132.
        .text
        .globl  kernel
kernel: pushl   %ebx
        pushl   %esi
        xorl    %ebx, %ebx
        movl    $5, %esi
round:  xorl    %ecx, %ecx
# The operand of a function on another page.
operand:
        movl    %ecx, patched+1
        call    patched
        addl    %eax, %ebx
        incl    %ecx
        cmpl    $100, %ecx
        jne     operand
# The operand of the instruction that follows.
        movl    $100, %ecx
near:   movb    $3, here+2
here:   addl    $1, %ebx
        movb    $1, here+2
        decl    %ecx
        jnz     near
# inc (0x43) becomes nop (0x90) and is restored: 50 of 100 turns increment.
        movl    $100, %ecx
flip:   movl    %ecx, %eax
        andl    $1, %eax
        imull   $0x90-0x43, %eax
        addl    $0x43, %eax
        movb    %al, flipped
        call    flipped
        decl    %ecx
        jnz     flip
        decl    %esi
        jnz     round
        movl    %ebx, %eax
        popl    %esi
        popl    %ebx
        ret

        .balign 4096
patched:
        movl    $0, %eax
        ret
        .balign 64
flipped:
        incl    %ebx
        ret
        .section .note.GNU-stack,"",@progbits
