package org.crabro.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Whether decision records have a number of their own and the four parts that make them useful, and
 * whether the index explains numbers without a record.
 */
final class DecisionRecords {
    private static final Pattern PATH =
            Pattern.compile("docs/adr/(?<number>\\d{4})-[a-z0-9-]+\\.md");
    private static final List<String> PARTS =
            List.of("## Context", "## Decision", "## Alternatives", "## Consequences");

    private static final String INDEX = "docs/README.md";
    private static final Pattern NUMBERS_WITHOUT_RECORD =
            Pattern.compile("No record has the numbers (?<all>\\d+(, \\d+)*( and \\d+)?)");

    private DecisionRecords() {}

    static List<String> findings(SourceTree tree) {
        var findings = new ArrayList<String>();
        Map<String, String> byNumber = new HashMap<>();
        tree.texts()
                .tailMap("docs/adr/")
                .forEach((path, text) -> {
                    if (path.startsWith("docs/adr/")) {
                        findings.addAll(findings(path, text, byNumber));
                    }
                });
        findings.addAll(unexplainedGaps(tree.text(INDEX), byNumber));
        return findings;
    }

    /** Returns the numbers without a record that the index does not explain. */
    private static List<String> unexplainedGaps(String index, Map<String, String> byNumber) {
        int last = byNumber.keySet().stream().mapToInt(Integer::parseInt).max().orElse(0);
        Matcher explained = NUMBERS_WITHOUT_RECORD.matcher(index);
        List<String> numbers =
                explained.find() ? List.of(explained.group("all").split("\\D+", -1)) : List.of();
        return IntStream.rangeClosed(1, last)
                .filter(number -> !byNumber.containsKey("%04d".formatted(number)))
                .mapToObj(Integer::toString)
                .filter(number -> !numbers.contains(number))
                .map(number -> INDEX + ": does not explain that no record has the number " + number)
                .toList();
    }

    private static List<String> findings(String path, String text, Map<String, String> byNumber) {
        var findings = new ArrayList<String>();
        Matcher matcher = PATH.matcher(path);
        if (!matcher.matches()) {
            return List.of(path + ": not named like 0007-what-was-decided.md");
        }
        String before = byNumber.putIfAbsent(matcher.group("number"), path);
        if (before != null) {
            findings.add(path + ": has the number of " + before);
        }
        for (String part : PARTS) {
            if (text.lines().noneMatch(part::equals)) {
                findings.add(path + ": has no part '" + part + "'");
            }
        }
        return findings;
    }
}
