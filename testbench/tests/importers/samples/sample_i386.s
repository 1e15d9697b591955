# Forms whose accesses other tools tell in different ways: a loop, a call, rep, x87 of ten bytes, read-modify-write.
        .globl  _start
_start: movl    $3, %ecx
again:  movl    table(,%ecx,4), %eax
        addl    %eax, total
        decl    %ecx
        jnz     again
        call    helper
        cld
        movl    $from, %esi
        movl    $to, %edi
        movl    $4, %ecx
        rep movsb
        fldt    value
        fstpt   result
        fldl    value
        fstps   result
        pushl   table
        popl    %ebx
        xchgl   %ebx, total
        lock xaddl %ebx, total
        cmpw    $5, table
        movl    $1, %eax
        xorl    %ebx, %ebx
        int     $0x80
helper: pusha
        popa
        ret
        .data
table:  .long   1, 2, 3, 4
total:  .long   0
from:   .ascii  "abcd"
to:     .space  4
value:  .space  12
result: .space  12
        .section .note.GNU-stack,"",@progbits
