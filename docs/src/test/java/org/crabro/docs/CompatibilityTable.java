package org.crabro.docs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The rules of compatibility, and the tests that show them.
 *
 * <p>A line has the section of the specification, the rule, and the tests, with tabs between them.
 * A test is written as {@code SimpleClassName.method}; several have commas between them. The lines
 * are in the order of the sections. Lines that begin with {@code #} explain.
 */
record CompatibilityTable(List<Row> rows) {
    static final String FILE = "rules.tsv";
    private static final int CELLS = 3;

    /** A test method, as the formatter writes it; text blocks are indented deeper. */
    private static final Pattern METHOD =
            Pattern.compile(
                    "^ {4}@(?:Test|ParameterizedTest|TestFactory)\\b(?:.*\\R)*?"
                            + " {4}\\w[\\w<>?\\[\\], .]* (?<name>\\w+)\\(",
                    Pattern.MULTILINE);

    /** Reads the table of this module's test resources. */
    static CompatibilityTable read() throws IOException {
        return of(ResourceLines.of(FILE));
    }

    static CompatibilityTable of(List<String> lines) {
        return new CompatibilityTable(
                lines.stream().filter(line -> !line.startsWith("#")).map(Row::of).toList());
    }

    /** Returns what is wrong with the table: its order, rules given twice, and missing tests. */
    List<String> findings(SourceTree tree) {
        var findings = new ArrayList<String>();
        if (!rows.equals(rows.stream().sorted((a, b) -> a.section - b.section).toList())) {
            findings.add("sort the lines by section");
        }
        Set<String> tests = tests(tree);
        var rules = new HashSet<String>();
        for (Row row : rows) {
            if (!rules.add(row.rule)) {
                findings.add("the rule is there twice: " + row);
            }
            if (row.tests.isEmpty()) {
                findings.add("no test shows the rule: " + row);
            }
            for (String test : row.tests) {
                if (!tests.contains(test)) {
                    findings.add("there is no test %s: %s".formatted(test, row));
                }
            }
        }
        return findings;
    }

    /** Returns the test methods of all modules, as {@code SimpleClassName.method}. */
    private static Set<String> tests(SourceTree tree) {
        var tests = new HashSet<String>();
        for (JavaSource source : JavaSource.all(tree)) {
            if (!source.isMain()) {
                String file = source.path().substring(source.path().lastIndexOf('/') + 1);
                Matcher method = METHOD.matcher(source.text());
                while (method.find()) {
                    tests.add(file.replace(".java", ".") + method.group("name"));
                }
            }
        }
        return tests;
    }

    /** A line. */
    record Row(int section, String rule, List<String> tests) {
        static Row of(String line) {
            String[] cells = line.split("\t", -1);
            if (cells.length != CELLS || !cells[0].matches("\\d+") || cells[1].isBlank()) {
                throw new IllegalArgumentException(
                        "%s: expected the number of a section, a rule and tests with tabs between them, but found %s"
                                .formatted(FILE, line));
            }
            return new Row(
                    Integer.parseInt(cells[0]),
                    cells[1],
                    Arrays.stream(cells[2].split(",", -1))
                            .map(String::strip)
                            .filter(test -> !test.isEmpty())
                            .collect(Collectors.toList()));
        }

        @Override
        public String toString() {
            return section + "\t" + rule + "\t" + String.join(", ", tests);
        }
    }
}
