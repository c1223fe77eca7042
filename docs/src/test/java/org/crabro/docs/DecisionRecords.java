package org.crabro.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether decision records have a number of their own and the four parts that make them useful. */
final class DecisionRecords {
    private static final Pattern PATH =
            Pattern.compile("docs/adr/(?<number>\\d{4})-[a-z0-9-]+\\.md");
    private static final List<String> PARTS =
            List.of("## Context", "## Decision", "## Alternatives", "## Consequences");

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
        return findings;
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
