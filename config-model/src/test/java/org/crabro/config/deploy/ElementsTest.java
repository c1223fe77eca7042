package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.crabro.config.application.MapFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema language, element by element: which are accepted, and the messages for the others. */
class ElementsTest {
    private static final String ARROW = " =>";

    /** A line break of the text. */
    private static final String BREAK = " ~ ";

    private static final Map<String, String> TYPES =
            Map.ofEntries(
                    Map.entry("string", "string"),
                    Map.entry("strings", "array<string>"),
                    Map.entry("int", "int"),
                    Map.entry("ints", "array<int>"),
                    Map.entry("predicate", "predicate"),
                    Map.entry("position", "position"),
                    Map.entry("weightedset", "weightedset<string>"),
                    Map.entry("map", "map<string, person>"),
                    Map.entry("struct", "array<person>"),
                    Map.entry("vector", "tensor<float>(x[2])"),
                    Map.entry("mapped", "tensor<float>(k{},x[2])"),
                    Map.entry("matrix", "tensor<float>(x[2],y[2])"));

    private static final String FIELDS =
            """
            struct person { field name type string {} }
            field title type string { indexing: index }
            field body type string { indexing: index }
            field year type int { attribute: fast-search indexing: attribute }
            field vector type tensor(x[2]) { indexing: attribute }
            field tag type string { indexing: attribute }
            """;

    /** A line of the table. */
    record Row(String context, String text, String told) {
        @Override
        public String toString() {
            return context + ": " + text;
        }
    }

    static Stream<Row> rows() {
        return lines("elements.txt")
                .map(line -> {
                    int colon = line.indexOf(": ");
                    int arrow = line.indexOf(ARROW);
                    return new Row(
                            line.substring(0, colon),
                            line.substring(colon + 2, arrow),
                            line.substring(arrow + ARROW.length()).strip());
                });
    }

    @ParameterizedTest
    @MethodSource("rows")
    void reportsEachElement(Row row) {
        assertThat(told(row)).isEqualTo(row.told());
    }

    @Test
    void leavesNoWordOfTheLanguageOut() {
        Set<String> seen = new HashSet<>();
        rows().forEach(row -> seen.addAll(Arrays.asList(row.toString().split("[^a-z0-9-]+"))));
        var missing = new TreeSet<String>();
        lines("grammar-words.txt").filter(word -> !seen.contains(word)).forEach(missing::add);

        assertThat(missing).isEmpty();
    }

    static String told(Row row) {
        var files = new TreeMap<String, String>();
        files.put(
                "services.xml",
                """
                <content version="1.0"><redundancy>1</redundancy><documents>
                  <document type="s" mode="index"/>
                  <document type="base" mode="index" global="true"/>
                </documents></content>
                """);
        files.put("schemas/base.sd", "schema base { document base {} }");
        files.put("schemas/s.sd", file(row.context(), row.text().replace(BREAK, "\n")));
        files.put("constants/c.json", "{\"values\": [1, 2]}");
        files.put("models/m.onnx", "");
        List<String> told = new ArrayList<>();
        try {
            CompiledApplication compiled = ApplicationCompiler.compile(new MapFiles(files), 1);
            compiled.notices().forEach(notice -> told.add(notice.level() + " " + notice.message()));
        } catch (InvalidApplicationException e) {
            e.problems().forEach(problem -> told.add(problem.lines().findFirst().orElse("")));
        }
        return String.join(
                " && ",
                told.stream()
                        .filter(line -> !line.contains("no content cluster names it"))
                        .map(line -> line.replaceFirst("[a-z/]*\\.[a-z]+(:[0-9]+:[0-9]+)?: ", ""))
                        .toList());
    }

    private static String file(String context, String text) {
        return switch (context) {
            case "file" -> text;
            case "schema" -> schema("", text);
            case "document" -> schema(text, "");
            case "summary" -> schema("", "document-summary d {\n" + text + "\n}");
            case "fieldset" -> schema("", "fieldset f {\n" + text + "\n}");
            case "profile" -> schema("", "rank-profile p {\n" + text + "\n}");
            default -> field(context, text);
        };
    }

    private static String field(String context, String text) {
        String[] parts = context.split("/", -1);
        String indexing = parts[1].replace("+", " | ");
        String script = indexing.isEmpty() ? "" : "indexing: " + indexing;
        if (parts[0].equals("outside")) {
            return schema(
                    "",
                    "field f type string {\nindexing: input title | "
                            + indexing
                            + "\n"
                            + text
                            + "\n}");
        }
        return schema(
                "field f type %s {%n%s%n%s%n}"
                        .formatted(
                                Objects.requireNonNull(TYPES.get(parts[0])),
                                script,
                                text.equals("~") ? "" : text),
                "");
    }

    private static String schema(String inside, String outside) {
        return "schema s {\ndocument s {\n" + FIELDS + inside + "\n}\n" + outside + "\n}";
    }

    private static Stream<String> lines(String file) {
        try (InputStream in =
                Objects.requireNonNull(ElementsTest.class.getResourceAsStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
