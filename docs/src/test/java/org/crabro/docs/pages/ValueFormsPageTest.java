package org.crabro.docs.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.docs.SourceTree;
import org.crabro.document.FieldType.Primitive;
import org.junit.jupiter.api.Test;

/** The page on documents has an example of each kind of type, from the table of the tests. */
class ValueFormsPageTest {
    private static final String FORMS =
            "document-api/src/test/resources/org/crabro/document/json/value-forms.tsv";

    private static final Pattern EXAMPLE =
            Pattern.compile("\\| `([^`]+)` \\| `([^`]+)` \\| `([^`]+)` \\|");

    /** A line of the table, or an example of the page. */
    private record Form(String type, String json, String written) {
        String kind() {
            return type.replaceAll("<.*", "").replaceAll("\\(.*", "");
        }
    }

    @Test
    void hasExamplesOfAllTypesFromTheTableOfForms() throws IOException {
        List<Form> examples = examples();

        assertThat(accepted()).containsAll(examples);
        assertThat(examples.stream().map(Form::kind).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(
                        accepted().stream()
                                .map(Form::kind)
                                .filter(kind -> !kind.equals("outer"))
                                .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void describesEveryType() throws IOException {
        String page = SourceTree.ofRepository().text("docs/documents.md");
        Set<String> described =
                page.lines()
                        .dropWhile(line -> !line.equals("## Fields"))
                        .takeWhile(line -> !line.equals("### How values are written"))
                        .filter(line -> line.startsWith("| "))
                        .map(line -> line.split(" \\| ", 2)[0])
                        .flatMap(cell -> Pattern.compile("\\w+").matcher(cell).results())
                        .map(word -> word.group())
                        .collect(Collectors.toSet());
        Stream<String> primitives =
                Arrays.stream(Primitive.values()).map(type -> type.name().toLowerCase(Locale.ROOT));

        assertThat(described)
                .containsAll(
                        Stream.concat(
                                        primitives,
                                        Stream.of(
                                                "reference",
                                                "position",
                                                "array",
                                                "weightedset",
                                                "map",
                                                "struct",
                                                "tensor"))
                                .toList());
    }

    private static List<Form> examples() throws IOException {
        return SourceTree.ofRepository()
                .text("docs/documents.md")
                .lines()
                .dropWhile(line -> !line.equals("### How values are written"))
                .takeWhile(line -> !line.equals("## CBOR"))
                .map(EXAMPLE::matcher)
                .filter(Matcher::matches)
                .map(row -> new Form(row.group(1), row.group(2), row.group(3)))
                .toList();
    }

    private static List<Form> accepted() throws IOException {
        Path root = Path.of(System.getProperty("crabro.root", ".."));
        return Files.readString(root.resolve(FORMS), StandardCharsets.UTF_8)
                .lines()
                .skip(1)
                .map(line -> line.split("\t", -1))
                .filter(columns -> !columns[2].equals("error") && !columns[3].isEmpty())
                .map(columns -> new Form(columns[0], columns[1], columns[3]))
                .toList();
    }
}
