package org.crabro.protocol.json;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.crabro.document.json.JsonScanner;
import org.crabro.document.json.TensorMembers;
import org.crabro.protocol.encoding.RowAssembly;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * Encodes tensors with mapped dimensions in all of their common forms. Subspaces are put as they
 * come, and sorted by their labels at the end. If an address occurs twice, the last one counts.
 */
final class MixedTensorEncoder extends ValueEncoder {
    /** The contents of an array; if both are possible, each entry decides. */
    private enum Entries {
        CELLS,
        BLOCKS,
        EITHER
    }

    private final TensorType type;
    private final int mappedCount;
    private final int subspaceCells;
    private final boolean isSparse;
    private final CellEncoder cells;
    private final DenseTensorEncoder subspace;
    private final TensorEntryEncoder entry;
    private final EncodedEntries subspaces;

    MixedTensorEncoder(TensorType type, RowAssembly row) {
        super(row);
        this.type = type;
        this.mappedCount = type.mappedCount();
        this.subspaceCells = type.subspaceSize();
        this.isSparse = type.subspaceType().dimensions().isEmpty();
        this.cells = new CellEncoder(type.cellType(), row);
        this.subspace = new DenseTensorEncoder(type.subspaceType(), type.cellType(), row);
        this.entry = new TensorEntryEncoder(type, row);
        this.subspaces = new EncodedEntries(row);
    }

    @Override
    void put(JsonScanner json) {
        subspaces.clear();
        int begin = row.size();
        if (json.passes('[')) {
            putEntries(json, isSparse ? Entries.CELLS : Entries.EITHER);
        } else {
            json.expect('{');
            if (!json.passes('}')) {
                do {
                    putMember(json);
                } while (json.passes(','));
                json.expect('}');
            }
        }
        putInOrder(begin);
        subspaces.clear();
    }

    /** A label may equal a keyword of the format; its value decides. */
    private void putMember(JsonScanner json) {
        int nameFrom = row.size();
        TextEncoder.putNamedLabel(json, row);
        String word = word(nameFrom);
        json.expect(':');
        switch (word) {
            case TensorMembers.TYPE -> {
                if (passesType(json)) {
                    row.forget(nameFrom);
                } else {
                    putLabelled(json, nameFrom);
                }
            }
            case TensorMembers.CELLS -> putPart(json, nameFrom, false);
            case TensorMembers.BLOCKS -> putPart(json, nameFrom, true);
            default -> putLabelled(json, nameFrom);
        }
    }

    /** Returns the name of a member if it may be a keyword of the format. */
    private String word(int from) {
        int longest = TensorMembers.BLOCKS.length();
        return row.sizeSince(from) <= longest ? row.text(from + Integer.BYTES) : "";
    }

    private boolean passesType(JsonScanner json) {
        if (!json.isAtString()) {
            return false;
        }
        int place = json.at();
        if (json.text().startsWith("tensor")) {
            return true;
        }
        json.moveTo(place);
        return false;
    }

    private void putPart(JsonScanner json, int nameFrom, boolean isBlocks) {
        boolean isArray = json.passes('[');
        if (isArray && json.next() != '{' && json.next() != ']') {
            // It is a label, and the list contains its numbers.
            int nameTo = row.size();
            checkOneLabel(json);
            subspace.putRemaining(json);
            add(json, nameFrom, nameTo, nameTo, row.size());
        } else if (isArray) {
            row.forget(nameFrom);
            checkBlocks(json, isBlocks);
            putEntries(json, isBlocks ? Entries.BLOCKS : Entries.CELLS);
        } else if (json.passes('{')) {
            row.forget(nameFrom);
            checkBlocks(json, isBlocks);
            if (!json.passes('}')) {
                do {
                    int labelFrom = row.size();
                    TextEncoder.putNamedLabel(json, row);
                    json.expect(':');
                    putLabelled(json, labelFrom);
                } while (json.passes(','));
                json.expect('}');
            }
        } else {
            putLabelled(json, nameFrom);
        }
    }

    private void checkBlocks(JsonScanner json, boolean isBlocks) {
        if (isSparse && isBlocks) {
            throw json.uncommon();
        }
    }

    private void checkOneLabel(JsonScanner json) {
        if (mappedCount != 1) {
            throw json.uncommon();
        }
    }

    /** Puts the subspace of the last label. */
    private void putLabelled(JsonScanner json, int labelFrom) {
        checkOneLabel(json);
        int labelTo = row.size();
        if (isSparse) {
            cells.put(json.anyDouble());
        } else {
            subspace.put(json);
        }
        add(json, labelFrom, labelTo, labelTo, row.size());
    }

    /** Puts the entries of an array, whose bracket was read. */
    private void putEntries(JsonScanner json, Entries entries) {
        if (json.passes(']')) {
            return;
        }
        do {
            int begin = row.size();
            boolean isBlock =
                    switch (entries) {
                        case CELLS -> {
                            entry.readCell(json);
                            yield false;
                        }
                        case BLOCKS -> {
                            entry.readBlock(json, subspace);
                            yield true;
                        }
                        case EITHER -> entry.readEither(json, subspace);
                    };
            if (isBlock) {
                add(json, entry.keyFrom(), entry.keyTo(), entry.blockFrom(), entry.blockTo());
            } else {
                addCell(json, begin);
            }
        } while (json.passes(','));
        json.expect(']');
    }

    /** Adds the cell that was read; the row contains its address only. */
    private void addCell(JsonScanner json, int begin) {
        int index = subspaces.find(entry.keyFrom(), entry.keyTo());
        if (index < 0) {
            checkCount(json);
            int from = row.size();
            row.putZeros(subspaceCells * type.cellType().size());
            index = subspaces.add(entry.keyFrom(), entry.keyTo());
            subspaces.setValue(index, from, row.size());
        } else {
            row.forget(begin);
        }
        int place = subspaces.valueFrom(index) + entry.cell() * type.cellType().size();
        cells.set(place, entry.value());
    }

    private void add(JsonScanner json, int keyFrom, int keyTo, int from, int to) {
        int index = subspaces.find(keyFrom, keyTo);
        if (index < 0) {
            checkCount(json);
            index = subspaces.add(keyFrom, keyTo);
        }
        subspaces.setValue(index, from, to);
    }

    private void checkCount(JsonScanner json) {
        if ((subspaces.count() + 1L) * subspaceCells > DenseTensor.CELL_COUNT_MAX) {
            throw json.uncommon();
        }
    }

    /** Puts the labels of all subspaces dimension by dimension, then their cells. */
    private void putInOrder(int begin) {
        byte[] parts = row.take(begin);
        int[] order = order(parts, begin);
        int[] at = new int[order.length];
        row.putInt(order.length);
        for (int i = 0; i < order.length; i++) {
            at[i] = subspaces.keyFrom(order[i]) - begin;
        }
        for (int dimension = 0; dimension < mappedCount; dimension++) {
            for (int i = 0; i < order.length; i++) {
                int length = Integer.BYTES + EncodedLabels.length(parts, at[i]);
                row.putBytes(parts, at[i], length);
                at[i] += length;
            }
        }
        for (int index : order) {
            int from = subspaces.valueFrom(index);
            row.putBytes(parts, from - begin, subspaces.valueTo(index) - from);
        }
    }

    private int[] order(byte[] parts, int begin) {
        int[] order = IntStream.range(0, subspaces.count()).toArray();
        for (int i = 1; i < order.length; i++) {
            if (compare(parts, begin, i - 1, i) > 0) {
                return Arrays.stream(order)
                        .boxed()
                        .sorted((left, right) -> compare(parts, begin, left, right))
                        .mapToInt(Integer::intValue)
                        .toArray();
            }
        }
        return order;
    }

    private int compare(byte[] parts, int begin, int left, int right) {
        return EncodedLabels.compare(
                parts,
                subspaces.keyFrom(left) - begin,
                subspaces.keyFrom(right) - begin,
                mappedCount);
    }
}
