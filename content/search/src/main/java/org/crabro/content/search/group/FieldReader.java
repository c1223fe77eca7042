package org.crabro.content.search.group;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.crabro.content.search.match.Layouts;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.block.column.TextReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads a field, or parts of its values. A missing value is read as its {@link ReadType} says:
 * false, empty, or a number that depends on the mode of the schema. A missing array has no values.
 * A missing map entry has a missing value in mode index, and no values in mode streaming.
 */
final class FieldReader extends Evaluator {
    private static final int[] NO_CODES = {};

    private final ReadType type;
    private final int field;
    private final List<FieldStep> steps;

    /** The index of the step to elements of a scope that the rows are in, or -1. */
    private final int scopedStep;

    private final int scopeRead;
    private final @Nullable Evaluator key;
    private final boolean isDirect;
    private final TextReader reader = new TextReader();
    private final TextReader keyReader = new TextReader();

    // The batch of the current values; several expressions may read the same field.
    private @Nullable RowBatch lastBatch;
    private int lastSerial;

    // By code of the current column's strings, the number in the pool; -1 if unknown.
    private int[] numbers = NO_CODES;
    private int position;
    private int row;
    private byte[] wanted = {};

    /**
     * @param field by {@link org.crabro.content.search.query.QueryFields}
     * @param key evaluates the key of an {@link FieldStep.Entry} without a literal
     */
    FieldReader(
            ReadType type,
            int field,
            List<FieldStep> steps,
            Scoping scoping,
            @Nullable Evaluator key) {
        super(type.kind(), scoping.many(), scoping.scope(), type.width());
        this.type = type;
        this.field = field;
        this.steps = List.copyOf(steps);
        this.scopedStep = scoping.step();
        this.scopeRead = scoping.stepScope();
        this.key = key;
        this.isDirect = steps.stream().allMatch(FieldStep.Member.class::isInstance);
    }

    /**
     * The relation of values to rows and elements.
     *
     * @param many whether a row may have no value or several
     * @param scope whose elements have one value each, or {@link #NO_SCOPE}
     * @param step the index of the step that reads only one element, or -1
     * @param stepScope the scope of that element, or {@link #NO_SCOPE}
     */
    record Scoping(boolean many, int scope, int step, int stepScope) {}

    /** Returns whether each row has one value, that of a field or of a member of it. */
    boolean isDirect() {
        return isDirect;
    }

    @Override
    Values evaluate(RowBatch batch) {
        if (batch == lastBatch && batch.serial() == lastSerial) {
            return values;
        }
        lastBatch = batch;
        lastSerial = batch.serial();
        Optional<Column> column = batch.scan.column(field);
        if (isDirect) {
            for (int i = 0; i < steps.size() && column.isPresent(); i++) {
                column = member(column.get(), (FieldStep.Member) steps.get(i));
            }
            values.one(batch.count);
            readDirect(column.orElse(null), batch);
            return values;
        }
        Values keys = key == null ? null : key.evaluate(batch);
        values.begin(batch.count);
        Arrays.fill(numbers, -1);
        for (int i = 0; i < batch.count; i++) {
            values.row(i);
            row = i;
            position = 0;
            if (keys != null) {
                wanted = batch.texts.copy(keys.texts[i]);
            }
            if (column.isPresent()) {
                walk(column.get(), batch.rows[i], 0, batch);
            } else if (!isAmongMany(0)) {
                addMissing(batch);
            }
        }
        values.finish();
        return values;
    }

    private static Optional<Column> member(Column column, FieldStep.Member member) {
        return column instanceof Column.Structs structs
                ? structs.fields().get(member.index())
                : Optional.empty();
    }

    private void readDirect(@Nullable Column column, RowBatch batch) {
        int[] rows = batch.rows;
        int count = batch.count;
        if (column == null) {
            fillMissing(batch);
            return;
        }
        switch (column) {
            case Column.Numbers read -> {
                readNumbers(read, batch);
                if (type.marksMissing() && read.presence() instanceof Presence.Some some) {
                    markMissing(some, rows, count);
                }
            }
            case Column.Booleans read -> {
                for (int i = 0; i < count; i++) {
                    values.longs[i] = read.values().get(ValueLayout.JAVA_BYTE, rows[i]);
                }
            }
            case Column.CodedTexts read -> readCodes(read, batch);
            case Column.Texts read -> {
                int empty = -1;
                for (int i = 0; i < count; i++) {
                    if (read.presence().has(rows[i])) {
                        values.texts[i] = text(read, rows[i], batch);
                    } else {
                        empty = empty < 0 ? batch.texts.number("") : empty;
                        values.texts[i] = empty;
                    }
                }
            }
            case Column.Nested _, Column.DenseTensors _ -> fillMissing(batch);
        }
    }

    /** Writes the values of rows whose block does not have the column. */
    private void fillMissing(RowBatch batch) {
        int count = batch.count;
        switch (kind()) {
            case WHOLE, TRUTH -> Arrays.fill(values.longs, 0, count, type.missingWhole());
            case REAL -> Arrays.fill(values.doubles, 0, count, type.missingReal());
            case TEXT, RAW -> Arrays.fill(values.texts, 0, count, batch.texts.number(""));
        }
    }

    private void markMissing(Presence.Some presence, int[] rows, int count) {
        boolean real = kind() == ValueKind.REAL;
        for (int i = 0; i < count; i++) {
            if (!presence.has(rows[i])) {
                if (real) {
                    values.doubles[i] = type.missingReal();
                } else {
                    values.longs[i] = type.missingWhole();
                }
            }
        }
    }

    /* The stored number of a row without a value is 0. */
    private void readNumbers(Column.Numbers column, RowBatch batch) {
        int[] rows = batch.rows;
        int count = batch.count;
        MemorySegment from = column.values();
        long[] longs = values.longs;
        double[] doubles = values.doubles;
        if (batch.isRun()) {
            readRun(column, rows[0], count);
            return;
        }
        switch (column.kind()) {
            case INT -> {
                for (int i = 0; i < count; i++) {
                    longs[i] = from.get(Layouts.INT, (long) rows[i] << 2);
                }
            }
            case LONG -> {
                for (int i = 0; i < count; i++) {
                    longs[i] = from.get(Layouts.LONG, (long) rows[i] << 3);
                }
            }
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    doubles[i] = from.get(Layouts.FLOAT, (long) rows[i] << 2);
                }
            }
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    doubles[i] = from.get(Layouts.DOUBLE, (long) rows[i] << 3);
                }
            }
        }
    }

    /* In most cases all rows of a block are read. */
    private void readRun(Column.Numbers column, int first, int count) {
        MemorySegment from = column.values();
        long[] longs = values.longs;
        double[] doubles = values.doubles;
        switch (column.kind()) {
            case INT -> {
                MemorySegment part = from.asSlice(4L * first, 4L * count);
                for (int i = 0; i < count; i++) {
                    longs[i] = part.get(Layouts.INT, 4L * i);
                }
            }
            case LONG -> MemorySegment.copy(from, Layouts.LONG, 8L * first, longs, 0, count);
            case FLOAT -> {
                MemorySegment part = from.asSlice(4L * first, 4L * count);
                for (int i = 0; i < count; i++) {
                    doubles[i] = part.get(Layouts.FLOAT, 4L * i);
                }
            }
            case DOUBLE -> MemorySegment.copy(from, Layouts.DOUBLE, 8L * first, doubles, 0, count);
        }
    }

    private void readCodes(Column.CodedTexts column, RowBatch batch) {
        openCodes(column);
        int[] texts = values.texts;
        int[] rows = batch.rows;
        Presence presence = column.presence();
        boolean all = presence instanceof Presence.Every;
        int empty = -1;
        for (int i = 0; i < batch.count; i++) {
            if (all || presence.has(rows[i])) {
                int code = column.code(rows[i]);
                int number = numbers[code];
                texts[i] = number >= 0 ? number : numberOf(column, code, batch);
            } else {
                empty = empty < 0 ? batch.texts.number("") : empty;
                texts[i] = empty;
            }
        }
    }

    private void openCodes(Column.CodedTexts column) {
        int distinct = column.valueCount();
        if (numbers.length < distinct) {
            numbers = new int[distinct];
        }
        Arrays.fill(numbers, 0, distinct, -1);
    }

    private int numberOf(Column.CodedTexts column, int code, RowBatch batch) {
        reader.readValue(column, code);
        int number = number(reader, batch);
        numbers[code] = number;
        return number;
    }

    private int text(Column.Texts column, int index, RowBatch batch) {
        if (column instanceof Column.CodedTexts coded) {
            int code = coded.code(index);
            if (numbers.length < coded.valueCount()) {
                int length = numbers.length;
                numbers = Arrays.copyOf(numbers, coded.valueCount());
                Arrays.fill(numbers, length, numbers.length, -1);
            }
            int number = numbers[code];
            return number >= 0 ? number : numberOf(coded, code, batch);
        }
        reader.read(column, index);
        return number(reader, batch);
    }

    private int number(TextReader text, RowBatch batch) {
        if (kind() == ValueKind.RAW) {
            // The stored value is base64.
            byte[] encoded =
                    text.bytes()
                            .asSlice(text.offset(), text.length())
                            .toArray(ValueLayout.JAVA_BYTE);
            byte[] raw = Base64.getMimeDecoder().decode(encoded);
            return batch.texts.number(raw, 0, raw.length);
        }
        return batch.texts.number(text.bytes(), text.offset(), text.length());
    }

    private void walk(Column column, int index, int step, RowBatch batch) {
        if (!column.presence().has(index)) {
            if (!isAmongMany(step)) {
                addMissing(batch);
            }
            return;
        }
        if (step == steps.size()) {
            addLeaf(column, index, batch);
            return;
        }
        switch (steps.get(step)) {
            case FieldStep.Member member -> {
                Optional<Column> part = member(column, member);
                if (part.isPresent()) {
                    walk(part.get(), index, step + 1, batch);
                } else if (!isAmongMany(step + 1)) {
                    addMissing(batch);
                }
            }
            case FieldStep.Elements _ -> {
                if (column instanceof Column.Arrays arrays) {
                    each(
                            arrays.elements(),
                            arrays.first(index),
                            arrays.first(index + 1),
                            step,
                            batch);
                } else if (column instanceof Column.WeightedSets sets) {
                    each(sets.elements(), sets.first(index), sets.first(index + 1), step, batch);
                }
            }
            case FieldStep.Keys _ -> {
                if (column instanceof Column.Maps maps) {
                    each(maps.keys(), maps.first(index), maps.first(index + 1), step, batch);
                }
            }
            case FieldStep.MapValues _ -> {
                if (column instanceof Column.Maps maps) {
                    each(maps.values(), maps.first(index), maps.first(index + 1), step, batch);
                }
            }
            case FieldStep.Entry(var literal) -> {
                if (column instanceof Column.Maps maps) {
                    int entry = entry(maps, index, literal.orElse(wanted));
                    if (entry >= 0) {
                        walk(maps.values(), entry, step + 1, batch);
                    } else if (!isAmongMany(step)) {
                        addMissing(batch);
                    }
                }
            }
        }
    }

    /**
     * Returns whether the steps from {@code step} on may produce no value or several. In mode
     * index, the entry of a key has exactly one value.
     */
    private boolean isAmongMany(int step) {
        for (int i = step; i < steps.size(); i++) {
            boolean isOne =
                    switch (steps.get(i)) {
                        case FieldStep.Member _ -> true;
                        case FieldStep.Entry _ -> type.indexed();
                        case FieldStep.Elements _, FieldStep.Keys _, FieldStep.MapValues _ ->
                                i == scopedStep;
                    };
            if (!isOne) {
                return true;
            }
        }
        return false;
    }

    private void each(Column elements, int from, int to, int step, RowBatch batch) {
        if (step == scopedStep) {
            walk(elements, batch.elements[scopeRead][row], step + 1, batch);
            return;
        }
        boolean isOuter = step == outerStep();
        for (int i = from; i < to; i++) {
            if (isOuter) {
                position = i;
            }
            walk(elements, i, step + 1, batch);
        }
    }

    /** Returns the index of the first step to several parts. */
    private int outerStep() {
        for (int i = 0; i < steps.size(); i++) {
            if (!(steps.get(i) instanceof FieldStep.Member)) {
                return i;
            }
        }
        return -1;
    }

    private int entry(Column.Maps maps, int index, byte[] key) {
        for (int i = maps.first(index); i < maps.first(index + 1); i++) {
            if (isKey(maps.keys(), i, key)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isKey(Column keys, int index, byte[] key) {
        if (keys instanceof Column.Texts texts) {
            keyReader.read(texts, index);
            return keyReader.length() == key.length
                    && MemorySegment.mismatch(
                                    keyReader.bytes(),
                                    keyReader.offset(),
                                    keyReader.offset() + key.length,
                                    MemorySegment.ofArray(key),
                                    0,
                                    key.length)
                            < 0;
        }
        if (keys instanceof Column.Numbers numbersOfKeys) {
            String text =
                    switch (numbersOfKeys.kind()) {
                        case INT ->
                                Integer.toString(
                                        numbersOfKeys.values().get(Layouts.INT, 4L * index));
                        case LONG ->
                                Long.toString(numbersOfKeys.values().get(Layouts.LONG, 8L * index));
                        case FLOAT ->
                                Float.toString(
                                        numbersOfKeys.values().get(Layouts.FLOAT, 4L * index));
                        case DOUBLE ->
                                Double.toString(
                                        numbersOfKeys.values().get(Layouts.DOUBLE, 8L * index));
                    };
            return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), key);
        }
        return false;
    }

    private void addMissing(RowBatch batch) {
        switch (kind()) {
            case WHOLE, TRUTH -> values.add(type.missingWhole(), position);
            case REAL -> values.add(type.missingReal(), position);
            case TEXT, RAW -> values.addText(batch.texts.number(""), position);
        }
    }

    private void addLeaf(Column column, int index, RowBatch batch) {
        switch (column) {
            case Column.Numbers read -> {
                MemorySegment from = read.values();
                switch (read.kind()) {
                    case INT -> values.add((long) from.get(Layouts.INT, 4L * index), position);
                    case LONG -> values.add(from.get(Layouts.LONG, 8L * index), position);
                    case FLOAT ->
                            values.add((double) from.get(Layouts.FLOAT, 4L * index), position);
                    case DOUBLE -> values.add(from.get(Layouts.DOUBLE, 8L * index), position);
                }
            }
            case Column.Booleans read ->
                    values.add((long) read.values().get(ValueLayout.JAVA_BYTE, index), position);
            case Column.Texts read -> values.addText(text(read, index, batch), position);
            case Column.Nested _, Column.DenseTensors _ -> addMissing(batch);
        }
    }
}
