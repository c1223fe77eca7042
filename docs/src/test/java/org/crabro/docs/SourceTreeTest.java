package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SourceTreeTest {
    @Test
    void knowsFilesAndTheFoldersThatHoldThem() {
        SourceTree tree = SourceTree.of(Map.of("docs/adr/0001-a.md", "", "docs-old/x.md", ""));

        assertThat(tree.has("docs/adr/0001-a.md")).isTrue();
        assertThat(tree.has("docs/adr")).isTrue();
        assertThat(tree.has("docs/")).isTrue();
        assertThat(tree.has("doc")).isFalse();
        assertThat(tree.has("docs/adr/0001")).isFalse();
        assertThat(tree.has("zzz")).isFalse();
    }

    @Test
    void distinguishesTextFromData() {
        assertThat(SourceTree.isText("bin/verify")).isTrue();
        assertThat(SourceTree.isText("content/src/main/java/A.java")).isTrue();
        assertThat(SourceTree.isText("samples/commits/feed.jsonl.gz")).isFalse();
        assertThat(SourceTree.isText("LICENSE")).isFalse();
    }
}
