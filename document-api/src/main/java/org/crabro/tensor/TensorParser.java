package org.crabro.tensor;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import org.crabro.text.EightBytes;

/**
 * Parses the texts of tensor types and of tensors whose dimensions are all indexed.
 *
 * <pre>
 *   tensor    := type ":" value | number | "{" "}"
 *   type      := "tensor" [ "&lt;" cells ">" ] "(" [ dimension { "," dimension } ] ")"
 *   cells     := "double" | "float" | "bfloat16" | "int8"
 *   dimension := name "{" "}" | name "[" size "]"
 *   value     := number | "{" [ [ "{" "}" ":" ] number ] "}" ; a scalar, 0 by default
 *              | list | hex                               ; dense
 *              | "{" [ cell { "," cell } ] "}"            ; dense, other cells are 0
 *   list      := "[" ( number | list ) { "," ( number | list ) } "]"
 *   cell      := "{" name ":" label { "," name ":" label } "}" ":" number
 *   name      := ( letter | digit | "_" | "@" ) { letter | digit | "_" | "@" | "$" }
 *   label     := name | "'" text "'" | '"' text '"'       ; a number for an indexed dimension
 *   number    := decimal with exponent | [ sign ] ( "NaN" | "Infinity" )
 * </pre>
 *
 * <p>Lists and hexadecimal digits contain the cells in the order in which the text names the
 * dimensions, the last one fastest. Without a type in the text, that is standard order. Blanks are
 * allowed between tokens. It has a method for each rule of the grammar.
 */
final class TensorParser {
    /** Longer exponents are parsed by the Java library. */
    private static final int EXPONENT_DIGITS = 4;

    private static final char LATIN1_MAX = 0xff;

    /** Encodes characters outside Latin-1, which may be blanks. */
    private static final byte UNKNOWN = '?';

    private final String text;

    /**
     * The text in Latin-1, a byte for each character. Each character of the grammar, except in
     * labels, is encoded as itself, and no other character is encoded as such a byte.
     */
    private final byte[] bytes;

    private int offset;

    TensorParser(String text) {
        this.text = text;
        this.bytes = latin1(text);
        skipSpace();
    }

    private static byte[] latin1(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.ISO_8859_1);
        if (encoded.length == text.length()) {
            return encoded;
        }
        // The library encodes both halves of a surrogate pair as one byte.
        byte[] all = new byte[text.length()];
        for (int i = 0; i < all.length; i++) {
            char c = text.charAt(i);
            all[i] = c <= LATIN1_MAX ? (byte) c : UNKNOWN;
        }
        return all;
    }

    /** Parses a type, to the end of the text. */
    TensorType wholeType() {
        TensorType type = type().type;
        end();
        return type;
    }

    /** Parses a tensor with its type before it, or a number, to the end of the text. */
    DenseTensor wholeTensor() {
        if (!startsWithType()) {
            int start = offset;
            if (skip('{') && skip('}')) {
                end();
                return DenseTensor.of(TensorType.SCALAR, new double[] {0});
            }
            offset = start;
            if (offset < text.length() && "{[".indexOf(text.charAt(offset)) >= 0) {
                throw unexpected("a type in front of the value, such as tensor(x[3]):[1,2,3]");
            }
            return DenseTensor.of(TensorType.SCALAR, new double[] {lastNumber()});
        }
        WrittenType written = type();
        expect(':');
        return value(written);
    }

    /** Parses a tensor to the end of the text; {@code type} must accept a type before it. */
    DenseTensor wholeTensor(TensorType type) {
        if (!startsWithType()) {
            return value(new WrittenType(type, type.dimensions()));
        }
        WrittenType written = type();
        if (!type.accepts(written.type)) {
            throw new TensorSyntaxException(
                    "a tensor of type " + type + " is expected, not of " + written.type);
        }
        expect(':');
        return value(written).as(type);
    }

    /** A type, and its dimensions in their original order. */
    private record WrittenType(TensorType type, List<Dimension> order) {}

    private boolean startsWithType() {
        return text.startsWith("tensor", offset);
    }

    private WrittenType type() {
        int start = offset;
        if (!name("'tensor'").equals("tensor")) {
            offset = start;
            throw unexpected("'tensor'");
        }
        CellType cells = CellType.DOUBLE;
        if (skip('<')) {
            cells = cellType();
            expect('>');
        }
        expect('(');
        var order = new ArrayList<Dimension>();
        if (!skip(')')) {
            do {
                order.add(dimension());
            } while (skip(','));
            expect(')');
        }
        return new WrittenType(typeOf(start, cells, order), List.copyOf(order));
    }

    private TensorType typeOf(int start, CellType cells, List<Dimension> order) {
        var names = new HashSet<String>();
        for (Dimension dimension : order) {
            if (!names.add(dimension.name())) {
                throw wrong(start, "two dimensions called '" + dimension.name() + "'");
            }
        }
        List<Dimension> sorted =
                order.stream().sorted(Comparator.comparing(Dimension::name)).toList();
        try {
            return new TensorType(cells, sorted);
        } catch (IllegalArgumentException e) {
            throw wrong(start, String.valueOf(e.getMessage()));
        }
    }

    private CellType cellType() {
        int start = offset;
        String name = name("a cell type");
        return switch (name) {
            case "double" -> CellType.DOUBLE;
            case "float" -> CellType.FLOAT;
            case "bfloat16" -> CellType.BFLOAT16;
            case "int8" -> CellType.INT8;
            default ->
                    throw wrong(
                            start,
                            "unknown cell type '" + name + "': double, float, bfloat16 or int8");
        };
    }

    private Dimension dimension() {
        String name = name("a dimension");
        if (skip('{')) {
            expect('}');
            return new Dimension.Mapped(name);
        }
        if (!skip('[')) {
            throw unexpected("'{}' or '[size]' after dimension '" + name + "'");
        }
        int start = offset;
        if (skip(']')) {
            throw wrong(
                    start,
                    "dimension '" + name + "' needs a size: unbound dimensions are not built");
        }
        String digits = name("a size");
        expect(']');
        int size = wholeNumber(digits);
        if (size < 1) {
            throw wrong(
                    start,
                    "size of dimension '%s' is '%s', a number from 1 to 2^31-1 is expected"
                            .formatted(name, digits));
        }
        return new Dimension.Indexed(name, size);
    }

    private DenseTensor value(WrittenType written) {
        TensorType type = written.type;
        if (!type.isDense()) {
            throw new TensorSyntaxException(
                    "values of type " + type + " are not supported: only indexed dimensions are");
        }
        if (type.cellCount() > DenseTensor.CELL_COUNT_MAX) {
            throw new TensorSyntaxException(
                    "%s has %d cells, at most %d can be given"
                            .formatted(type, type.cellCount(), DenseTensor.CELL_COUNT_MAX));
        }
        if (type.dimensions().isEmpty()) {
            return DenseTensor.of(type, new double[] {scalar()});
        }
        double[] cells = cells(written);
        end();
        return DenseTensor.ofOwned(type, cells);
    }

    private double scalar() {
        if (!skip('{')) {
            return lastNumber();
        }
        double value = 0;
        if (!skip('}')) {
            if (skip('{')) {
                expect('}');
                expect(':');
            }
            value = number();
            expect('}');
        }
        end();
        return value;
    }

    private double lastNumber() {
        double value = number();
        end();
        return value;
    }

    private double[] cells(WrittenType written) {
        if (offset < text.length() && text.charAt(offset) == '[') {
            return list(written);
        }
        if (skip('{')) {
            return namedCells(written.type);
        }
        int start = offset;
        while (offset < text.length() && Character.digit(text.charAt(offset), 16) >= 0) {
            offset++;
        }
        if (offset == start) {
            throw unexpected("'[', '{' or hexadecimal digits");
        }
        return inStandardOrder(
                HexCells.decode(text.substring(start, offset), written.type), written);
    }

    private double[] list(WrittenType written) {
        int start = offset;
        var numbers = new Numbers(written.type.cellCount());
        int depth = nested(numbers, written, 0);
        if (depth > 1 && depth != written.order.size()) {
            throw wrong(
                    start,
                    "lists are nested %d deep for %d dimensions"
                            .formatted(depth, written.order.size()));
        }
        if (numbers.count != written.type.cellCount()) {
            throw wrong(
                    start,
                    "Expected %d values, but got %d"
                            .formatted(written.type.cellCount(), numbers.count));
        }
        return inStandardOrder(numbers.values, written);
    }

    /** Reads a list and returns its nesting depth, which must be the same for all parts. */
    private int nested(Numbers numbers, WrittenType written, int level) {
        int start = offset;
        expect('[');
        int depth = -1;
        int count = 0;
        do {
            boolean isList = at(offset) == '[';
            int below = isList ? nestedPart(numbers, written, level) : 0;
            if (!isList) {
                numbers.add(number(), start);
            }
            if (depth >= 0 && below != depth) {
                throw wrong(start, "a list holds numbers and lists, or lists of different depth");
            }
            depth = below;
            count++;
        } while (skip(','));
        expect(']');
        boolean isNested = level > 0 || depth > 0;
        if (isNested
                && written.order.get(level) instanceof Dimension.Indexed(String name, int size)) {
            if (count != size) {
                throw wrong(
                        start,
                        "Expected %d values in dimension '%s', but got %d"
                                .formatted(size, name, count));
            }
        }
        return depth + 1;
    }

    private int nestedPart(Numbers numbers, WrittenType written, int level) {
        if (level + 1 >= written.order.size()) {
            throw unexpected("a number: there are " + written.order.size() + " dimensions");
        }
        return nested(numbers, written, level + 1);
    }

    private static double[] inStandardOrder(double[] values, WrittenType written) {
        List<Dimension> order = written.order;
        if (order.equals(written.type.dimensions())) {
            return values;
        }
        int[] strides = new int[order.size()];
        for (int i = 0; i < strides.length; i++) {
            strides[i] = stride(written.type, order.get(i));
        }
        double[] cells = CellMemory.cells(values.length);
        int[] at = new int[strides.length];
        for (double value : values) {
            int cell = 0;
            for (int i = 0; i < at.length; i++) {
                cell += at[i] * strides[i];
            }
            cells[cell] = value;
            for (int i = at.length - 1; i >= 0 && ++at[i] == size(order.get(i)); i--) {
                at[i] = 0;
            }
        }
        return cells;
    }

    private static int stride(TensorType type, Dimension dimension) {
        int stride = 1;
        List<Dimension> dimensions = type.dimensions();
        for (int i = dimensions.size() - 1; !dimensions.get(i).equals(dimension); i--) {
            stride *= size(dimensions.get(i));
        }
        return stride;
    }

    private static int size(Dimension dimension) {
        return switch (dimension) {
            case Dimension.Indexed(_, int size) -> size;
            case Dimension.Mapped _ -> throw new IllegalStateException(dimension + " has no size");
        };
    }

    private double[] namedCells(TensorType type) {
        double[] cells = CellMemory.cells(type.cellCount());
        if (skip('}')) {
            return cells;
        }
        do {
            int cell = address(type);
            expect(':');
            cells[cell] = number();
        } while (skip(','));
        expect('}');
        return cells;
    }

    private int address(TensorType type) {
        int start = offset;
        expect('{');
        var named = new HashSet<String>();
        int cell = 0;
        do {
            int nameStart = offset;
            String name = name("a dimension");
            expect(':');
            int labelStart = offset;
            int label = wholeNumber(label());
            Dimension dimension =
                    type.dimensions().stream()
                            .filter(each -> each.name().equals(name))
                            .findFirst()
                            .orElseThrow(
                                    () -> wrong(nameStart, type + " has no dimension " + name));
            if (label < 0 || label >= size(dimension)) {
                throw wrong(
                        labelStart,
                        "label of dimension '%s' is not a number from 0 to %d"
                                .formatted(name, size(dimension) - 1));
            }
            if (!named.add(name)) {
                throw wrong(nameStart, "an address names dimension '" + name + "' twice");
            }
            cell += label * stride(type, dimension);
        } while (skip(','));
        expect('}');
        if (named.size() != type.dimensions().size()) {
            throw wrong(start, "an address names every dimension of " + type);
        }
        return cell;
    }

    private String label() {
        if (offset < text.length() && "'\"".indexOf(text.charAt(offset)) >= 0) {
            int close = text.indexOf(text.charAt(offset), offset + 1);
            if (close < 0) {
                throw unexpected("a label with its closing quote");
            }
            String label = text.substring(offset + 1, close);
            offset = close + 1;
            skipSpace();
            return label;
        }
        return name("a label");
    }

    private double number() {
        int start = offset;
        double value = shortNumber();
        if (offset == start) {
            while (offset < text.length() && isNumberPart(text.charAt(offset))) {
                offset++;
            }
            value = parse(text.substring(start, offset), start);
        }
        skipSpace();
        return value;
    }

    /**
     * Parses a number of at most {@link DecimalNumbers#DIGITS_MAX} digits, like {@link
     * Double#parseDouble}; nearly all numbers are as short. At any other text the position does not
     * change.
     */
    private double shortNumber() {
        byte[] all = bytes;
        int i = offset;
        boolean isNegative = at(i) == '-';
        if (isNegative || at(i) == '+') {
            i++;
        }
        long digits = 0;
        int begin = i;
        while (i < all.length && isDigit(all[i])) {
            digits = 10 * digits + (all[i++] - '0');
        }
        int count = i - begin;
        int exponent = 0;
        if (at(i) == '.') {
            int behind = ++i;
            if (i + 2 * Long.BYTES <= all.length) {
                // Without a branch, because the number of digits is not predictable.
                long first = EightBytes.of(all, i);
                long second = EightBytes.of(all, i + Long.BYTES);
                int some = DigitWords.leadingDigits(first);
                int more = DigitWords.leadingDigits(second) & -(some / Long.BYTES);
                digits =
                        (digits * DigitWords.tens(some)
                                                + DigitWords.decimal(
                                                        DigitWords.lastOnly(first, some)))
                                        * DigitWords.tens(more)
                                + DigitWords.decimal(DigitWords.lastOnly(second, more));
                i += some + more;
            }
            while (i < all.length && isDigit(all[i])) {
                digits = 10 * digits + (all[i++] - '0');
            }
            exponent = behind - i;
            count -= exponent;
        }
        boolean isNone = count == 0;
        if ((at(i) | 0x20) == 'e') {
            boolean isDown = at(++i) == '-';
            if (isDown || at(i) == '+') {
                i++;
            }
            int written = 0;
            int first = i;
            while (isDigit(at(i)) && i < first + EXPONENT_DIGITS) {
                written = 10 * written + (at(i++) - '0');
            }
            isNone |= i == first;
            exponent += isDown ? -written : written;
        }
        if (isNone || isNumberPart((char) at(i)) || isLong(begin, count)) {
            return Double.NaN;
        }
        double value = DecimalNumbers.nearest(digits, exponent);
        if (!Double.isNaN(value)) {
            offset = i;
        }
        return isNegative ? -value : value;
    }

    /** Returns whether the digits from {@code begin} on may exceed 64 bits. */
    private boolean isLong(int begin, int count) {
        int significant = count;
        if (count > DecimalNumbers.DIGITS_MAX) {
            for (int i = begin; at(i) == '0' || at(i) == '.'; i++) {
                significant -= at(i) == '0' ? 1 : 0;
            }
        }
        return significant > DecimalNumbers.DIGITS_MAX;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Returns the byte at {@code index}; a blank after the last one. */
    private byte at(int index) {
        return index < bytes.length ? bytes[index] : (byte) ' ';
    }

    private double parse(String number, int start) {
        boolean hasSign = number.startsWith("-") || number.startsWith("+");
        double sign = number.startsWith("-") ? -1 : 1;
        switch (hasSign ? number.substring(1) : number) {
            case "NaN" -> {
                return Double.NaN;
            }
            case "Infinity" -> {
                return sign * Double.POSITIVE_INFINITY;
            }
            default -> {
                char last = number.isEmpty() ? ' ' : number.charAt(number.length() - 1);
                if (last != '.' && (last < '0' || last > '9')) {
                    offset = start;
                    throw unexpected("a number");
                }
            }
        }
        try {
            return Double.parseDouble(number);
        } catch (NumberFormatException _) {
            offset = start;
            throw unexpected("a number");
        }
    }

    private static boolean isNumberPart(char c) {
        return c == '+' || c == '-' || c == '.' || isNamePart(c);
    }

    private String name(String expected) {
        int start = offset;
        while (offset < text.length() && isNamePart(text.charAt(offset))) {
            offset++;
        }
        if (offset == start || text.charAt(start) == '$') {
            offset = start;
            throw unexpected(expected);
        }
        String name = text.substring(start, offset);
        skipSpace();
        return name;
    }

    private static boolean isNamePart(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '@'
                || c == '$';
    }

    /** Returns the number in {@code digits}, or -1 if it is not an int. */
    private static int wholeNumber(String digits) {
        try {
            return digits.chars().allMatch(c -> c >= '0' && c <= '9')
                    ? Integer.parseInt(digits)
                    : -1;
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    private boolean skip(char expected) {
        if (at(offset) == expected) {
            offset++;
            skipSpace();
            return true;
        }
        return false;
    }

    private void expect(char expected) {
        if (!skip(expected)) {
            throw unexpected("'" + expected + "'");
        }
    }

    private void end() {
        skipSpace();
        if (offset < text.length()) {
            throw unexpected("the end");
        }
    }

    private void skipSpace() {
        while ((at(offset) <= ' ' || at(offset) == UNKNOWN)
                && offset < text.length()
                && Character.isWhitespace(text.charAt(offset))) {
            offset++;
        }
    }

    private TensorSyntaxException unexpected(String expected) {
        int shown = Math.min(text.length(), offset + 20);
        String actual =
                offset >= text.length() ? "the end" : "'" + text.substring(offset, shown) + "'";
        return wrong(offset, "expected " + expected + " but found " + actual);
    }

    private TensorSyntaxException wrong(int at, String problem) {
        return TensorSyntaxException.at(text, at, problem);
    }

    /** Collects numbers, up to the number of cells of the tensor. */
    private final class Numbers {
        private final double[] values;
        private int count;

        Numbers(int capacity) {
            // Limited by the length of the text too, so that a type of a billion cells allocates
            // little.
            values = CellMemory.cells(Math.min(capacity, text.length()));
        }

        void add(double value, int start) {
            if (count == values.length) {
                throw wrong(start, "Expected " + count + " values, but got more");
            }
            values[count++] = value;
        }
    }
}
