package org.crabro.content.search.parent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.block.GatheredValues;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.FieldType;

/**
 * Copies the values of one imported field from the rows of parents into a column. For one thread.
 */
abstract sealed class ValueGatherer {
    /** The most bytes of the values of a column whose values have different lengths. */
    static final long BYTES_MAX = 256L << 20;

    final ImportPath path;
    private final Parents parents;
    private MemorySegment memory = MemorySegment.NULL;

    private ValueGatherer(ImportPath path, Parents parents) {
        this.path = path;
        this.parents = parents;
    }

    static ValueGatherer of(ImportPath path, Parents parents) {
        FieldType type = path.value().type();
        int width = width(type);
        if (width > 0) {
            return new Fixed(path, parents, width);
        }
        return isText(type) ? new Texts(path, parents) : new Others(path, parents);
    }

    /** Returns the width of the values of a type in bytes; 0 if it differs. */
    static int width(FieldType type) {
        return ChunkEncoding.of(type).width(type);
    }

    private static boolean isText(FieldType type) {
        return type instanceof FieldType.ReferenceOf
                || (type instanceof FieldType.Primitive primitive
                        && primitive.stored() == FieldType.Primitive.STRING);
    }

    /**
     * Returns the column for the rows of a slice; empty if no row has a value.
     *
     * @param ends the documents with the values, one per row of the slice
     */
    abstract Optional<Column> column(BlockSlice slice, ParentRow[] ends, WorkMeter work);

    /** Returns memory of exactly {@code size} bytes, the same at each call. */
    final MemorySegment memory(long size) {
        if (memory.byteSize() < size) {
            memory = parents.allocate(Math.max(size, 2 * memory.byteSize()), BlockLayout.ALIGNMENT);
        }
        return memory.asSlice(0, size);
    }

    /** Numbers, booleans and dense tensors. */
    private static final class Fixed extends ValueGatherer {
        private final int width;

        Fixed(ImportPath path, Parents parents, int width) {
            super(path, parents);
            this.width = width;
        }

        @Override
        Optional<Column> column(BlockSlice slice, ParentRow[] ends, WorkMeter work) {
            int rows = slice.block().rowCount();
            long valuesSize = (long) rows * width;
            MemorySegment all = memory(valuesSize + BlockLayout.bitmapSize(rows));
            MemorySegment values = all.asSlice(0, valuesSize);
            MemorySegment bits = all.asSlice(valuesSize);
            bits.fill((byte) 0);
            work.spend(slice.to() - slice.from(), width / Long.BYTES);
            Column like = null;
            int missing = 0;
            for (int row = slice.from(); row < slice.to(); row++) {
                ParentRow end = ends[row - slice.from()];
                Column column = ParentFinder.value(end, path);
                if (column == null) {
                    values.asSlice((long) row * width, width).fill((byte) 0);
                    missing++;
                } else {
                    like = column;
                    MemorySegment.copy(
                            values(column),
                            (long) end.row() * width,
                            values,
                            (long) row * width,
                            width);
                    set(bits, row);
                }
            }
            Presence presence = missing == 0 ? new Presence.Every() : new Presence.Some(bits);
            return Optional.ofNullable(like).map(column -> with(column, values, presence));
        }

        private static MemorySegment values(Column column) {
            return switch (column) {
                case Column.Numbers numbers -> numbers.values();
                case Column.Booleans booleans -> booleans.values();
                case Column.DenseTensors tensors -> tensors.cells();
                case Column.Texts _, Column.Nested _ -> throw unexpected(column);
            };
        }

        private static Column with(Column like, MemorySegment values, Presence presence) {
            return switch (like) {
                case Column.Numbers numbers -> new Column.Numbers(numbers.kind(), values, presence);
                case Column.Booleans _ -> new Column.Booleans(values, presence);
                case Column.DenseTensors tensors ->
                        new Column.DenseTensors(tensors.type(), values, presence);
                case Column.Texts _, Column.Nested _ -> throw unexpected(like);
            };
        }

        private static IllegalStateException unexpected(Column column) {
            return new IllegalStateException("values of different lengths: " + column);
        }
    }

    /** Strings: each distinct one is copied once. */
    private static final class Texts extends ValueGatherer {
        private final DistinctTexts distinct = new DistinctTexts();

        /** By slot of the number of a parent: the number, and the index of its text. */
        private int[] numbers = {};

        private int[] indexes = {};
        private int[] texts = {};

        Texts(ImportPath path, Parents parents) {
            super(path, parents);
        }

        @Override
        Optional<Column> column(BlockSlice slice, ParentRow[] ends, WorkMeter work) {
            int count = slice.to() - slice.from();
            clear(count);
            int missing = 0;
            for (int i = 0; i < count; i++) {
                texts[i] = text(ends[i], work);
                missing += texts[i] < 0 ? 1 : 0;
            }
            if (missing == count) {
                return Optional.empty();
            }
            distinct.sort(work);
            return Optional.of(column(slice, missing));
        }

        private void clear(int count) {
            distinct.clear();
            if (texts.length < count) {
                texts = new int[count];
                numbers = new int[2 * Integer.highestOneBit(2 * count)];
                indexes = new int[numbers.length];
            }
            Arrays.fill(numbers, 0);
        }

        /** Returns the index of the text of a parent; -1 if it has none. */
        private int text(ParentRow end, WorkMeter work) {
            Column column = ParentFinder.value(end, path);
            if (!(column instanceof Column.Texts strings)) {
                return -1;
            }
            int slot = end.number() & (numbers.length - 1);
            while (numbers[slot] != 0 && numbers[slot] != end.number()) {
                slot = (slot + 1) & (numbers.length - 1);
            }
            if (numbers[slot] == 0) {
                numbers[slot] = end.number();
                indexes[slot] = distinct.add(strings, end.row(), work);
                checkSize(distinct.byteSize(), path);
            }
            return indexes[slot];
        }

        private Column column(BlockSlice slice, int missing) {
            int rows = slice.block().rowCount();
            long starts = (long) Integer.BYTES * (distinct.count() + 1);
            long codes = (long) Integer.BYTES * rows;
            long bits = BlockLayout.bitmapSize(rows);
            MemorySegment all = memory(starts + codes + bits + distinct.byteSize());
            MemorySegment ofCodes = all.asSlice(starts, codes);
            MemorySegment ofBits = all.asSlice(starts + codes, bits);
            MemorySegment bytes = all.asSlice(starts + codes + bits);
            distinct.writeTo(all.asSlice(0, starts), bytes);
            ofBits.fill((byte) 0);
            for (int row = slice.from(); row < slice.to(); row++) {
                int text = texts[row - slice.from()];
                // Readers may look at the text of a row without a value before its presence.
                ofCodes.set(BlockLayout.INT, 4L * row, text < 0 ? 0 : distinct.code(text));
                if (text >= 0) {
                    set(ofBits, row);
                }
            }
            return new Column.CodedTexts(
                    all.asSlice(0, starts),
                    bytes,
                    ofCodes,
                    Integer.BYTES,
                    missing == 0 ? new Presence.Every() : new Presence.Some(ofBits));
        }
    }

    /** Collections, structs and tensors with mapped dimensions. */
    private static final class Others extends ValueGatherer {
        private final GatheredValues values;

        Others(ImportPath path, Parents parents) {
            super(path, parents);
            this.values = new GatheredValues(path.value().type());
        }

        @Override
        Optional<Column> column(BlockSlice slice, ParentRow[] ends, WorkMeter work) {
            values.clear();
            for (int row = slice.from(); row < slice.to(); row++) {
                ParentRow end = ends[row - slice.from()];
                Column column = ParentFinder.value(end, path);
                if (column != null) {
                    long before = values.byteSize();
                    values.add(row, column, end.row());
                    work.spend((int) Math.min(Integer.MAX_VALUE, values.byteSize() - before));
                    checkSize(values.byteSize(), path);
                }
            }
            return values.column(slice.block().rowCount(), this::memory);
        }
    }

    private static void checkSize(long bytes, ImportPath path) {
        if (bytes > BYTES_MAX) {
            throw new QueryRejectedException(
                    "the values of imported field '%s' in the rows that are read together have more than %d bytes"
                            .formatted(path.name(), BYTES_MAX));
        }
    }

    private static void set(MemorySegment bits, int row) {
        int at = row >>> 3;
        byte before = bits.get(ValueLayout.JAVA_BYTE, at);
        bits.set(ValueLayout.JAVA_BYTE, at, (byte) (before | 1 << (row & 7)));
    }
}
