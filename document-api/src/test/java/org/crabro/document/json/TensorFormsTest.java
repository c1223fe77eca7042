package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every form of a tensor in JSON, of every kind of tensor and every type of cell. */
class TensorFormsTest {
    private static final double[] CELLS = {1, -2, 3, 0.5, -127, 64, 7, 0};

    /** A kind of tensor: its mapped dimensions, its indexed dimensions, and its addresses. */
    record Kind(List<String> mapped, List<String> indexed, List<List<String>> addresses) {}

    private static final List<Kind> KINDS =
            List.of(
                    new Kind(List.of(), List.of(), List.of(List.of())),
                    new Kind(List.of(), List.of("x"), List.of(List.of())),
                    new Kind(List.of(), List.of("x", "y"), List.of(List.of())),
                    new Kind(List.of("a"), List.of(), List.of(List.of("cells"), List.of("r"))),
                    new Kind(
                            List.of("a", "b"),
                            List.of(),
                            List.of(List.of("r", "1"), List.of("r", "2"), List.of("s", "1"))),
                    new Kind(List.of("a"), List.of("x"), List.of(List.of("blocks"), List.of("r"))),
                    new Kind(
                            List.of("a", "b"),
                            List.of("x"),
                            List.of(List.of("r", "type"), List.of("s", "values"))),
                    new Kind(List.of("a"), List.of("x", "y"), List.of(List.of("r"), List.of("s"))));

    record Case(TensorType type, Kind kind) {
        @Override
        public String toString() {
            return type.toString();
        }

        int subspace() {
            return 1 << kind.indexed.size();
        }

        double cell(int address, int index) {
            return type.cellType().narrow(CELLS[(address * subspace() + index) % CELLS.length]);
        }

        FieldValue value() {
            if (kind.mapped.isEmpty()) {
                return new FieldValue.TensorValue(DenseTensor.of(type, cells(0)));
            }
            Map<List<String>, double[]> subspaces = new LinkedHashMap<>();
            for (int i = 0; i < kind.addresses.size(); i++) {
                subspaces.put(kind.addresses.get(i), cells(i));
            }
            return new FieldValue.MixedTensorValue(MixedTensor.of(type, subspaces));
        }

        double[] cells(int address) {
            return DoubleStream.iterate(0, index -> index + 1)
                    .limit(subspace())
                    .map(index -> cell(address, (int) index))
                    .toArray();
        }

        /** The cells of a subspace as a list, nested as the dimensions are or not. */
        String list(int address, boolean isNested) {
            double[] cells = cells(address);
            if (isNested && kind.indexed.size() == 2) {
                return "[[%s,%s],[%s,%s]]"
                        .formatted(
                                number(cells[0]),
                                number(cells[1]),
                                number(cells[2]),
                                number(cells[3]));
            }
            return DoubleStream.of(cells)
                    .mapToObj(this::number)
                    .collect(Collectors.joining(",", "[", "]"));
        }

        /** As tensors are shown: whole numbers where the cells are. */
        String number(double cell) {
            return type.cellType() == CellType.INT8
                    ? Integer.toString((int) cell)
                    : Double.toString(cell);
        }

        String hex(int address, CellType digits) {
            return DoubleStream.of(cells(address))
                    .mapToObj(cell ->
                            switch (digits) {
                                case DOUBLE -> "%016x".formatted(Double.doubleToRawLongBits(cell));
                                case FLOAT ->
                                        "%08x".formatted(Float.floatToRawIntBits((float) cell));
                                case BFLOAT16 ->
                                        "%04x"
                                                .formatted(
                                                        Float.floatToRawIntBits((float) cell)
                                                                >>> 16);
                                case INT8 -> "%02x".formatted((byte) cell);
                            })
                    .collect(Collectors.joining());
        }

        String address(int address) {
            var parts = new ArrayList<String>();
            for (int i = 0; i < kind.mapped.size(); i++) {
                parts.add(
                        "\"%s\":\"%s\""
                                .formatted(kind.mapped.get(i), kind.addresses.get(address).get(i)));
            }
            return String.join(",", parts);
        }

        String eachCell() {
            var cells = new ArrayList<String>();
            for (int i = 0; i < kind.addresses.size(); i++) {
                for (int index = 0; index < subspace(); index++) {
                    var parts = new ArrayList<String>();
                    if (!kind.mapped.isEmpty()) {
                        parts.add(address(i));
                    }
                    for (int d = 0; d < kind.indexed.size(); d++) {
                        int label = (index >> (kind.indexed.size() - 1 - d)) & 1;
                        parts.add("\"%s\":\"%d\"".formatted(kind.indexed.get(d), label));
                    }
                    cells.add(
                            "{\"address\":{%s},\"value\":%s}"
                                    .formatted(String.join(",", parts), number(cell(i, index))));
                }
            }
            return "[" + String.join(",", cells) + "]";
        }

        /** Returns the JSON of each address, as members of an object by the only label. */
        String byLabel(IntFunction<String> shown) {
            var members = new ArrayList<String>();
            for (int i = 0; i < kind.addresses.size(); i++) {
                members.add(
                        "\"%s\":%s".formatted(kind.addresses.get(i).getFirst(), shown.apply(i)));
            }
            return "{" + String.join(",", members) + "}";
        }

        String byAddress(String member, IntFunction<String> shown) {
            var elements = new ArrayList<String>();
            for (int i = 0; i < kind.addresses.size(); i++) {
                elements.add(
                        "{\"address\":{%s},\"%s\":%s}"
                                .formatted(address(i), member, shown.apply(i)));
            }
            return "[" + String.join(",", elements) + "]";
        }
    }

    private static Stream<Case> cases() {
        return Stream.of(CellType.values())
                .flatMap(cells ->
                        KINDS.stream()
                                // Without dimensions cells are doubles.
                                .filter(kind ->
                                        cells == CellType.DOUBLE || !dimensions(kind).isEmpty())
                                .map(kind ->
                                        new Case(
                                                TensorType.parse(
                                                        "tensor<%s>(%s)"
                                                                .formatted(
                                                                        cells.name()
                                                                                .toLowerCase(
                                                                                        Locale
                                                                                                .ROOT),
                                                                        dimensions(kind))),
                                                kind)));
    }

    private static String dimensions(Kind kind) {
        return Stream.concat(
                        kind.mapped.stream().map(name -> name + "{}"),
                        kind.indexed.stream().map(name -> name + "[2]"))
                .collect(Collectors.joining(","));
    }

    private static FieldValue read(Case of, String json) {
        var type =
                new DocumentType(
                        "t", List.of(new Field("f", new FieldType.TensorOf(of.type), true)));
        String body = "{\"fields\":{\"f\":" + json + "}}";
        return new DocumentReader(type)
                .read(
                        DocumentId.parse("id:n:t::x"),
                        new ByteArrayInputStream(body.getBytes(UTF_8)),
                        LeftOutCells.UNCOUNTED)
                .document()
                .value("f")
                .orElseThrow();
    }

    /**
     * Returns every form that is valid for the kind; forms of the table of put forms have letters.
     */
    private static List<String> forms(Case of) {
        boolean isDense = of.kind.mapped.isEmpty();
        boolean isSparse = of.kind.indexed.isEmpty();
        boolean hasOneLabel = of.kind.mapped.size() == 1;
        var forms = new ArrayList<String>();
        var wrapped = new ArrayList<String>();
        wrapped.add("\"cells\":" + of.eachCell());
        if (isDense) {
            wrapped.add("\"values\":" + of.list(0, false));
            wrapped.add("\"values\":" + of.list(0, true));
            forms.add(of.list(0, false));
            forms.add(of.list(0, true));
            for (CellType digits : CellType.values()) {
                boolean isSame = digits == of.type.cellType();
                boolean isWider = digits == CellType.DOUBLE && of.type.cellType() != CellType.INT8;
                if (isSame || isWider) {
                    String hex = '"' + of.hex(0, digits) + '"';
                    forms.add(hex);
                    forms.add(hex.toUpperCase(Locale.ROOT));
                    wrapped.add("\"values\":" + hex);
                }
            }
        } else {
            forms.add(of.eachCell());
            if (isSparse && hasOneLabel) {
                String cells = of.byLabel(i -> of.number(of.cell(i, 0)));
                forms.add(cells);
                wrapped.add("\"cells\":" + cells);
            }
            if (!isSparse) {
                forms.add(of.byAddress("values", i -> of.list(i, true)));
                wrapped.add("\"blocks\":" + of.byAddress("values", i -> of.list(i, true)));
                wrapped.add("\"blocks\":" + of.byAddress("values", i -> of.list(i, false)));
                wrapped.add(
                        "\"blocks\":"
                                + of.byAddress(
                                        "values", i -> '"' + of.hex(i, of.type.cellType()) + '"'));
                if (hasOneLabel) {
                    String blocks = of.byLabel(i -> of.list(i, true));
                    forms.add(blocks);
                    wrapped.add("\"blocks\":" + blocks);
                    wrapped.add(
                            "\"blocks\":"
                                    + of.byLabel(i -> '"' + of.hex(i, of.type.cellType()) + '"'));
                }
            }
        }
        for (String each : wrapped) {
            forms.add("{" + each + "}");
            forms.add("{\"type\":\"" + of.type + "\"," + each + "}");
            forms.add("{" + each + ",\"type\":\"" + of.type + "\"}");
        }
        return forms;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void readsEveryFormThatFits(Case of) {
        for (String form : forms(of)) {
            assertThat(read(of, form)).as(form).isEqualTo(of.value());
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void showsEveryFormat(Case of) {
        String type = "{\"type\":\"" + of.type + "\",";
        for (TensorFormat format : TensorFormat.values()) {
            if (TensorFormat.of(format.parameter()) != format) {
                continue;
            }
            String compact =
                    compact(of, format == TensorFormat.HEX || format == TensorFormat.HEX_VALUE);
            String value = compact.substring(compact.indexOf(':') + 1);
            String expected =
                    switch (format) {
                        case LONG -> type + "\"cells\":" + of.eachCell() + "}";
                        case LONG_VALUE -> of.eachCell();
                        case SHORT, HEX -> type + compact + "}";
                        case SHORT_VALUE, HEX_VALUE -> value;
                        case STRING, STRING_LONG ->
                                throw new AssertionError(format + " is none of documents");
                    };

            String shown = new String(FieldValueWriter.utf8(of.value(), format), UTF_8);

            assertThat(shown).as(format.name()).isEqualTo(expected);
            assertThat(read(of, shown)).as(format.name()).isEqualTo(of.value());
        }
    }

    private static String compact(Case of, boolean isHex) {
        IntFunction<String> part =
                i ->
                        isHex
                                ? '"' + of.hex(i, of.type.cellType()).toUpperCase(Locale.ROOT) + '"'
                                : of.list(i, true);
        boolean isSparse = of.kind.indexed.isEmpty();
        if (of.kind.mapped.isEmpty()) {
            return "\"values\":" + part.apply(0);
        }
        if (of.kind.mapped.size() == 1) {
            return isSparse
                    ? "\"cells\":" + of.byLabel(i -> of.number(of.cell(i, 0)))
                    : "\"blocks\":" + of.byLabel(part);
        }
        return isSparse
                ? "\"cells\":" + of.byAddress("value", i -> of.number(of.cell(i, 0)))
                : "\"blocks\":" + of.byAddress("values", part);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void refusesWhatIsForOtherKinds(Case of) {
        var wrong = new ArrayList<String>(List.of("5", "true", "\"xyz\""));
        if (of.kind.mapped.size() != 1) {
            // With one label it may be one.
            wrong.addAll(List.of("{\"cells\":5}", "{\"values\":[[1,2,3,4,5]]}"));
        }
        if (of.kind.mapped.isEmpty()) {
            wrong.addAll(List.of("[]", "{\"values\":[]}", "{\"blocks\":[]}"));
            wrong.add("[" + "1,".repeat(of.subspace()) + "1]");
        } else {
            wrong.add("[1,2]");
            wrong.add("[{\"values\":[1,2]}]");
            wrong.add(of.eachCell().replaceFirst("\"value\"", "\"value\":1,\"values\""));
            if (of.kind.indexed.isEmpty()) {
                wrong.add(of.byAddress("values", _ -> "[1]"));
                wrong.add("{\"blocks\":[{\"address\":{\"a\":\"r\"},\"values\":[1]}]}");
            }
        }
        if (!of.kind.indexed.isEmpty()) {
            wrong.add(of.byAddress("value", _ -> "1"));
            wrong.add(of.eachCell().replaceFirst("\"x\":\"0\"", "\"x\":\"2\""));
        }
        for (String form : wrong) {
            assertThatExceptionOfType(InvalidDocumentException.class)
                    .as(form)
                    .isThrownBy(() -> read(of, form))
                    .withMessageContaining("f");
        }
    }
}
