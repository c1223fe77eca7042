package org.crabro.docs.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.crabro.docs.SourceTree;
import org.junit.jupiter.api.Test;

/**
 * The commands of README.md, with their output, are on other pages. {@code FiveCommandsIT} and
 * {@code DemoIT} run them, except those for Docker. The page is short.
 */
class FirstPageTest {
    private static final int LINES_MAX = 100;
    private static final List<String> PAGES =
            List.of("docs/getting-started.md", "docs/install.md", "docs/commands.md");
    private static final Pattern BLOCK =
            Pattern.compile("```(?:sh|console)\n(?<lines>.*?)```", Pattern.DOTALL);

    @Test
    void isShort() throws IOException {
        assertThat(SourceTree.ofRepository().text("README.md").lines().count())
                .isLessThanOrEqualTo(LINES_MAX);
    }

    @Test
    void showsCommandsOfTestedPages() throws IOException {
        SourceTree tree = SourceTree.ofRepository();
        List<MatchResult> blocks = BLOCK.matcher(tree.text("README.md")).results().toList();

        assertThat(blocks).hasSizeGreaterThan(2);
        for (MatchResult block : blocks) {
            for (String part : block.group("lines").split("\n(?=\\$ )", -1)) {
                assertThat(PAGES.stream().map(tree::text))
                        .as(part)
                        .anyMatch(page -> page.contains(part.strip()));
            }
        }
    }
}
