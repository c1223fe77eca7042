package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.MapFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files of a package that are small when they are packed, and would take much memory when read. */
class PackageBoundsTest {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/>%s</container>
              <content id="content" version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;

    private static final String SCHEMA =
            """
            schema note {
              document note {
                %s
              }
              %s
            }
            """;

    private static final String NOTE =
            SCHEMA.formatted("field time type int { indexing: attribute }", "");

    private static final String PROFILE = "rank-profile p { first-phase { expression: %s\n } }";

    @TempDir Path directory;

    /** An attack: a file, and the message that refuses it. */
    enum Attack {
        EMPTY_ELEMENTS(
                "services.xml",
                SERVICES.formatted("<a/>".repeat(60_000)),
                "the file has more than 50,000 elements and attributes"),
        ATTRIBUTES(
                "services.xml",
                SERVICES.formatted("<a b='' c='' d='' e=''/>".repeat(11_000)),
                "the file has more than 50,000 elements and attributes"),
        BROKEN_ELEMENTS(
                "services.xml",
                SERVICES.formatted("<container>".repeat(3) + "<content/>".repeat(60_000)),
                "the file has more than 50,000 elements and attributes"),
        QUERY_PROFILE(
                "search/query-profiles/default.xml",
                "<query-profile id=\"default\">%s</query-profile>"
                        .formatted("<field name=\"a\"/>".repeat(30_000)),
                "the file has more than 50,000 elements and attributes"),
        FIELDS(
                "schemas/note.sd",
                SCHEMA.formatted(each(60_000, i -> "field f" + i + " type int{}\n"), ""),
                "the file has more than "),
        SETTINGS(
                "schemas/note.sd",
                SCHEMA.formatted(
                        "field t type string { indexing: index }",
                        "fieldset d { %s }".formatted("fields: t\n".repeat(60_000))),
                "the file has more than 50,000 items in braces"),
        NAMES(
                "schemas/note.sd",
                SCHEMA.formatted("", "fieldset d { fields: t" + ",t".repeat(600_000) + "\n}"),
                "the file has more than 500,000 words and signs"),
        CONCATENATION(
                "schemas/note.sd",
                SCHEMA.formatted(
                        "field t type string { indexing: input t%s | index }"
                                .formatted(" . input t".repeat(110_000)),
                        ""),
                "the file has more than 100,000 expressions in indexing scripts"),
        STATEMENTS(
                "schemas/note.sd",
                SCHEMA.formatted(
                        "field t type string { indexing: input t%s | index }"
                                .formatted(" | trim".repeat(110_000)),
                        ""),
                "the file has more than 100,000 expressions in indexing scripts"),
        SUM(
                "schemas/note.sd",
                SCHEMA.formatted("", PROFILE.formatted("1" + "+1".repeat(110_000))),
                "the expression has more than 100,000 values"),
        CHOICES(
                "schemas/note.sd",
                SCHEMA.formatted("", PROFILE.formatted("1 in [1" + ",1".repeat(110_000) + "]")),
                "the expression has more than 100,000 values"),
        TENSOR(
                "schemas/note.sd",
                SCHEMA.formatted(
                        "",
                        PROFILE.formatted(
                                "sum(tensor(x[1100001]):[1" + ",1".repeat(1_100_000) + "])")),
                "the tensors of the expression have more than 1,000,000 cells"),
        RULES(
                "rules/a.sr",
                "a" + ",a".repeat(600_000) + " -> b;",
                "the file has more than 500,000 conditions and products"),
        PHRASE(
                "rules/a.sr",
                "\"" + "a ".repeat(600_000) + "\" -> b;",
                "the file has more than 500,000 conditions and products"),
        DEFINITION(
                "configdefinitions/a.def",
                "namespace=a\n" + each(21_000, i -> "f" + i + " int\n"),
                "configdefinitions/a.def: the file has more than 20,000 lines");

        private final String path;
        private final String text;
        private final String message;

        Attack(String path, String text, String message) {
            this.path = path;
            this.text = text;
            this.message = message;
        }
    }

    private static String each(int count, IntFunction<String> text) {
        var all = new StringBuilder();
        IntStream.range(0, count).mapToObj(text).forEach(all::append);
        return all.toString();
    }

    private static Map<String, String> valid() {
        var files = new TreeMap<String, String>();
        files.put("services.xml", SERVICES.formatted(""));
        files.put("schemas/note.sd", NOTE);
        return files;
    }

    private static void refuses(Map<String, String> files, String message) {
        assertThatExceptionOfType(InvalidApplicationException.class)
                .isThrownBy(() -> ApplicationCompiler.compile(new MapFiles(files), 1))
                .satisfies(refusal ->
                        assertThat(refusal.problems())
                                .anySatisfy(each -> assertThat(each).contains(message)));
    }

    @ParameterizedTest
    @EnumSource
    void refusesAFileWithTooManyParts(Attack attack) {
        Map<String, String> files = valid();
        files.put(attack.path, attack.text);

        refuses(files, attack.message);
    }

    @Test
    void acceptsLargeFilesBelowTheLimits() {
        Map<String, String> files = valid();
        files.put(
                "schemas/note.sd",
                SCHEMA.formatted(
                        each(2_000, i -> "field f" + i + " type int { indexing: attribute }\n"),
                        PROFILE.formatted("1" + "+attribute(f1)".repeat(500))));

        assertThat(ApplicationCompiler.compile(new MapFiles(files), 1).model().schemas())
                .containsKey("note");
    }

    @Test
    void refusesIncludesWithTooManyElementsInTotal() {
        Map<String, String> files = valid();
        files.put(
                "services.xml",
                SERVICES.formatted("<preprocess:include file=\"a.xml\"/>".repeat(60))
                        .replace("<services ", "<services xmlns:preprocess=\"properties\" "));
        files.put("a.xml", "<a/>".repeat(1_000));

        refuses(
                files,
                "with this include, the files have more than 50,000 elements and attributes");
    }

    @Test
    void refusesChainsWithTooManyElementsInTotal() {
        Map<String, String> files = valid();
        for (int i = 0; i < 60; i++) {
            files.put("search/chains/" + i + ".xml", "<chain id='a'/>".repeat(500));
        }

        refuses(files, "the files of chains have more than 50,000 elements and attributes");
    }

    @Test
    void refusesQueryProfilesWithTooManyElementsInTotal() {
        Map<String, String> files = valid();
        for (int i = 0; i < 26; i++) {
            files.put(
                    "search/query-profiles/p" + i + ".xml",
                    "<query-profile id='p" + i + "'>" + "<a/>".repeat(20_000) + "</query-profile>");
        }

        refuses(files, "the query profiles have more than 500,000 elements and attributes");
    }

    @Test
    void refusesSchemasWithTooManyWordsInTotal() {
        Map<String, String> files = valid();
        for (int i = 0; i < 6; i++) {
            files.put(
                    "schemas/s" + i + ".sd",
                    SCHEMA.formatted("", "fieldset d { fields: t" + ",t".repeat(200_000) + "\n}")
                            .replace("note", "s" + i));
        }

        refuses(files, "the schemas have more than 1,000,000 words and signs");
    }

    @Test
    void refusesRulesWithTooManyConditionsInTotal() {
        Map<String, String> files = valid();
        for (int i = 0; i < 3; i++) {
            files.put("rules/r" + i + ".sr", "a" + ",a".repeat(400_000) + " -> b;");
        }

        refuses(files, "the rules have more than 1,000,000 conditions and products");
    }

    @Test
    void refusesTooManyIgnoredPaths() throws IOException {
        Files.writeString(directory.resolve(".vespaignore"), "a*\n".repeat(20_000));

        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() -> DirectoryFiles.sentOf(directory))
                .withMessage(".vespaignore:10001: more than 10,000 globs");
    }

    /** The same file read again counts again, as each reading takes time. */
    @Test
    void refusesTooManyBytesOfText() throws IOException {
        Path large = directory.resolve("large");
        try (Writer out = Files.newBufferedWriter(large)) {
            String megabyte = "x".repeat(1 << 20);
            for (int i = 0; i < 16; i++) {
                out.write(megabyte);
            }
        }
        DirectoryFiles files = DirectoryFiles.of(directory);
        for (int i = 0; i < 16; i++) {
            assertThat(files.text("large").orElseThrow()).hasSize(16 << 20);
        }

        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() -> files.text("large"))
                .withMessage("large: with this file, more than 268,435,456 bytes are read as text");
    }
}
