package org.crabro.tensor;

import org.crabro.text.HexDigits;

/**
 * Cells as hexadecimal digits: big-endian, all cells in standard order; 2 digits for a cell of
 * int8, 4 for bfloat16, 8 for float, 16 for double.
 */
public final class HexCells {
    private HexCells() {}

    /**
     * Decodes the cells in {@code digits}. The number of digits per cell determines the cell type
     * from which they were written. It may differ from that of {@code type}, except for int8.
     *
     * @param type dense
     * @throws TensorSyntaxException if a character is not a digit, or the number of digits is wrong
     */
    public static double[] decode(String digits, TensorType type) {
        int count = type.cellCount();
        int perCell = perCell(digits.length(), count, type.cellType());
        if (perCell == 0) {
            throw new TensorSyntaxException(
                    "expected %d hexadecimal digits for the %d cells of %s, but got %d"
                            .formatted(
                                    2L * type.cellType().size() * count,
                                    count,
                                    type,
                                    digits.length()));
        }
        double[] cells = CellMemory.cells(count);
        for (int i = 0; i < count; i++) {
            cells[i] = cell(bits(digits, i * perCell, perCell), perCell);
        }
        return cells;
    }

    /** Returns the cells of {@code tensor} as digits, upper case. */
    public static String encode(DenseTensor tensor) {
        CellType cells = tensor.type().cellType();
        int perCell = 2 * cells.size();
        var digits = new StringBuilder(tensor.size() * perCell);
        for (int i = 0; i < tensor.size(); i++) {
            long bits = bitsOf(tensor.cell(i), cells);
            for (int shift = 4 * (perCell - 1); shift >= 0; shift -= 4) {
                digits.append((char) HexDigits.digit((int) (bits >>> shift)));
            }
        }
        return digits.toString();
    }

    /**
     * Returns the digits of each of {@code count} cells; 0 if {@code length} digits are not so many
     * cells of {@code type}.
     */
    public static int perCell(int length, int count, CellType type) {
        int perCell = length % count == 0 ? length / count : 0;
        boolean fits =
                type == CellType.INT8
                        ? perCell == 2
                        : perCell == 2 || perCell == 4 || perCell == 8 || perCell == 16;
        return fits ? perCell : 0;
    }

    /** Returns the cell with the bits of a number of digits, which {@link #perCell} returned. */
    public static double cell(long bits, int digits) {
        return switch (digits) {
            case 2 -> (byte) bits;
            case 4 -> Float.intBitsToFloat((int) bits << 16);
            case 8 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }

    private static long bitsOf(double cell, CellType cells) {
        return switch (cells) {
            case DOUBLE -> Double.doubleToRawLongBits(cell);
            case FLOAT -> Float.floatToRawIntBits((float) cell);
            case BFLOAT16 -> Float.floatToRawIntBits((float) cell) >>> 16;
            case INT8 -> (byte) cell;
        };
    }

    private static long bits(String digits, int start, int count) {
        long bits = 0;
        for (int i = start; i < start + count; i++) {
            char c = digits.charAt(i);
            int digit = c < 0x80 ? HexDigits.value((byte) c) : -1;
            if (digit < 0) {
                throw new TensorSyntaxException(
                        "'%s' at index %d is no hexadecimal digit".formatted(c, i));
            }
            bits = bits << 4 | digit;
        }
        return bits;
    }
}
