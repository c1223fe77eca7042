package org.crabro.docs.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.crabro.docs.SourceTree;
import org.junit.jupiter.api.Test;

class PackagesPageTest {
    @Test
    void thePageIsMadeFromThePackages() throws IOException {
        SourceTree tree = SourceTree.ofRepository();
        String page = PackagesPage.of(tree);
        if (Boolean.getBoolean("crabro.write")) {
            Path root = Path.of(System.getProperty("crabro.root", ".."));
            Files.writeString(root.resolve(PackagesPage.PATH), page);
        } else {
            assertThat(tree.text(PackagesPage.PATH))
                    .as("run this test with -Dcrabro.write=true to write the page")
                    .isEqualTo(page);
        }
    }

    @Test
    void listsPurposeAndFirstTypes() {
        String page =
                PackagesPage.of(
                        SourceTree.of(
                                Map.of(
                                        "container/src/main/java/org/crabro/container/yql/package-info.java",
                                        """
                                        /**
                                         * Parses YQL, as in {@code select * from x}, for {@link
                                         * org.crabro.container}. More text.
                                         *
                                         * <p>Start reading at {@link org.crabro.container.yql.YqlParser#parse}, then
                                         * {@code Lexer}. {@link org.crabro.container.yql.Other} is not one of them.
                                         */
                                        """,
                                        "ranking/src/main/java/org/crabro/ranking/json/package-info.java",
                                        """
                                        /** Reads models. {@link org.crabro.ranking.json.JsonFile} has {@code null}. */
                                        """,
                                        "ranking/src/test/java/org/crabro/ranking/test/package-info.java",
                                        "/** Tests. */")));

        assertThat(page.substring(page.indexOf("## ")))
                .isEqualTo(
                        """
                        ## ranking

                        | package | what it is | first types |
                        |---|---|---|
                        | `ranking.json` | Reads models. | `JsonFile` |

                        ## container

                        | package | what it is | first types |
                        |---|---|---|
                        | `container.yql` | Parses YQL, as in `select * from x`, for `container`. | `YqlParser`, `Lexer` |
                        """);
    }
}
