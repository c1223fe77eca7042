package org.crabro.docs.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.crabro.docs.SourceTree;
import org.junit.jupiter.api.Test;

/**
 * People name groups with options. The request parameter for them is in commands and in the console
 * only as the name of a parameter that they send or replace, and in no message.
 */
class CommandMessagesTest {
    private static final Pattern IN_A_TEXT =
            Pattern.compile("(?<![\"'])streaming\\.groupname|streaming\\.groupname(?!s?=?[\"'])");

    private static final List<String> PLACES =
            List.of(
                    "clients/src/main/",
                    "server/src/main/",
                    "container/src/main/resources/org/crabro/container/console/");

    private static SortedMap<String, String> findings(SourceTree tree) {
        var findings = new TreeMap<String, String>();
        tree.texts()
                .forEach((path, text) -> {
                    if (PLACES.stream().anyMatch(path::startsWith)) {
                        text.lines()
                                .filter(line -> IN_A_TEXT.matcher(line).find())
                                .forEach(line -> findings.put(path, line.strip()));
                    }
                });
        return findings;
    }

    @Test
    void messagesNameOptionsAndNoParameters() throws IOException {
        assertThat(findings(SourceTree.ofRepository())).isEmpty();
    }

    @Test
    void findsMessagesAndNoNamesOfParameters() {
        String path = "clients/src/main/java/org/crabro/client/cli/A.java";

        assertThat(findings(SourceTree.of(Map.of(path, "say(\"set streaming.groupname to it\");"))))
                .containsKey(path);
        assertThat(
                        findings(
                                SourceTree.of(
                                        Map.of(
                                                path,
                                                "put(\"streaming.groupname\", name);\n"
                                                        + "url(\"streaming.groupname=\" + name);"))))
                .isEmpty();
    }
}
