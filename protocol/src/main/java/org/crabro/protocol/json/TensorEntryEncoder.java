package org.crabro.protocol.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.crabro.document.json.JsonScanner;
import org.crabro.document.json.MemberNames;
import org.crabro.document.json.TensorMembers;
import org.crabro.protocol.encoding.RowAssembly;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Reads entries of tensors: an address with a value or a block of cells. Members may be in any
 * order; if one occurs twice, the last counts. Labels of mapped dimensions are put into the row in
 * the order of the type.
 */
final class TensorEntryEncoder {
    private static final MemberNames OF_CELL =
            new MemberNames(List.of(TensorMembers.ADDRESS, TensorMembers.VALUE));
    private static final MemberNames OF_BLOCK =
            new MemberNames(List.of(TensorMembers.ADDRESS, TensorMembers.VALUES));
    private static final MemberNames OF_EITHER =
            new MemberNames(
                    List.of(TensorMembers.ADDRESS, TensorMembers.VALUE, TensorMembers.VALUES));
    private static final int ADDRESS = 0;
    private static final int VALUE = 1;
    private static final int NOT_THERE = -1;

    private final RowAssembly row;
    private final List<Dimension> dimensions;
    private final MemberNames names;

    /** The offset of the label of each dimension, length included. */
    private final int[] labelsFrom;

    private final int[] labelsTo;

    private int keyFrom;
    private int keyTo;
    private int cell;
    private double value;
    private int blockFrom;
    private int blockTo;

    TensorEntryEncoder(TensorType type, RowAssembly row) {
        this.row = row;
        this.dimensions = type.dimensions();
        this.names = new MemberNames(dimensions.stream().map(Dimension::name).toList());
        this.labelsFrom = new int[dimensions.size()];
        this.labelsTo = new int[dimensions.size()];
    }

    /** Reads the address of a cell and its value. */
    void readCell(JsonScanner json) {
        boolean isSet = false;
        keyFrom = NOT_THERE;
        json.expect('{');
        do {
            int member = OF_CELL.index(json, ADDRESS);
            json.expect(':');
            if (member == ADDRESS) {
                readAddress(json, true);
            } else {
                value = json.anyDouble();
                isSet = true;
            }
        } while (json.passes(','));
        json.expect('}');
        if (keyFrom == NOT_THERE || !isSet) {
            throw json.uncommon();
        }
    }

    /** Reads the address of a block, and puts its cells. */
    void readBlock(JsonScanner json, ValueEncoder block) {
        blockFrom = NOT_THERE;
        keyFrom = NOT_THERE;
        json.expect('{');
        do {
            int member = OF_BLOCK.index(json, ADDRESS);
            json.expect(':');
            if (member == ADDRESS) {
                readAddress(json, false);
            } else {
                blockFrom = row.size();
                block.put(json);
                blockTo = row.size();
            }
        } while (json.passes(','));
        json.expect('}');
        if (keyFrom == NOT_THERE || blockFrom == NOT_THERE) {
            throw json.uncommon();
        }
    }

    /**
     * Reads the address of a cell and its value; or that of a block, and puts its cells.
     *
     * @return whether it was a block
     */
    boolean readEither(JsonScanner json, ValueEncoder block) {
        int kind = NOT_THERE;
        boolean isAddressed = false;
        keyFrom = NOT_THERE;
        json.expect('{');
        do {
            int member = OF_EITHER.index(json, ADDRESS);
            json.expect(':');
            if (member == ADDRESS) {
                readLabels(json);
                isAddressed = true;
            } else if (kind != NOT_THERE && kind != member) {
                throw json.uncommon();
            } else {
                kind = member;
                if (kind == VALUE) {
                    value = json.anyDouble();
                } else {
                    blockFrom = row.size();
                    block.put(json);
                    blockTo = row.size();
                }
            }
            if (isAddressed && kind != NOT_THERE) {
                putKey(json, kind == VALUE);
                isAddressed = false;
            }
        } while (json.passes(','));
        json.expect('}');
        if (keyFrom == NOT_THERE) {
            throw json.uncommon();
        }
        return kind != VALUE;
    }

    private void readAddress(JsonScanner json, boolean withIndexed) {
        readLabels(json);
        putKey(json, withIndexed);
    }

    private void readLabels(JsonScanner json) {
        Arrays.fill(labelsFrom, NOT_THERE);
        json.expect('{');
        if (!json.passes('}')) {
            int guess = 0;
            do {
                int index = names.index(json, guess);
                guess = index + 1;
                json.expect(':');
                labelsFrom[index] = row.size();
                TextEncoder.putLabel(json, row);
                labelsTo[index] = row.size();
            } while (json.passes(','));
            json.expect('}');
        }
    }

    private void putKey(JsonScanner json, boolean withIndexed) {
        keyFrom = row.size();
        cell = 0;
        for (int i = 0; i < labelsFrom.length; i++) {
            Dimension dimension = dimensions.get(i);
            boolean isNeeded = withIndexed || dimension instanceof Dimension.Mapped;
            if (isNeeded != (labelsFrom[i] != NOT_THERE)) {
                throw json.uncommon();
            }
            if (isNeeded) {
                switch (dimension) {
                    case Dimension.Mapped _ -> row.putAgain(labelsFrom[i], labelsTo[i]);
                    case Dimension.Indexed(_, int size) ->
                            cell = cell * size + label(json, i, size);
                }
            }
        }
        keyTo = row.size();
    }

    /** Returns the label of an indexed dimension. */
    private int label(JsonScanner json, int index, int size) {
        byte[] bytes = row.bytes();
        int from = labelsFrom[index] + Integer.BYTES;
        int to = labelsTo[index];
        long label = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                // A number with a sign, for example.
                label = whole(json, new String(bytes, from, to - from, StandardCharsets.UTF_8));
                break;
            }
            label = Math.min(size, 10 * label + digit);
        }
        if (from == to || label < 0 || label >= size) {
            throw json.uncommon();
        }
        return (int) label;
    }

    private static int whole(JsonScanner json, String label) {
        try {
            return Integer.parseInt(label);
        } catch (NumberFormatException _) {
            throw json.uncommon();
        }
    }

    /** Returns the offset of the labels of the mapped dimensions. */
    int keyFrom() {
        return keyFrom;
    }

    int keyTo() {
        return keyTo;
    }

    /** Returns the index of the cell in standard order of its subspace. */
    int cell() {
        return cell;
    }

    double value() {
        return value;
    }

    /** Returns the offset of the cells of the block. */
    int blockFrom() {
        return blockFrom;
    }

    int blockTo() {
        return blockTo;
    }
}
