# String instructions with and without repetition, in both directions, and locked operations.
# Checksum: 200 (increments) + 200 (exchange-adds) + 100 (compare-and-exchange) + 50 (8-byte one) + 60 x 3
# (bytes found by scas) + 40 (equal comparisons) = 770; & 255 = 2.
        .text
        .globl  kernel
kernel: pushl   %ebp
        pushl   %ebx
        pushl   %esi
        pushl   %edi
        cld
# Fill and copy, by 1, 2 and 4 bytes, lengths 0 to 59.
        xorl    %ebp, %ebp
lengths:
        movl    $source, %edi
        movl    $0x20202020, %eax
        movl    %ebp, %ecx
        rep stosb
        movl    %ebp, %ecx
        rep stosw
        movl    %ebp, %ecx
        rep stosl
        movl    $source+1, %esi
        movl    $target, %edi
        movl    %ebp, %ecx
        rep movsb
        movl    %ebp, %ecx
        rep movsw
        movl    %ebp, %ecx
        rep movsl
        std
        movl    $source+300, %esi
        movl    $target+400, %edi
        movl    %ebp, %ecx
        rep movsl
        cld
        incl    %ebp
        cmpl    $60, %ebp
        jne     lengths
        xorl    %ebx, %ebx
# Search for a byte at position 3 of a line of other bytes: scas stops after it.
        movl    $60, %ebp
search: movb    $'x', target+3
        movl    $target, %edi
        movb    $'x', %al
        movl    $100, %ecx
        repne scasb
        subl    $target+1, %edi
        addl    %edi, %ebx              # 3
        movb    $0x20, target+3
        decl    %ebp
        jnz     search
# Compare equal strings.
        movl    $40, %ebp
equal:  movl    $source, %esi
        movl    $source, %edi
        movl    $17, %ecx
        repe cmpsb
        jne     differ
        incl    %ebx
differ: movl    $source, %esi
        movl    $target, %edi
        lodsb
        stosb
        lodsw
        stosw
        lodsl
        stosl
        movsb
        movsl
        cmpsl
        scasl
        decl    %ebp
        jnz     equal
# Locked operations.
        movl    $200, %ebp
locked: lock incl cell
        movl    $1, %eax
        lock xaddl %eax, cell+4
        xchgl   %eax, cell+8
        lock addl $5, cell+12
        lock orl $1, cell+16
        lock btsl $3, cell+16
        decl    %ebp
        jnz     locked
        addl    cell, %ebx
        addl    cell+4, %ebx
        movl    $100, %ebp
swap:   movl    cell+20, %eax
        leal    1(%eax), %ecx
        lock cmpxchgl %ecx, cell+20
        jne     swap
        decl    %ebp
        jnz     swap
        addl    cell+20, %ebx
        movl    $50, %ebp
        movl    %ebx, %esi
swap8:  movl    cell+24, %eax
        movl    cell+28, %edx
        movl    %eax, %ebx
        movl    %edx, %ecx
        addl    $1, %ebx
        adcl    $0, %ecx
        lock cmpxchg8b cell+24
        jne     swap8
        decl    %ebp
        jnz     swap8
        addl    cell+24, %esi
        movl    %esi, %eax
        popl    %edi
        popl    %esi
        popl    %ebx
        popl    %ebp
        ret

        .lcomm  cell, 64
        .lcomm  source, 1024
        .lcomm  target, 1024
        .section .note.GNU-stack,"",@progbits
