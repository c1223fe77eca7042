package org.crabro.container.bulk;

import java.nio.charset.StandardCharsets;
import org.crabro.protocol.encoding.RowAssembly;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * Encodes tensors, and subspaces of tensors, whose dimensions are all indexed: lists of numbers
 * however they nest, hexadecimal digits, and cells with their addresses.
 */
final class DenseTensorPut extends ValuePut {
    private static final byte[] TYPE = "\"type\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VALUES = "\"values\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CELLS = "\"cells\"".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_DEPTH = 16;

    private final CellType cellType;
    private final CellPut cells;
    private final int count;
    private final TensorEntryPut entry;

    DenseTensorPut(TensorType type, RowAssembly row) {
        super(row);
        this.cellType = type.cellType();
        this.cells = new CellPut(cellType, row);
        this.count = type.cellCount();
        this.entry = new TensorEntryPut(type, row);
    }

    @Override
    void put(JsonBytes json) {
        if (count > DenseTensor.CELL_COUNT_MAX) {
            throw json.uncommon();
        }
        if (json.passes('{')) {
            putMembers(json);
        } else {
            putListOrDigits(json);
        }
    }

    /** Of values and cells the last counts. */
    private void putMembers(JsonBytes json) {
        int begin = row.size();
        boolean isPut = false;
        do {
            if (json.passes(TYPE)) {
                json.expect(':');
                // Not looked at: the schema says it.
                json.asciiText();
            } else {
                row.forget(begin);
                if (json.passes(VALUES)) {
                    json.expect(':');
                    putValues(json);
                } else if (json.passes(CELLS)) {
                    json.expect(':');
                    json.expect('[');
                    putCells(json);
                } else {
                    throw json.uncommon();
                }
                isPut = true;
            }
        } while (json.passes(','));
        json.expect('}');
        if (!isPut) {
            throw json.uncommon();
        }
    }

    private void putListOrDigits(JsonBytes json) {
        if (json.isAtString()) {
            putDigits(json);
            return;
        }
        json.expect('[');
        if (json.next() == '{') {
            putCells(json);
        } else {
            putRest(json);
        }
    }

    private void putValues(JsonBytes json) {
        if (json.isAtString()) {
            putDigits(json);
        } else {
            json.expect('[');
            putRest(json);
        }
    }

    /** Puts the numbers of a list from the first one on. */
    void putRest(JsonBytes json) {
        int left = count;
        int depth = 1;
        while (depth > 0) {
            if (json.passes('[')) {
                depth++;
                if (depth > MAX_DEPTH) {
                    throw json.uncommon();
                }
                continue;
            }
            if (cellType == CellType.FLOAT) {
                left -= json.putFloats(row, left);
            }
            if (left-- == 0) {
                throw json.uncommon();
            }
            cells.put(json.anyDouble());
            while (!json.passes(',')) {
                json.expect(']');
                if (--depth == 0) {
                    break;
                }
            }
        }
        if (left != 0) {
            throw json.uncommon();
        }
    }

    private void putDigits(JsonBytes json) {
        if (cellType == CellType.FLOAT && json.putHexFloats(row, count)) {
            return;
        }
        json.next();
        int from = json.at() + 1;
        int to = json.plainString();
        int perCell = (to - from) % count == 0 ? (to - from) / count : 0;
        boolean fits =
                cellType == CellType.INT8
                        ? perCell == 2
                        : perCell == 2 || perCell == 4 || perCell == 8 || perCell == 16;
        if (!fits) {
            throw json.uncommon();
        }
        byte[] bytes = json.bytes();
        for (int at = from; at < to; at += perCell) {
            long bits = 0;
            int wrong = 0;
            for (int i = at; i < at + perCell; i++) {
                int digit = HexDigits.VALUES[bytes[i] & 0xff];
                wrong |= digit;
                bits = (bits << 4) | (digit & 0xf);
            }
            double cell = cell(bits, perCell);
            // Which of the many that are no number is kept is decided elsewhere.
            if (wrong < 0 || Double.isNaN(cell)) {
                throw json.uncommon();
            }
            cells.put(cell);
        }
    }

    /** How many digits a cell has tells what it was written from. */
    private static double cell(long bits, int digits) {
        return switch (digits) {
            case 2 -> (byte) bits;
            case 4 -> Float.intBitsToFloat((int) bits << Short.SIZE);
            case 8 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }

    /** Puts cells from the first one on to the end of their array; those not named are 0. */
    private void putCells(JsonBytes json) {
        int begin = row.size();
        row.putZeros(Math.multiplyExact(count, cellType.size()));
        do {
            int from = row.size();
            entry.readCell(json);
            row.forget(from);
            cells.set(begin + entry.cell() * cellType.size(), entry.value());
        } while (json.passes(','));
        json.expect(']');
    }
}
