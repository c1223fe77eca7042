package org.crabro.tensor;

/**
 * Cells as hexadecimal digits: big-endian, all cells in standard order; 2 digits for a cell of
 * int8, 4 for bfloat16, 8 for float, 16 for double.
 */
public final class HexCells {
    private static final char[] DIGITS = "0123456789ABCDEF".toCharArray();

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
        int perCell = digits.length() % count == 0 ? digits.length() / count : 0;
        boolean fits =
                type.cellType() == CellType.INT8
                        ? perCell == 2
                        : perCell == 2 || perCell == 4 || perCell == 8 || perCell == 16;
        if (!fits) {
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
                digits.append(DIGITS[(int) (bits >>> shift) & 0xf]);
            }
        }
        return digits.toString();
    }

    private static double cell(long bits, int digits) {
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
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw new TensorSyntaxException(
                        "'%s' at index %d is no hexadecimal digit".formatted(c, i));
            }
            bits = bits << 4 | digit;
        }
        return bits;
    }
}
