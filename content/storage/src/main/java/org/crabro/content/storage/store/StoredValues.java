package org.crabro.content.storage.store;

import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.View;
import org.crabro.document.Field;

/** Counts the documents that have a value in a field, or in a member of the structs in it. */
final class StoredValues {
    /** The most blocks of a partition that are read; the count is scaled if there are more. */
    static final int BLOCKS_MAX = 256;

    private final List<String> path;

    /**
     * @param path the field, and the members of structs in it, with dots between them
     */
    StoredValues(String path) {
        this.path = List.of(path.split("\\.", -1));
    }

    /** Returns the number of documents of a type, estimated from evenly spaced blocks. */
    long about(View view, String documentType) {
        List<BlockSlice> slices = view.slices(documentType, new KeyRange.Everything());
        int read = Math.min(slices.size(), BLOCKS_MAX);
        long count = 0;
        for (int i = 0; i < read; i++) {
            count += count(slices.get((int) ((long) i * slices.size() / read)));
        }
        return read == 0 ? 0 : Math.round((double) count * slices.size() / read);
    }

    private int count(BlockSlice slice) {
        Optional<Column> column = slice.block().column(path.getFirst());
        int count = 0;
        for (int row = slice.from(); row < slice.to() && column.isPresent(); row++) {
            if (!slice.dead().has(row) && has(column.get(), row, 1)) {
                count++;
            }
        }
        return count;
    }

    /**
     * @param depth the number of names of the path that lead to {@code column}
     */
    private boolean has(Column column, int index, int depth) {
        if (!column.presence().has(index)) {
            return false;
        }
        if (depth == path.size()) {
            return true;
        }
        return switch (column) {
            case Column.Structs structs ->
                    member(structs, path.get(depth))
                            .filter(values -> has(values, index, depth + 1))
                            .isPresent();
            case Column.Arrays arrays ->
                    hasAny(arrays.elements(), arrays.first(index), arrays.first(index + 1), depth);
            case Column.Maps maps ->
                    hasAny(maps.values(), maps.first(index), maps.first(index + 1), depth);
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> false;
        };
    }

    private static Optional<Column> member(Column.Structs structs, String name) {
        List<Field> members = structs.type().fields();
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).name().equals(name)) {
                return structs.fields().get(i);
            }
        }
        return Optional.empty();
    }

    private boolean hasAny(Column elements, int from, int to, int depth) {
        for (int i = from; i < to; i++) {
            if (has(elements, i, depth)) {
                return true;
            }
        }
        return false;
    }
}
