package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The lines are put together here, so that this file does not hold what it looks for. */
class ForbiddenTextTest {
    private static final String OPEN = "TO" + "DO";
    private static final String SLASH = "/";

    @Test
    void findsOpenWorkWithoutAnIssue() {
        assertThat(findings("int a; // " + OPEN + ": later")).hasSize(1);
        assertThat(findings(" * " + OPEN)).hasSize(1);
        assertThat(findings("# " + OPEN)).hasSize(1);
        assertThat(findings("// " + OPEN + " (#12): later")).isEmpty();
        assertThat(findings("String todo = \"" + OPEN + "\";")).isEmpty();
    }

    @Test
    void findsPathsOfMachines() {
        assertThat(findings("see " + SLASH + "home/ann/crabro")).hasSize(1);
        assertThat(findings("cd " + SLASH + "work/x")).hasSize(1);
        assertThat(findings("\"" + SLASH + "Users/ann\"")).hasSize(1);
        assertThat(findings("C:\\" + "Users\\ann")).hasSize(1);
        assertThat(findings("~/.sdkman ${HOME}" + SLASH + "work/x https://example.org/home/page"))
                .isEmpty();
    }

    @Test
    void findsAuthorTags() {
        assertThat(findings(" * @" + "author ann")).hasSize(1);
    }

    @Test
    void findsLibrariesWhoseChecksAreOff() {
        assertThat(findings("import com.google.common.base.Splitter;")).hasSize(1);
        assertThat(findings("import static org.junit.Assert.fail;")).hasSize(1);
        assertThat(findings("import org.junit.jupiter.api.Test;")).isEmpty();
        assertThat(findings("import org.apache.ratis.thirdparty.com.google.protobuf.Any;"))
                .isEmpty();
    }

    @Test
    void saysWhere() {
        assertThat(findings("fine\n// " + OPEN))
                .singleElement()
                .asString()
                .startsWith("a/B.java:2: work left open");
    }

    private static List<String> findings(String text) {
        return ForbiddenText.findings(SourceTree.of(Map.of("a/B.java", text)));
    }
}
