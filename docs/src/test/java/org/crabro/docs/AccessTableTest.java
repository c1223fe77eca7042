package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about security has the table of permissions that the walk over all handlers checks. */
class AccessTableTest {
    private static final String APPLICATION =
            "/application/v2/tenant/default/application/default/environment/default/region/default/instance/default/";

    private static final Pattern DECODING =
            Pattern.compile("getPathInContext|getDecodedPath|getCanonicalPath");

    private static final Pattern OPENING = Pattern.compile("HttpListener\\s*\\.(start|open)\\(");

    @Test
    void thePageHasTheTableOfTheWalk() throws IOException {
        SourceTree tree = SourceTree.ofRepository();
        List<String> shown =
                tree.text("docs/security.md")
                        .lines()
                        .dropWhile(line -> !line.equals("### What each permission opens"))
                        .dropWhile(line -> !line.startsWith("|---"))
                        .skip(1)
                        .takeWhile(line -> line.startsWith("|"))
                        .toList();

        assertThat(shown)
                .isEqualTo(
                        ResourceLines.of("access.tsv").stream()
                                .filter(line -> !line.startsWith("#"))
                                .map(AccessTableTest::row)
                                .toList());
    }

    /** A path that a second method decodes is another path than that of the permissions. */
    @Test
    void noCodeReadsADecodedPathButTheCanonicalOne() throws IOException {
        assertThat(
                        sources("container/src/main/").entrySet().stream()
                                .filter(file -> DECODING.matcher(file.getValue()).find())
                                .map(Map.Entry::getKey))
                .isEmpty();
    }

    /** Who opens a port in another file adds the port to the walk over all handlers. */
    @Test
    void portsAreOpenedWithRoutesAlone() throws IOException {
        List<String> opening =
                sources("").entrySet().stream()
                        .filter(file -> OPENING.matcher(file.getValue()).find())
                        .map(Map.Entry::getKey)
                        .toList();

        assertThat(opening)
                .containsExactly(
                        "container/src/main/java/org/crabro/container/Container.java",
                        "container/src/main/java/org/crabro/container/admin/ConfigPort.java",
                        "container/src/main/java/org/crabro/container/admin/ConfigServer.java");
    }

    private static Map<String, String> sources(String start) throws IOException {
        return SourceTree.ofRepository().texts().entrySet().stream()
                .filter(file ->
                        file.getKey().startsWith(start)
                                && file.getKey().contains("/src/main/java/")
                                && !file.getKey().startsWith("perf/")
                                && !file.getKey().endsWith("/HttpListener.java"))
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                Map.Entry::getValue,
                                (one, _) -> one,
                                TreeMap::new));
    }

    private static String row(String line) {
        List<String> cells = List.of(line.split("\t"));
        return "| %s | `%s` | %s |"
                .formatted(
                        cells.get(0),
                        cells.get(2).replace(APPLICATION, "/application/v2/…/"),
                        String.join(" | ", cells.subList(3, cells.size())));
    }
}
