package org.crabro.content.search.match;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.document.Field;

/**
 * Reads the columns of parts of fields. Values are not copied: a part of the elements of an array
 * is an array over the column of that part.
 */
final class PartColumns {
    private PartColumns() {}

    /**
     * Returns the column of a part; empty if no row has one.
     *
     * @param whole the column of the field that contains it
     * @param steps the names from the field to the part
     * @param rowCount the number of rows of the block
     */
    static Optional<Column> column(Column whole, List<String> steps, int rowCount) {
        return switch (whole) {
            case Column.Arrays arrays ->
                    steps.isEmpty()
                            ? Optional.of(arrays)
                            : column(arrays.elements(), steps, length(arrays.firsts()))
                                    .map(part -> elements(arrays, part, rowCount));
            case Column.Maps maps -> {
                Column side = steps.getFirst().equals("key") ? maps.keys() : maps.values();
                var entries = new Column.Arrays(maps.firsts(), side, maps.presence());
                yield column(side, steps.subList(1, steps.size()), length(maps.firsts()))
                        .map(part -> elements(entries, part, rowCount));
            }
            case Column.Structs structs ->
                    member(structs, steps.getFirst())
                            .flatMap(member ->
                                    column(member, steps.subList(1, steps.size()), rowCount));
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> Optional.of(whole);
        };
    }

    /** Returns the number of elements of all rows together. */
    private static int length(MemorySegment firsts) {
        return firsts.get(BlockLayout.INT, firsts.byteSize() - Integer.BYTES);
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

    /** Returns the parts of all elements of a row as one array. */
    private static Column elements(Column.Arrays around, Column part, int rowCount) {
        return part instanceof Column.Arrays inner
                ? flat(around, inner, rowCount)
                : new Column.Arrays(around.firsts(), part, around.presence());
    }

    private static Column flat(Column.Arrays around, Column.Arrays inner, int rowCount) {
        MemorySegment firsts =
                MemorySegment.ofArray(new byte[Math.multiplyExact(Integer.BYTES, rowCount + 1)]);
        int count = length(around.firsts());
        var starts = new int[count + 1];
        for (int i = 0; i < count; i++) {
            starts[i] = inner.first(i);
        }
        starts[count] = inner.first(count);
        for (int row = 0; row <= rowCount; row++) {
            firsts.set(BlockLayout.INT, 4L * row, starts[around.first(row)]);
        }
        return new Column.Arrays(firsts, inner.elements(), new Presence.Every());
    }
}
