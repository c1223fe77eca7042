package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarkdownLinksTest {
    @Test
    void followsFilesFoldersAndHeadings() {
        assertThat(
                        findings(
                                """
                                ## Life of a *write*: steps
                                [up](../README.md) [here](#life-of-a-write-steps) [adr](adr/)
                                [head](../README.md#start-here) [net](https://example.org/x#y)
                                [mail](mailto:someone@example.org)
                                """))
                .isEmpty();
    }

    @Test
    void pointsAtALinkToNothing() {
        assertThat(findings("text\n[gone](gone.md) [out](../../README.md)\n[1]: ../lost.md\n"))
                .containsExactly(
                        "docs/page.md:2: gone.md: no such file",
                        "docs/page.md:2: ../../README.md: no such file",
                        "docs/page.md:3: ../lost.md: no such file");
    }

    @Test
    void pointsAtAHeadingThatIsNotThere() {
        assertThat(findings("[a](../README.md#start) [b](#nowhere)\n"))
                .containsExactly(
                        "docs/page.md:1: ../README.md#start: no such heading",
                        "docs/page.md:1: #nowhere: no such heading");
    }

    @Test
    void numbersHeadingsThatComeTwice() {
        assertThat(findings("# Same\n# Same\n[first](#same) [second](#same-1)\n")).isEmpty();
    }

    @Test
    void leavesCodeAlone() {
        assertThat(findings("`a[0](x.md)`\n```\n[x](y.md)\n# no-heading\n```\n")).isEmpty();
        assertThat(findings("```\n# Sample\n```\n[x](#sample)\n")).hasSize(1);
    }

    @Test
    void namesPagesThatTheIndexLacks() {
        SourceTree tree =
                SourceTree.of(
                        Map.of(
                                "docs/README.md",
                                "[one](one.md)",
                                "docs/one.md",
                                "",
                                "docs/two.md",
                                "",
                                "other/three.md",
                                ""));

        assertThat(MarkdownLinks.pagesOutsideOfTheIndex(tree))
                .containsExactly("docs/README.md: has no link to docs/two.md");
    }

    @Test
    void namesPagesThatTheIndexOfTheLabLacks() {
        SourceTree tree =
                SourceTree.of(
                        Map.of(
                                "docs/README.md",
                                "[lab](lab/README.md) [one](lab/one.md)",
                                "docs/lab/README.md",
                                "[two](two.md)",
                                "docs/lab/one.md",
                                "",
                                "docs/lab/two.md",
                                ""));

        assertThat(MarkdownLinks.pagesOutsideOfTheIndex(tree))
                .containsExactly("docs/lab/README.md: has no link to docs/lab/one.md");
    }

    @Test
    void findsLinksOfPagesForUsersIntoTheLab() {
        SourceTree tree =
                SourceTree.of(
                        Map.of(
                                "docs/README.md",
                                "[lab](lab/README.md)",
                                "docs/adr/0001-a.md",
                                "[lab](../lab/README.md)",
                                "docs/query.md",
                                "text\n[figures](lab/results.md#words)"));

        assertThat(MarkdownLinks.linksIntoTheLab(tree))
                .containsExactly(
                        "docs/query.md:2: lab/results.md#words: a page for users links to docs/lab/");
    }

    private static List<String> findings(String page) {
        return MarkdownLinks.findings(
                SourceTree.of(
                        Map.of(
                                "README.md",
                                "# Start here",
                                "docs/adr/0001-a.md",
                                "",
                                "docs/page.md",
                                page)));
    }
}
