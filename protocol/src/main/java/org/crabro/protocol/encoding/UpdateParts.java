package org.crabro.protocol.encoding;

import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldChange.CellOperator;
import org.crabro.document.operation.FieldChange.Operator;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.TensorCells;
import org.crabro.document.operation.UpdateStep;

/** The encoding of field updates in feed requests. */
final class UpdateParts {
    private static final int MEMBER = 0;
    private static final int INDEX = 1;
    private static final int KEY = 2;
    private static final int WEIGHT = 3;
    private static final int EVERY = 4;

    private static final int ASSIGN = 0;
    private static final int CLEAR = 1;
    private static final int ADD = 2;
    private static final int REMOVE = 3;
    private static final int ARITHMETIC = 4;
    private static final int MODIFY_CELLS = 5;
    private static final int REMOVE_SUBSPACES = 6;

    private UpdateParts() {}

    static void write(MessageWriter out, FieldUpdate update) {
        out.putText(update.field());
        out.putList(update.path(), step -> write(out, step));
        write(out, update.change());
    }

    static FieldUpdate read(MessageReader in) {
        return new FieldUpdate(in.readText(), in.readList(() -> readStep(in)), readChange(in));
    }

    private static void write(MessageWriter out, UpdateStep step) {
        switch (step) {
            case UpdateStep.Member(var name) -> {
                out.putByte(MEMBER);
                out.putText(name);
            }
            case UpdateStep.Index(int index) -> {
                out.putByte(INDEX);
                out.putInt(index);
            }
            case UpdateStep.Key(var key) -> {
                out.putByte(KEY);
                ValueParts.write(out, key);
            }
            case UpdateStep.Weight(var element, boolean create, boolean removeIfZero) -> {
                out.putByte(WEIGHT);
                ValueParts.write(out, element);
                out.putBoolean(create);
                out.putBoolean(removeIfZero);
            }
            case UpdateStep.Every(var variable, boolean removeIfZero) -> {
                out.putByte(EVERY);
                out.putText(variable);
                out.putBoolean(removeIfZero);
            }
        }
    }

    private static UpdateStep readStep(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case MEMBER -> new UpdateStep.Member(in.readText());
            case INDEX -> new UpdateStep.Index(in.readInt());
            case KEY -> new UpdateStep.Key(ValueParts.readValue(in));
            case WEIGHT ->
                    new UpdateStep.Weight(
                            ValueParts.readValue(in), in.readBoolean(), in.readBoolean());
            case EVERY -> new UpdateStep.Every(in.readText(), in.readBoolean());
            default -> throw in.unknown("the tag of a step", tag);
        };
    }

    private static void write(MessageWriter out, FieldChange change) {
        switch (change) {
            case FieldChange.Assign(var value) -> {
                out.putByte(ASSIGN);
                ValueParts.write(out, value);
            }
            case FieldChange.Clear() -> out.putByte(CLEAR);
            case FieldChange.Add(var values) -> {
                out.putByte(ADD);
                ValueParts.write(out, values);
            }
            case FieldChange.Remove(var values) -> {
                out.putByte(REMOVE);
                out.putList(values, value -> ValueParts.write(out, value));
            }
            case FieldChange.Arithmetic(var operator, double operand) -> {
                out.putByte(ARITHMETIC);
                out.putByte(number(operator));
                out.putDouble(operand);
            }
            case FieldChange.ModifyCells(var operator, boolean create, var cells) -> {
                out.putByte(MODIFY_CELLS);
                out.putByte(number(operator));
                out.putBoolean(create);
                write(out, cells);
            }
            case FieldChange.RemoveSubspaces(var dimensions, var labels) -> {
                out.putByte(REMOVE_SUBSPACES);
                out.putList(dimensions, out::putText);
                out.putList(labels, each -> out.putList(each, out::putText));
            }
        }
    }

    private static FieldChange readChange(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case ASSIGN -> new FieldChange.Assign(ValueParts.readValue(in));
            case CLEAR -> new FieldChange.Clear();
            case ADD -> new FieldChange.Add(ValueParts.readValue(in));
            case REMOVE -> new FieldChange.Remove(in.readList(() -> ValueParts.readValue(in)));
            case ARITHMETIC ->
                    in.readChecked(
                            "an operator and a finite number",
                            () -> new FieldChange.Arithmetic(readOperator(in), in.readDouble()));
            case MODIFY_CELLS ->
                    new FieldChange.ModifyCells(
                            readCellOperator(in), in.readBoolean(), readCells(in));
            case REMOVE_SUBSPACES ->
                    in.readChecked(
                            "labels of distinct dimensions",
                            () ->
                                    new FieldChange.RemoveSubspaces(
                                            in.readList(in::readText),
                                            in.readList(() -> in.readList(in::readText))));
            default -> throw in.unknown("the tag of a change", tag);
        };
    }

    private static int number(Operator operator) {
        return switch (operator) {
            case ADD -> 0;
            case SUBTRACT -> 1;
            case MULTIPLY -> 2;
            case DIVIDE -> 3;
        };
    }

    private static Operator readOperator(MessageReader in) {
        int number = in.readByte();
        return switch (number) {
            case 0 -> Operator.ADD;
            case 1 -> Operator.SUBTRACT;
            case 2 -> Operator.MULTIPLY;
            case 3 -> Operator.DIVIDE;
            default -> throw in.unknown("an operator", number);
        };
    }

    private static int number(CellOperator operator) {
        return switch (operator) {
            case REPLACE -> 0;
            case ADD -> 1;
            case MULTIPLY -> 2;
        };
    }

    private static CellOperator readCellOperator(MessageReader in) {
        int number = in.readByte();
        return switch (number) {
            case 0 -> CellOperator.REPLACE;
            case 1 -> CellOperator.ADD;
            case 2 -> CellOperator.MULTIPLY;
            default -> throw in.unknown("an operator of cells", number);
        };
    }

    private static void write(MessageWriter out, TensorCells cells) {
        out.putInt(cells.size());
        for (int i = 0; i < cells.size(); i++) {
            out.putList(cells.labels(i), out::putText);
            out.putInt(cells.index(i));
            out.putDouble(cells.value(i));
        }
    }

    private static TensorCells readCells(MessageReader in) {
        var cells = new TensorCells.Builder();
        int count = in.readCount();
        for (int i = 0; i < count; i++) {
            cells.add(in.readList(in::readText), in.readInt(), in.readDouble());
        }
        return cells.build();
    }
}
