package org.crabro.ranking.kernel;

import static org.crabro.ranking.kernel.Amd64Assembler.R10;
import static org.crabro.ranking.kernel.Amd64Assembler.R11;
import static org.crabro.ranking.kernel.Amd64Assembler.R8;
import static org.crabro.ranking.kernel.Amd64Assembler.R9;
import static org.crabro.ranking.kernel.Amd64Assembler.RAX;
import static org.crabro.ranking.kernel.Amd64Assembler.RBX;
import static org.crabro.ranking.kernel.Amd64Assembler.RCX;
import static org.crabro.ranking.kernel.Amd64Assembler.RDI;
import static org.crabro.ranking.kernel.Amd64Assembler.RDX;
import static org.crabro.ranking.kernel.Amd64Assembler.RSI;
import static org.crabro.ranking.kernel.Amd64Assembler.Width.BITS_128;
import static org.crabro.ranking.kernel.Amd64Assembler.Width.BITS_256;
import static org.crabro.ranking.kernel.Amd64Assembler.Width.BITS_512;

import java.util.List;
import org.crabro.ranking.kernel.Amd64Assembler.Memory;
import org.crabro.ranking.kernel.Amd64Assembler.Vector;

/**
 * Writes loops that compare rows of whole cache lines with a query vector, as C functions.
 *
 * <p>Four parts of a run are compared in parallel; {@link SideBySide} explains why:
 *
 * {@snippet lang=c :
 * // the results of the rows at run, run + part * rowSize and so on, each plus the argument plus
 * void run(long query, long run, long rowSize, long part, double *into, double plus);
 * double row(long query, long row, long rowSize, double plus);
 * }
 *
 * <p>Both functions return the same result for a row, to the last bit.
 */
final class MachineLoops {
    /** The sum over the cells of a row. */
    enum Sum {
        /** {@code q * x} of bfloat16 cells. */
        BFLOAT16_PRODUCTS,
        /** {@code x * x - 2 * q * x} of bfloat16 cells. */
        BFLOAT16_SQUARES,
        /** {@code q * (x + 128)} of int8 cells. */
        INT8_PRODUCTS,
        /** {@code (x + 128) * (x - 128) - 2 * q * (x + 128)} of int8 cells. */
        INT8_SQUARES;

        boolean isOfInts() {
            return this == INT8_PRODUCTS || this == INT8_SQUARES;
        }

        boolean isOfSquares() {
            return this == BFLOAT16_SQUARES || this == INT8_SQUARES;
        }
    }

    /** The bytes of a step. */
    private static final int LINE = 64;

    // Vector registers. Registers from 0 on hold the sums of rows, those from 4 on the second sums.
    private static final int SECOND_SUMS = 4;
    private static final int QUERY = 8;
    private static final int ROW = 9;
    private static final int UNSIGNED = 10;
    private static final int OTHER = 11;
    private static final int OTHER_SUM = 12;
    private static final int SIGNS = 14;
    private static final int PLUS = 15;

    private static final int SIGN_BITS = 0x8080_8080;

    private final Amd64Assembler code;
    private final Sum sum;
    private final int ahead;

    private MachineLoops(Amd64Assembler code, Sum sum, int ahead) {
        this.code = code;
        this.sum = sum;
        this.ahead = ahead;
    }

    /**
     * Writes a function that compares four parts of a run, and returns its offset.
     *
     * @param ahead the prefetch distance in bytes in each part; 0 for no prefetch instructions
     */
    static int run(Amd64Assembler code, Sum sum, int ahead) {
        code.align(LINE);
        int start = code.here();
        new MachineLoops(code, sum, ahead).run();
        return start;
    }

    /** Writes a function that compares one row, and returns its offset. */
    static int row(Amd64Assembler code, Sum sum) {
        code.align(LINE);
        int start = code.here();
        new MachineLoops(code, sum, 0).row();
        return start;
    }

    /**
     * Writes the function. RSI advances through the cells of the run; the rows of the other parts
     * are addressed relative to it.
     */
    private void run() {
        code.push(RBX);
        constants();
        code.mov(R9, RCX);
        code.imul(R9, RDX);
        code.lea(R10, Memory.at(R9, R9, 2));
        code.add(RCX, RCX);
        code.add(RCX, RCX);
        code.add(RCX, RCX);
        code.lea(R11, Memory.at(RCX, RCX, 2));
        code.lea(RBX, Memory.at(R8, RCX));
        code.align(LINE);
        int nextRow = code.here();
        cells(
                List.of(
                        Memory.at(RSI),
                        Memory.at(RSI, R9),
                        Memory.at(RSI, R9, 2),
                        Memory.at(RSI, R10)));
        total(1, 2, 3);
        code.vmovlpd(Memory.at(R8), 0);
        code.vmovhpd(Memory.at(R8, RCX), 0);
        code.vextractf32x4(BITS_256, OTHER, 0, 1);
        code.vmovlpd(Memory.at(R8, RCX, 2), OTHER);
        code.vmovhpd(Memory.at(R8, R11), OTHER);
        code.addByte(R8, Double.BYTES);
        code.cmp(R8, RBX);
        code.jne(nextRow);
        code.vzeroupper();
        code.pop(RBX);
        code.ret();
    }

    private void row() {
        constants();
        cells(List.of(Memory.at(RSI)));
        total(0, 0, 0);
        code.vzeroupper();
        code.ret();
    }

    private void constants() {
        code.vbroadcastsd(BITS_256, PLUS, 0);
        if (sum.isOfInts()) {
            code.mov32(RAX, SIGN_BITS);
            code.vpbroadcastd(BITS_512, SIGNS, RAX);
        }
    }

    /** Writes the loop over the cells of as many rows as there are places. */
    private void cells(List<Memory> places) {
        for (int place = 0; place < places.size(); place++) {
            zero(place);
            if (sum.isOfSquares()) {
                zero(SECOND_SUMS + place);
            }
        }
        code.zero32(RAX);
        int nextCell = code.here();
        code.vmovdqu64(BITS_512, QUERY, Memory.at(RDI, RAX));
        for (int place = 0; place < places.size(); place++) {
            if (ahead > 0) {
                code.prefetcht0(places.get(place).plus(ahead));
            }
            line(place, places.get(place));
        }
        code.addByte(RSI, LINE);
        code.addByte(RAX, LINE);
        code.cmp(RAX, RDX);
        code.jne(nextCell);
        for (int place = 0; place < places.size(); place++) {
            lanes(place);
        }
    }

    private void zero(int register) {
        code.vpxord(BITS_512, register, register, new Vector(register));
    }

    /**
     * Writes the instructions for one cache line of a row. For bytes, one factor has to be
     * unsigned: the cells of the row with inverted sign bits, which adds 128 to each. The mask that
     * inverts them is -128 in each byte, so as a factor it subtracts.
     */
    private void line(int place, Memory row) {
        int second = SECOND_SUMS + place;
        switch (sum) {
            case BFLOAT16_PRODUCTS -> code.vdpbf16ps(BITS_512, place, QUERY, row);
            case BFLOAT16_SQUARES -> {
                code.vmovdqu64(BITS_512, ROW, row);
                code.vdpbf16ps(BITS_512, place, QUERY, new Vector(ROW));
                code.vdpbf16ps(BITS_512, second, ROW, new Vector(ROW));
            }
            case INT8_PRODUCTS -> {
                code.vpxord(BITS_512, UNSIGNED, SIGNS, row);
                code.vpdpbusd(BITS_512, place, UNSIGNED, new Vector(QUERY));
            }
            case INT8_SQUARES -> {
                code.vmovdqu64(BITS_512, ROW, row);
                code.vpxord(BITS_512, UNSIGNED, SIGNS, new Vector(ROW));
                code.vpdpbusd(BITS_512, place, UNSIGNED, new Vector(QUERY));
                code.vpdpbusd(BITS_512, second, UNSIGNED, new Vector(ROW));
                code.vpdpbusd(BITS_512, second, UNSIGNED, new Vector(SIGNS));
            }
        }
    }

    /** Adds sixteen lanes to four. */
    private void lanes(int place) {
        if (sum.isOfSquares()) {
            int second = SECOND_SUMS + place;
            subtract(second, second, place);
            subtract(place, second, place);
        }
        code.vextractf64x4(OTHER, place, 1);
        add(BITS_256, place, place, OTHER);
        code.vextractf32x4(BITS_256, OTHER, place, 1);
        add(BITS_128, place, place, OTHER);
    }

    /**
     * Adds the four lanes of row 0 and of three others; writes the sums as doubles to register 0.
     */
    private void total(int b, int c, int d) {
        pair(OTHER_SUM, 0, b);
        pair(OTHER, c, d);
        code.vunpcklpd(BITS_128, 0, OTHER_SUM, OTHER);
        code.vunpckhpd(BITS_128, OTHER, OTHER_SUM, OTHER);
        add(BITS_128, 0, 0, OTHER);
        if (sum.isOfInts()) {
            code.vcvtdq2pd(BITS_256, 0, 0);
        } else {
            code.vcvtps2pd(BITS_256, 0, 0);
        }
        code.vaddpd(BITS_256, 0, 0, PLUS);
    }

    /** Adds lanes of two rows: 0 and 2 of both, then 1 and 3 of both. */
    private void pair(int to, int a, int b) {
        code.vunpcklps(BITS_128, ROW, a, b);
        code.vunpckhps(BITS_128, to, a, b);
        add(BITS_128, to, ROW, to);
    }

    private void add(Amd64Assembler.Width width, int to, int a, int b) {
        if (sum.isOfInts()) {
            code.vpaddd(width, to, a, b);
        } else {
            code.vaddps(width, to, a, b);
        }
    }

    private void subtract(int to, int from, int what) {
        if (sum.isOfInts()) {
            code.vpsubd(BITS_512, to, from, what);
        } else {
            code.vsubps(BITS_512, to, from, what);
        }
    }
}
