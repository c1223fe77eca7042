package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page about security has the table of permissions that the walk over all handlers checks. */
class AccessTableTest {
    private static final String APPLICATION =
            "/application/v2/tenant/default/application/default/environment/default/region/default/instance/default/";

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

    private static String row(String line) {
        List<String> cells = List.of(line.split("\t"));
        return "| %s | `%s` | %s |"
                .formatted(
                        cells.get(0),
                        cells.get(2).replace(APPLICATION, "/application/v2/…/"),
                        String.join(" | ", cells.subList(3, cells.size())));
    }
}
