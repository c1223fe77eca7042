package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.partition.ColdFiles;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.document.DocumentId;
import org.junit.jupiter.api.Test;

class PointReadsTest {
    private final ColdFiles files = new ColdFiles(new MemoryLogFiles());

    /** Without automatic merges, which would read as well. */
    private final ContentSettings settings =
            NodeFixture.settings()
                    .withRecent(
                            RecentSettings.DEFAULT.withCompaction(
                                    CompactionSettings.DEFAULT.withAutomatic(false)));

    @Test
    void countWhatComesFromTheDevice() throws IOException {
        DocumentId id = StoredMails.id("anna", 1);
        try (NodeFixture node = NodeFixture.open(settings, files).serving(StoredMails.model())) {
            StoredMails.put(node, "anna", 1, "hello");
            assertThat(StoredMails.title(node, id)).contains("hello");
            assertThat(node.node().deviceBytesOfGets()).as("recent").isZero();

            node.flush();
            files.evict();
            assertThat(StoredMails.title(node, id)).contains("hello");
            long first = node.node().deviceBytesOfGets();
            assertThat(first).as("filter, block and row").isPositive();
            assertThat(first).isEqualTo(files.loadedBytes());

            assertThat(StoredMails.title(node, id)).contains("hello");
            assertThat(node.node().deviceBytesOfGets()).as("in memory").isEqualTo(first);
            assertThat(node.node().searches().deviceBytes()).isZero();
        }
    }
}
