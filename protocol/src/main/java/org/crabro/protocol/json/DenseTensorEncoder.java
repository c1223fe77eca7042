package org.crabro.protocol.json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.crabro.document.json.JsonScanner;
import org.crabro.document.json.MemberNames;
import org.crabro.document.json.TensorMembers;
import org.crabro.document.json.UnreadJson;
import org.crabro.protocol.encoding.RowAssembly;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.HexCells;
import org.crabro.tensor.TensorType;
import org.crabro.text.HexDigits;

/**
 * Encodes tensors, and subspaces of tensors, whose dimensions are all indexed: nested lists of
 * numbers, hexadecimal digits, and cells with addresses.
 */
final class DenseTensorEncoder extends ValueEncoder {
    private static final MemberNames NAMES =
            new MemberNames(List.of(TensorMembers.TYPE, TensorMembers.VALUES, TensorMembers.CELLS));
    private static final int TYPE = 0;
    private static final int VALUES = 1;
    private static final int CELLS = 2;

    /** Deeper JSON is left to the complete parser. */
    private static final int DEPTH_MAX = 100;

    private final CellType cellType;
    private final CellEncoder cells;
    private final int count;
    private final boolean isSubspace;
    private final TensorEntryEncoder entry;

    /** An encoder of whole tensors. */
    DenseTensorEncoder(TensorType type, RowAssembly row) {
        this(type, type.cellType(), false, row);
    }

    /**
     * An encoder of subspaces, which name at least one cell.
     *
     * @param cellType a type without dimensions does not contain it
     */
    DenseTensorEncoder(TensorType type, CellType cellType, RowAssembly row) {
        this(type, cellType, true, row);
    }

    private DenseTensorEncoder(
            TensorType type, CellType cellType, boolean isSubspace, RowAssembly row) {
        super(row);
        this.isSubspace = isSubspace;
        this.cellType = cellType;
        this.cells = new CellEncoder(cellType, row);
        this.count = type.cellCount();
        this.entry = new TensorEntryEncoder(type, row);
    }

    @Override
    void put(JsonScanner json) {
        if (count > DenseTensor.CELL_COUNT_MAX) {
            throw json.uncommon();
        }
        if (json.next() == '{') {
            putMembers(json);
        } else if (json.isAtString()) {
            putDigits(json);
        } else {
            putArray(json);
        }
    }

    /**
     * If values or cells occur twice, the last counts; only it must be complete. A tensor without
     * values and without any cell is all zeros.
     */
    private void putMembers(JsonScanner json) {
        int begin = row.size();
        boolean isWhole = false;
        boolean isEmpty = true;
        json.expect('{');
        if (!json.passes('}')) {
            do {
                int member = NAMES.index(json, TYPE);
                json.expect(':');
                switch (member) {
                    case VALUES -> {
                        row.forget(begin);
                        isWhole = putValues(json);
                        isEmpty = false;
                    }
                    case CELLS -> {
                        row.forget(begin);
                        json.expect('[');
                        isWhole = putCells(json);
                        isEmpty = !isWhole;
                    }
                    // The type in the JSON is ignored; the schema defines it.
                    default -> UnreadJson.pass(json);
                }
            } while (json.passes(','));
            json.expect('}');
        }
        if (isEmpty && !isSubspace) {
            row.putZeros(Math.multiplyExact(count, cellType.size()));
        } else if (!isWhole) {
            throw json.uncommon();
        }
    }

    private void putArray(JsonScanner json) {
        json.expect('[');
        if (json.next() == '{') {
            putCells(json);
        } else {
            putRemaining(json);
        }
    }

    private boolean putValues(JsonScanner json) {
        if (json.isAtString()) {
            putDigits(json);
            return true;
        }
        json.expect('[');
        return putList(json);
    }

    /** Puts the numbers of a list, whose bracket was read. */
    void putRemaining(JsonScanner json) {
        if (!putList(json)) {
            throw json.uncommon();
        }
    }

    /**
     * Puts the numbers of a nested list, whose bracket was read, and returns whether there is one
     * for each cell. More numbers are rejected.
     */
    private boolean putList(JsonScanner json) {
        if (json.passes(']')) {
            return false;
        }
        int left = count;
        int depth = 1;
        while (depth > 0) {
            if (json.passes('[')) {
                depth++;
                if (depth > DEPTH_MAX) {
                    throw json.uncommon();
                }
                if (json.next() != ']') {
                    continue;
                }
            } else {
                if (cellType == CellType.FLOAT) {
                    left -= putFloats(json, left);
                    if (json.next() == '[') {
                        continue;
                    }
                }
                if (left-- == 0) {
                    throw json.uncommon();
                }
                cells.put(json.anyDouble());
            }
            while (!json.passes(',')) {
                json.expect(']');
                if (--depth == 0) {
                    break;
                }
            }
        }
        return left == 0;
    }

    /** Puts numbers while they have the usual form of embeddings, and returns their count. */
    private int putFloats(JsonScanner json, int most) {
        byte[] target = row.room(Float.BYTES * most);
        int put = json.floats(target, row.size(), most);
        row.fill(Float.BYTES * put);
        return put;
    }

    /** Puts a string with eight digits a cell. Returns false if it has another form. */
    private boolean putHexFloats(JsonScanner json) {
        byte[] target = row.room(Float.BYTES * count);
        if (!json.hexFloats(target, row.size(), count)) {
            return false;
        }
        row.fill(Float.BYTES * count);
        return true;
    }

    private void putDigits(JsonScanner json) {
        if (cellType == CellType.FLOAT && putHexFloats(json)) {
            return;
        }
        json.next();
        int from = json.at() + 1;
        int to = json.plainString();
        byte[] bytes = json.bytes();
        if (to < 0) {
            bytes = json.text().getBytes(StandardCharsets.UTF_8);
            from = 0;
            to = bytes.length;
        }
        int perCell = HexCells.perCell(to - from, count, cellType);
        if (perCell == 0) {
            throw json.uncommon();
        }
        for (int at = from; at < to; at += perCell) {
            long bits = 0;
            int wrong = 0;
            for (int i = at; i < at + perCell; i++) {
                int digit = HexDigits.value(bytes[i]);
                wrong |= digit;
                bits = (bits << 4) | (digit & 0xf);
            }
            if (wrong < 0) {
                throw json.uncommon();
            }
            cells.put(HexCells.cell(bits, perCell));
        }
    }

    /**
     * Puts the cells of an array, whose bracket was read, and returns whether there was one. Cells
     * that are not named are 0.
     */
    private boolean putCells(JsonScanner json) {
        if (json.passes(']')) {
            return false;
        }
        int begin = row.size();
        row.putZeros(Math.multiplyExact(count, cellType.size()));
        do {
            int from = row.size();
            entry.readCell(json);
            row.forget(from);
            cells.set(begin + entry.cell() * cellType.size(), entry.value());
        } while (json.passes(','));
        json.expect(']');
        return true;
    }
}
