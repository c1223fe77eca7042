package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageServersTest {
    private static final String DEPLOYS =
            "```sh\ncurl 'http://127.0.0.1:19071/prepareandactivate'\n```\n";

    @Test
    void findsDeploymentsOnTheServerOfAnotherPage() {
        assertThat(findings("# A page\n" + DEPLOYS))
                .containsExactly("docs/a.md: starts no server with --data before it deploys");
        assertThat(findings("```\nbin/crabro serve\n```\n" + DEPLOYS)).hasSize(1);
        assertThat(findings(DEPLOYS + "```\nbin/crabro serve --data a\n```\n")).hasSize(1);
        assertThat(findings("```\nbin/crabro serve --data a\n```\n" + DEPLOYS)).isEmpty();
        assertThat(findings("```sh\nbin/crabro cluster up 3\n```\n" + DEPLOYS)).isEmpty();
        assertThat(findings("# A page without commands\n")).isEmpty();
    }

    @Test
    void findsDirectoriesOfTwoPages() {
        String page = "```\nKEY=x bin/crabro serve --data a\n```\n" + DEPLOYS;

        assertThat(
                        PageServers.findings(
                                SourceTree.of(Map.of("docs/a.md", page, "docs/b.md", page))))
                .containsExactly("docs/b.md: uses the directory 'a' of docs/a.md");
    }

    private static List<String> findings(String page) {
        return PageServers.findings(SourceTree.of(Map.of("docs/a.md", page)));
    }
}
