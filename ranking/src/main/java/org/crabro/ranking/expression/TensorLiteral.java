package org.crabro.ranking.expression;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.crabro.document.memory.ValueMeter;
import org.crabro.ranking.expression.TensorExpression.Cell;
import org.crabro.ranking.expression.TensorExpression.Create;
import org.crabro.ranking.tensor.LabelKey;
import org.crabro.ranking.tensor.TensorBuilder;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorLimitException;
import org.crabro.ranking.tensor.TensorTypes;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.HexCells;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/**
 * Parses a tensor literal, starting after its type and colon.
 *
 * <pre>
 *   value   := "{" [ expression | "{" "}" ":" expression ] "}"      ; a number, 0 by default
 *            | "{" [ cell { "," cell } ] "}"                        ; any type
 *            | blocks | list | hex
 *   cell    := address ":" ( expression | list | hex )              ; lists if it names mapped dimensions only
 *   address := "{" name ":" label { "," name ":" label } "}"
 *   blocks  := "{" [ label ":" part { "," label ":" part } ] "}"    ; mapped dimensions in front
 *   part    := blocks | list | hex | expression
 *   list    := "[" ( list | expression ) { "," ( list | expression ) } "]"
 *   hex     := hexadecimal digits
 * </pre>
 *
 * <p>Blocks nest in the order in which the type names the mapped dimensions. Lists and hexadecimal
 * digits contain the cells in the order in which it names the indexed dimensions, the last one
 * fastest.
 */
final class TensorLiteral {
    /** A cell as a node, with its labels, in two maps. */
    private static final int CELL_BYTES = 400;

    private static final int CHARACTER_BYTES = 2;

    private final ExpressionParser in;
    private final int start;
    private final TensorType type;

    /** The dimensions in the order in which values nest: mapped ones, then indexed ones. */
    private final List<Dimension> order;

    private final Map<LabelKey, Expression> cells = new LinkedHashMap<>();
    private final ValueMeter memory = new ValueMeter();

    /**
     * @param start the offset of the tensor, including its type if it has one
     * @param written the dimensions as the type names them
     */
    TensorLiteral(ExpressionParser in, int start, TensorType type, List<Dimension> written) {
        this.in = in;
        this.start = start;
        this.type = type;
        this.order =
                Stream.concat(
                                written.stream().filter(Dimension.Mapped.class::isInstance),
                                written.stream().filter(Dimension.Indexed.class::isInstance))
                        .toList();
    }

    Expression value() {
        if (type.dimensions().isEmpty()) {
            in.expect('{');
            if (in.accept('}')) {
                return new Expression.Constant(0);
            }
            return number(in);
        }
        int open = in.offset;
        if (in.accept('{')) {
            if (in.at('{')) {
                addresses();
            } else if (!in.at('}')) {
                in.offset = open;
                part(new String[order.size()], 0);
                return whole();
            }
            in.expect('}', "',' or '}'");
        } else {
            part(new String[order.size()], 0);
        }
        return whole();
    }

    /** Parses a tensor without a type; its first address determines the dimensions. */
    static Expression withoutType(ExpressionParser in) {
        int open = in.offset;
        in.expect('{');
        if (in.accept('}')) {
            return new Expression.Constant(0);
        }
        if (!in.at('{')) {
            throw in.problem("a tensor needs its type in front, such as tensor(x{}):{a:1}");
        }
        int start = in.offset;
        var names = new LinkedHashSet<String>();
        in.expect('{');
        if (in.accept('}')) {
            in.offset = start;
            return number(in);
        }
        do {
            names.add(in.nameOr("a dimension"));
            in.expect(':');
            label(in);
        } while (in.accept(','));
        in.offset = start;
        var dimensions = names.stream().<Dimension>map(Dimension.Mapped::new).toList();
        TensorType type = TensorTypes.of(CellType.DOUBLE, dimensions);
        var literal = new TensorLiteral(in, open, type, dimensions);
        literal.addresses();
        in.expect('}', "',' or '}'");
        return literal.whole();
    }

    /** Parses a number after its opening brace; the empty address may be before it. */
    private static Expression number(ExpressionParser in) {
        if (in.accept('{')) {
            in.expect('}');
            in.expect(':');
        }
        Expression number = cell(in);
        in.expect('}', "an operator or '}'");
        return number;
    }

    private static String label(ExpressionParser in) {
        return in.label("a label");
    }

    private void addresses() {
        do {
            int start = in.offset;
            in.expect('{');
            String[] address = new String[type.dimensions().size()];
            do {
                int at = in.offset;
                String name = in.nameOr("a dimension");
                int index = index(name);
                if (index < 0) {
                    in.offset = at;
                    throw in.problem(type + " has no dimension '" + name + "'");
                }
                in.expect(':');
                int labelAt = in.offset;
                address[index] = label(in);
                requireLabel(type.dimensions().get(index), address[index], labelAt);
            } while (in.accept(','));
            in.expect('}', "',' or '}'");
            if (isOfSubspace(address)) {
                in.expect(':');
                part(inWrittenOrder(address), type.mappedCount());
                continue;
            }
            if (Arrays.asList(address).contains(null)) {
                in.offset = start;
                throw in.problem("an address names every dimension of " + type);
            }
            in.expect(':');
            put(address, cell(in));
        } while (in.accept(','));
    }

    /** Returns whether the address has the labels of all mapped dimensions and no others. */
    private boolean isOfSubspace(String[] address) {
        for (int i = 0; i < address.length; i++) {
            if (type.dimensions().get(i) instanceof Dimension.Mapped != (address[i] != null)) {
                return false;
            }
        }
        return type.mappedCount() > 0 && type.mappedCount() < address.length;
    }

    private String[] inWrittenOrder(String[] address) {
        String[] written = new String[address.length];
        for (int i = 0; i < address.length; i++) {
            written[i] = address[index(order.get(i).name())];
        }
        return written;
    }

    private void requireLabel(Dimension dimension, String label, int at) {
        if (dimension instanceof Dimension.Indexed(String name, int size)
                && !(label.matches("[0-9]{1,9}") && Integer.parseInt(label) < size)) {
            in.offset = at;
            throw in.problem(
                    "label of dimension '%s' is not a number from 0 to %d"
                            .formatted(name, size - 1));
        }
    }

    private int index(String name) {
        for (int i = 0; i < type.dimensions().size(); i++) {
            if (type.dimensions().get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private void put(String[] address, Expression cell) {
        long characters = 0;
        for (String label : address) {
            characters += label.length();
        }
        memory.add(CELL_BYTES + CHARACTER_BYTES * characters);
        cells.put(new LabelKey(List.of(address)), cell);
    }

    /**
     * Parses a part with all cells whose first {@code labelCount} labels, in the order written, are
     * given.
     */
    private void part(String[] written, int labelCount) {
        if (labelCount == order.size()) {
            put(standard(written), cell(in));
            return;
        }
        if (order.get(labelCount) instanceof Dimension.Mapped) {
            if (!in.at('{')) {
                throw in.unexpected(
                        "'{' and labels of dimension '" + order.get(labelCount).name() + "'");
            }
            in.expect('{');
            if (in.accept('}')) {
                return;
            }
            do {
                written[labelCount] = label(in);
                in.expect(':');
                part(written, labelCount + 1);
            } while (in.accept(','));
            in.expect('}', "',' or '}'");
            return;
        }
        if (in.at('[')) {
            list(written, labelCount);
        } else {
            hex(written, labelCount);
        }
    }

    private String[] standard(String[] written) {
        String[] address = new String[written.length];
        for (int i = 0; i < written.length; i++) {
            address[index(order.get(i).name())] = written[i];
        }
        return address;
    }

    private void list(String[] written, int labelCount) {
        int start = in.offset;
        int depth = 0;
        while (in.at('[')) {
            in.expect('[');
            depth++;
        }
        in.offset = start;
        if (depth == 1 && order.size() - labelCount > 1) {
            var flat = new ArrayList<Expression>();
            in.expect('[');
            do {
                flat.add(cell(in));
            } while (in.accept(','));
            in.expect(']', "',' or ']'");
            flat(written, labelCount, flat, start);
            return;
        }
        nested(written, labelCount);
    }

    private void nested(String[] written, int labelCount) {
        if (labelCount == order.size()) {
            put(standard(written), cell(in));
            return;
        }
        int start = in.offset;
        in.expect('[');
        int size = ((Dimension.Indexed) order.get(labelCount)).size();
        int count = 0;
        do {
            if (count == size) {
                throw wrongCount(start, labelCount, size, "more");
            }
            written[labelCount] = Integer.toString(count++);
            nested(written, labelCount + 1);
        } while (in.accept(','));
        in.expect(']', "',' or ']'");
        if (count != size) {
            throw wrongCount(start, labelCount, size, Integer.toString(count));
        }
    }

    private ExpressionSyntaxException wrongCount(
            int start, int labelCount, int size, String count) {
        in.offset = start;
        return in.problem(
                "expected %d values in dimension '%s', but got %s"
                        .formatted(size, order.get(labelCount).name(), count));
    }

    /** Stores all cells of the indexed dimensions, given in the order of the written type. */
    private void flat(String[] written, int labelCount, List<Expression> values, int start) {
        List<Dimension> indexed = order.subList(labelCount, order.size());
        int size = type.subspaceSize();
        if (values.size() != size) {
            in.offset = start;
            throw in.problem("expected %d values, but got %d".formatted(size, values.size()));
        }
        String[] address = new String[written.length];
        for (int i = 0; i < labelCount; i++) {
            address[index(order.get(i).name())] = written[i];
        }
        for (int i = 0; i < size; i++) {
            int cell = i;
            for (Dimension dimension : indexed.reversed()) {
                int length = ((Dimension.Indexed) dimension).size();
                address[index(dimension.name())] = Integer.toString(cell % length);
                cell /= length;
            }
            put(address, values.get(i));
        }
    }

    private void hex(String[] written, int labelCount) {
        int start = in.offset;
        int end = start;
        while (end < in.text.length() && Character.digit(in.text.charAt(end), 16) >= 0) {
            end++;
        }
        if (end == start) {
            throw in.unexpected("'[' or hexadecimal digits");
        }
        double[] values;
        try {
            values =
                    HexCells.decode(
                            in.text.substring(start, end),
                            type.isDense()
                                    ? type
                                    : new TensorType(
                                            type.cellType(), type.subspaceType().dimensions()));
        } catch (TensorSyntaxException e) {
            throw in.problem(String.valueOf(e.getMessage()));
        }
        in.offset = end;
        in.skipSpace();
        var constants = new ArrayList<Expression>(values.length);
        for (double value : values) {
            constants.add(new Expression.Constant(value));
        }
        flat(written, labelCount, constants, start);
    }

    private static Expression cell(ExpressionParser in) {
        int start = in.offset;
        boolean negative = in.accept('-');
        if (in.atWord("NaN") || in.atWord("Infinity")) {
            double value = in.word().equals("NaN") ? Double.NaN : Double.POSITIVE_INFINITY;
            return new Expression.Constant(negative ? -value : value);
        }
        in.offset = start;
        Expression cell = in.cell();
        return cell
                                instanceof
                                Expression.Unary(
                                        UnaryOperator operator,
                                        Expression.Constant(double value))
                        && operator == UnaryOperator.MINUS
                ? new Expression.Constant(-value)
                : cell;
    }

    /** Returns a constant tensor if all cells are numbers. */
    private Expression whole() {
        requireFew();
        if (cells.values().stream().allMatch(Expression.Constant.class::isInstance)) {
            var builder = new TensorBuilder(type);
            cells.forEach((address, cell) ->
                    builder.set(address.labels(), ((Expression.Constant) cell).value()));
            TensorData data = builder.build();
            return new TensorExpression.Value(data);
        }
        return new Create(
                type,
                cells.entrySet().stream()
                        .map(cell -> new Cell(cell.getKey().labels(), cell.getValue()))
                        .toList());
    }

    /**
     * Checks the number of cells. Omitted cells count as well; a type with too many cells per
     * subspace is rejected.
     */
    private void requireFew() {
        long subspaces =
                type.subspaceSize() == 1
                        ? cells.size()
                        : cells.keySet().stream().map(this::mapped).distinct().count();
        try {
            TensorLimitException.cells(Math.max(1, subspaces), type.subspaceSize());
        } catch (TensorLimitException e) {
            in.offset = start;
            throw in.problem(String.valueOf(e.getMessage()));
        }
    }

    private LabelKey mapped(LabelKey key) {
        List<String> address = key.labels();
        var labels = new ArrayList<String>();
        for (int i = 0; i < address.size(); i++) {
            if (type.dimensions().get(i) instanceof Dimension.Mapped) {
                labels.add(address.get(i));
            }
        }
        return new LabelKey(labels);
    }
}
