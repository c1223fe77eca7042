package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.merge.CompactionStep;
import org.crabro.content.storage.run.SearchedTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.text.Folding;
import org.junit.jupiter.api.Test;

/** Runs whose texts are searched differently than when they were written. */
class StaleRunTest {
    private static final SearchedTexts ACCENTS = new SearchedTexts(Map.of("text", Folding.ACCENTS));
    private static final SearchedTexts CASED = new SearchedTexts(Map.of("text", Folding.NONE));

    private final ColdFiles files = new ColdFiles(new MemoryLogFiles());
    private final SearchedTypes types = new SearchedTypes(RandomRows.TYPES, ACCENTS);

    @Test
    void areWrittenAnewFirst() throws IOException {
        try (RunLog log = open()) {
            for (int i = 0; i < 4; i++) {
                types.search(i == 1 ? CASED : ACCENTS);
                add(log, i);
            }

            assertThat(compact(log).map(CompactionStep::runs)).contains(1);
            assertThat(log.tierCount()).isEqualTo(4);
            assertThat(compact(log).map(CompactionStep::runs)).contains(4);
            assertThat(compact(log)).isEmpty();
        }
    }

    @Test
    void areLookedForOnceForEachWayOfSearching() throws IOException {
        try (RunLog log = open()) {
            add(log, 0);
            add(log, 1);

            assertThat(readsOfALook(log)).isPositive();
            assertThat(readsOfALook(log)).isZero();
            types.search(new SearchedTexts(Map.copyOf(ACCENTS.analyses())));
            assertThat(readsOfALook(log)).isZero();

            types.search(CASED);
            assertThat(compact(log)).isPresent();
            assertThat(compact(log)).isPresent();
            assertThat(compact(log)).isEmpty();
            assertThat(readsOfALook(log)).isZero();
        }
    }

    @Test
    void areNotLookedForWhereNoTextIsSearched() throws IOException {
        try (RunLog log = open()) {
            add(log, 0);
            types.search(SearchedTexts.NONE);

            assertThat(readsOfALook(log)).isZero();
        }
    }

    /**
     * Looks for a merge when no page is in memory and no merge is due; returns the number of reads.
     */
    private int readsOfALook(RunLog log) throws IOException {
        files.evict();
        assertThat(compact(log)).isEmpty();
        return files.reads();
    }

    private RunLog open() throws IOException {
        return RunLog.open(files, "partitions/00", types);
    }

    private static Optional<CompactionStep> compact(RunLog log) throws IOException {
        return log.compact(CompactionSettings.DEFAULT, CompactionPace.UNLIMITED, 5);
    }

    private static void add(RunLog log, int number) throws IOException {
        var row =
                new Row(
                        DocumentId.parse("id:a:note:g=g:" + number),
                        1,
                        RandomRows.NOTE.fingerprint(),
                        false,
                        Map.of("text", new FieldValue.StringValue("Words")));
        Map<DocumentType, SortedMap<RowKey, Row>> rows =
                Map.of(RandomRows.NOTE, new TreeMap<>(Map.of(RowKey.of(row.id()), row)));
        log.add(RandomRows.contents(rows), number + 1, number + 1, number + 1);
    }
}
