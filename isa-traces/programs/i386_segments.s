# Segment registers and far transfers. User code can load only the selectors that it was given, and null.
# Checksum: 300 turns x 3 (far jump, far call and interrupt return add 1 each) = 900; & 255 = 132.
        .text
        .globl  kernel
kernel: pushl   %ebx
        pushl   %edi
        xorl    %ebx, %ebx
        movl    $300, %edi
        movw    %cs, code_selector
        movw    %cs, code_selector+6
        movw    %ds, data_selector
        movl    $far_target, code_pointer
        movl    $far_function, code_pointer+6
        movl    $value, data_pointer
turn:
# Moves to segment registers, from a register and from memory.
        movw    %ds, %ax
        movw    %ax, %ds
        movw    %ax, %es
        movw    %es, %cx
        movw    data_selector, %es
        movw    %ss, %ax
        movw    %ax, %ss
        movl    %fs, %eax
        movl    %eax, %fs
        movl    %gs, %eax
        movl    %eax, %gs
# Pushes and pops of segment registers.
        pushl   %ds
        popl    %ds
        pushl   %es
        popl    %es
        pushl   %ss
        popl    %ss
        pushl   %fs
        popl    %fs
        pushl   %gs
        popl    %gs
        pushl   %cs
        popl    %eax
# Loads of far pointers.
        ldsl    data_pointer, %eax
        lesl    data_pointer, %eax
        pushl   %ss
        leal    4(%esp), %eax
        pushl   %eax
        lssl    (%esp), %esp
# Far jump, far call and return, return from interrupt.
        ljmpl   *code_pointer
        ud2
far_target:
        incl    %ebx
        lcall   *code_pointer+6
        pushfl
        pushl   %cs
        pushl   $returned
        iret
        ud2
returned:
        incl    %ebx
        decl    %edi
        jnz     turn
        movl    %ebx, %eax
        popl    %edi
        popl    %ebx
        ret
far_function:
        incl    %ebx
        lret

        .data
        .balign 4
code_pointer:
        .long   0
code_selector:
        .short  0
        .long   0
        .short  0
data_pointer:
        .long   0
data_selector:
        .short  0
        .balign 4
value:  .long   7
        .section .note.GNU-stack,"",@progbits
