package org.crabro.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Lines that must not stand in any file of ours. */
final class ForbiddenText {
    private static final Map<String, Pattern> FORBIDDEN =
            Map.of(
                    "work left open without the number of an issue, such as (#12)",
                    Pattern.compile("(//|/?\\*|#|<!--).*\\b(TO[D]O|FIX[M]E)\\b(?!\\s*\\(#\\d+\\))"),
                    "a path of somebody's machine",
                    Pattern.compile(
                            "(?<![\\w./~}-])(/(home|Users)/\\w|/(root|work)/\\w|[A-Z]:\\\\Users\\\\)"),
                    "the name of an author, which the history knows better",
                    Pattern.compile("^\\s*/?\\*.*@author\\b"),
                    "a library whose checks are off: see errorprone.absent in pom.xml",
                    Pattern.compile(
                            "^import (static )?(androidx?|dagger|io\\.reactivex|(javax|jakarta)\\.inject"
                                    + "|com\\.google\\.(auto|common|errorprone|inject|protobuf)"
                                    + "|junit|org\\.(joda|mockito|robolectric|junit\\.[A-Z]\\w*))\\b"));

    private ForbiddenText() {}

    static List<String> findings(SourceTree tree) {
        var findings = new ArrayList<String>();
        tree.texts().forEach((path, text) -> findings.addAll(findings(path, text)));
        return findings;
    }

    private static List<String> findings(String path, String text) {
        var findings = new ArrayList<String>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            for (var forbidden : FORBIDDEN.entrySet()) {
                if (forbidden.getValue().matcher(line).find()) {
                    findings.add(path + ":" + number + ": " + forbidden.getKey());
                }
            }
        }
        return findings;
    }
}
