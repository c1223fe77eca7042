package org.crabro.ranking.kernel;

import java.io.ByteArrayOutputStream;

/**
 * Writes amd64 machine code: the few instructions of {@link MachineLoops}, each named as in
 * processor manuals, with the destination first.
 *
 * <p>General registers are identified by number, and constants name some of them. Vector registers
 * are 0 to 15. A memory operand has a base register, an index register that is scaled by 1, 2 or 4,
 * and a displacement.
 */
final class Amd64Assembler {
    static final int RAX = 0;
    static final int RCX = 1;
    static final int RDX = 2;
    static final int RBX = 3;
    static final int RSI = 6;
    static final int RDI = 7;
    static final int R8 = 8;
    static final int R9 = 9;
    static final int R10 = 10;
    static final int R11 = 11;

    /** The width of the vector registers of an instruction, in bits. */
    enum Width {
        BITS_128(0),
        BITS_256(1),
        BITS_512(2);

        private final int number;

        Width(int number) {
            this.number = number;
        }
    }

    /** The last operand of an instruction: a register, or memory. */
    sealed interface Operand {}

    /** A vector register. */
    record Vector(int number) implements Operand {}

    /** A general register. */
    record General(int number) implements Operand {}

    /**
     * Memory at an address.
     *
     * @param base neither 5 nor 13, whose encodings have another meaning
     * @param index not 4; -1 for none
     * @param times the factor of the index: 1, 2 or 4
     * @param ahead the displacement in bytes
     */
    record Memory(int base, int index, int times, int ahead) implements Operand {
        static Memory at(int base) {
            return new Memory(base, -1, 1, 0);
        }

        static Memory at(int base, int index) {
            return at(base, index, 1);
        }

        static Memory at(int base, int index, int times) {
            return new Memory(base, index, times, 0);
        }

        /** Returns the memory operand with a larger displacement. */
        Memory plus(int bytes) {
            return new Memory(base, index, times, ahead + bytes);
        }
    }

    // Escape codes, by their numbers in a prefix of vector instructions.
    private static final int MAP_0F = 1;
    private static final int MAP_0F38 = 2;
    private static final int MAP_0F3A = 3;

    // Prefixes that are part of an operation, by their numbers in the same.
    private static final int NONE = 0;
    private static final int P66 = 1;
    private static final int PF3 = 2;

    private static final int NOP = 0x90;
    private static final int NEEDS_SIB = 4;
    private static final int WITH_INT32 = 0x80;

    private final ByteArrayOutputStream code = new ByteArrayOutputStream();

    /** Returns the written bytes. */
    byte[] code() {
        return code.toByteArray();
    }

    /** Returns where the next instruction will be, as an offset. */
    int here() {
        return code.size();
    }

    /** Pads with NOP instructions until {@link #here} is a multiple of {@code bytes}. */
    void align(int bytes) {
        while (here() % bytes != 0) {
            code.write(NOP);
        }
    }

    /**
     * @param register 0 to 7
     */
    void push(int register) {
        code.write(0x50 + register);
    }

    /**
     * @param register 0 to 7
     */
    void pop(int register) {
        code.write(0x58 + register);
    }

    void ret() {
        code.write(0xc3);
    }

    /**
     * Clears the upper halves of vector registers, so that later SSE instructions are not slowed.
     */
    void vzeroupper() {
        bytes(0xc5, 0xf8, 0x77);
    }

    /** Copies 64 bits. */
    void mov(int to, int from) {
        general(0x89, from, new General(to));
    }

    /**
     * Writes 32 bits, and zeros above.
     *
     * @param to 0 to 7
     */
    void mov32(int to, int value) {
        code.write(0xb8 + to);
        int32(value);
    }

    void add(int to, int from) {
        general(0x01, from, new General(to));
    }

    /**
     * @param value -128 to 127
     */
    void addByte(int to, int value) {
        general(0x83, 0, new General(to));
        code.write(value);
    }

    void cmp(int one, int other) {
        general(0x39, other, new General(one));
    }

    void imul(int to, int by) {
        code.write(rex(to, new General(by)));
        bytes(0x0f, 0xaf);
        modRm(to, new General(by));
    }

    /** Computes an address. */
    void lea(int to, Memory address) {
        general(0x8d, to, address);
    }

    /**
     * Sets a register of 32 bits, and the bits above, to zero.
     *
     * @param register 0 to 7
     */
    void zero32(int register) {
        code.write(0x31);
        modRm(register, new General(register));
    }

    /** Jumps back to {@code target} if the last comparison found a difference. */
    void jne(int target) {
        bytes(0x0f, 0x85);
        int32(target - here() - Integer.BYTES);
    }

    /** Prefetches a cache line into the L1 cache, without waiting and without faults. */
    void prefetcht0(Memory line) {
        int registers = upperOfIndex(line) << 1 | upperOfBase(line);
        if (registers != 0) {
            code.write(0x40 | registers);
        }
        bytes(0x0f, 0x18);
        modRm(1, line);
    }

    void vmovdqu64(Width width, int to, Memory from) {
        vector(width, PF3, MAP_0F, 1, 0x6f, to, 0, from);
    }

    void vpxord(Width width, int to, int a, Operand b) {
        vector(width, P66, MAP_0F, 0, 0xef, to, a, b);
    }

    /** Adds products of pairs of bfloat16 numbers. */
    void vdpbf16ps(Width width, int to, int a, Operand b) {
        vector(width, PF3, MAP_0F38, 0, 0x52, to, a, b);
    }

    /** Adds products of four unsigned bytes with four signed ones. */
    void vpdpbusd(Width width, int to, int unsigned, Operand signed) {
        vector(width, P66, MAP_0F38, 0, 0x50, to, unsigned, signed);
    }

    void vaddps(Width width, int to, int a, int b) {
        vector(width, NONE, MAP_0F, 0, 0x58, to, a, new Vector(b));
    }

    void vsubps(Width width, int to, int a, int b) {
        vector(width, NONE, MAP_0F, 0, 0x5c, to, a, new Vector(b));
    }

    void vpaddd(Width width, int to, int a, int b) {
        vector(width, P66, MAP_0F, 0, 0xfe, to, a, new Vector(b));
    }

    void vpsubd(Width width, int to, int a, int b) {
        vector(width, P66, MAP_0F, 0, 0xfa, to, a, new Vector(b));
    }

    void vaddpd(Width width, int to, int a, int b) {
        vector(width, P66, MAP_0F, 1, 0x58, to, a, new Vector(b));
    }

    void vunpcklps(Width width, int to, int a, int b) {
        vector(width, NONE, MAP_0F, 0, 0x14, to, a, new Vector(b));
    }

    void vunpckhps(Width width, int to, int a, int b) {
        vector(width, NONE, MAP_0F, 0, 0x15, to, a, new Vector(b));
    }

    void vunpcklpd(Width width, int to, int a, int b) {
        vector(width, P66, MAP_0F, 1, 0x14, to, a, new Vector(b));
    }

    void vunpckhpd(Width width, int to, int a, int b) {
        vector(width, P66, MAP_0F, 1, 0x15, to, a, new Vector(b));
    }

    void vcvtps2pd(Width width, int to, int from) {
        vector(width, NONE, MAP_0F, 0, 0x5a, to, 0, new Vector(from));
    }

    void vcvtdq2pd(Width width, int to, int from) {
        vector(width, PF3, MAP_0F, 0, 0xe6, to, 0, new Vector(from));
    }

    void vbroadcastsd(Width width, int to, int from) {
        vector(width, P66, MAP_0F38, 1, 0x19, to, 0, new Vector(from));
    }

    void vpbroadcastd(Width width, int to, int fromGeneral) {
        vector(width, P66, MAP_0F38, 0, 0x7c, to, 0, new General(fromGeneral));
    }

    /** Extracts 128 bits from a vector of {@code width}. */
    void vextractf32x4(Width width, int to, int from, int part) {
        vector(width, P66, MAP_0F3A, 0, 0x19, from, 0, new Vector(to));
        code.write(part);
    }

    /** Extracts 256 bits from a vector of 512. */
    void vextractf64x4(int to, int from, int part) {
        vector(Width.BITS_512, P66, MAP_0F3A, 1, 0x1b, from, 0, new Vector(to));
        code.write(part);
    }

    /** Stores the lower double of a vector. */
    void vmovlpd(Memory to, int from) {
        vector(Width.BITS_128, P66, MAP_0F, 1, 0x13, from, 0, to);
    }

    /** Stores the second double of a vector. */
    void vmovhpd(Memory to, int from) {
        vector(Width.BITS_128, P66, MAP_0F, 1, 0x17, from, 0, to);
    }

    /** Writes an instruction with 64-bit operands. */
    private void general(int operation, int register, Operand operand) {
        code.write(rex(register, operand));
        code.write(operation);
        modRm(register, operand);
    }

    private static int rex(int register, Operand operand) {
        return 0x48 | upper(register) << 2 | upperOfIndex(operand) << 1 | upperOfBase(operand);
    }

    /** Writes an instruction with an EVEX prefix, whose register bits are inverted. */
    private void vector(
            Width width,
            int prefix,
            int map,
            int wide,
            int operation,
            int register,
            int second,
            Operand operand) {
        int registers =
                upper(register) << 7 | upperOfIndex(operand) << 6 | upperOfBase(operand) << 5;
        bytes(
                0x62,
                (registers ^ 0xf0) | map,
                wide << 7 | (second ^ 15) << 3 | 0x04 | prefix,
                width.number << 5 | 0x08,
                operation);
        modRm(register, operand);
    }

    private void modRm(int register, Operand operand) {
        int middle = (register & 7) << 3;
        switch (operand) {
            case Vector(int number) -> code.write(0xc0 | middle | (number & 7));
            case General(int number) -> code.write(0xc0 | middle | (number & 7));
            case Memory(int base, int index, int times, int ahead) -> {
                int mode = ahead == 0 ? middle : WITH_INT32 | middle;
                if (index < 0) {
                    code.write(mode | (base & 7));
                } else {
                    code.write(mode | NEEDS_SIB);
                    int scale = Integer.numberOfTrailingZeros(times);
                    code.write(scale << 6 | (index & 7) << 3 | (base & 7));
                }
                if (ahead != 0) {
                    int32(ahead);
                }
            }
        }
    }

    private static int upperOfBase(Operand operand) {
        return switch (operand) {
            case Vector(int number) -> upper(number);
            case General(int number) -> upper(number);
            case Memory memory -> upper(memory.base);
        };
    }

    private static int upperOfIndex(Operand operand) {
        return operand instanceof Memory(_, int index, _, _) && index >= 0 ? upper(index) : 0;
    }

    private static int upper(int register) {
        return register >> 3;
    }

    private void int32(int value) {
        bytes(value, value >> 8, value >> 16, value >> 24);
    }

    private void bytes(int... all) {
        for (int one : all) {
            code.write(one);
        }
    }
}
