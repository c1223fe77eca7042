package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.run.RunView;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;

/** Compares the rows of a view with a plain map. */
final class RunChecks {
    static final List<KeyRange> RANGES =
            List.of(
                    new KeyRange.Everything(),
                    new KeyRange.Group("user0"),
                    new KeyRange.Group("user1"),
                    new KeyRange.Group("nobody"),
                    new KeyRange.Numbered(0),
                    new KeyRange.Numbered(2),
                    new KeyRange.Numbered(7));

    private RunChecks() {}

    /** Checks every range of every type, single documents, and the count. */
    static void check(RunView view, Map<DocumentId, Row> model, String what) {
        for (String type : List.of("mail", "note", "unknown")) {
            for (KeyRange range : RANGES) {
                checkRows(view.slices(type, range), type, range, model, what);
            }
        }
        for (String type : List.of("mail", "note")) {
            for (int i = 0; i < 220; i++) {
                DocumentId id =
                        new DocumentId("test", type, new LocationKey.Group("user1"), "d" + i);
                assertThat(view.newest(id).filter(row -> !row.tombstone()))
                        .as(what)
                        .isEqualTo(Optional.ofNullable(model.get(id)));
            }
        }
        assertThat(view.documentCount()).as(what).isEqualTo(model.size());
    }

    /** Checks that the slices have the live rows of {@code range}, each once. */
    static void checkRows(
            List<BlockSlice> slices,
            String type,
            KeyRange range,
            Map<DocumentId, Row> model,
            String what) {
        List<Row> seen = new ArrayList<>();
        for (BlockSlice slice : slices) {
            var live = new int[slice.block().rowCount()];
            int count = slice.dead().live(slice.from(), slice.to(), live);
            assertThat(count).isEqualTo(slice.liveCount());
            for (int i = 0; i < count; i++) {
                seen.add(slice.block().row(live[i]));
            }
        }
        assertThat(seen)
                .as("%s: %s in %s", what, type, range)
                .containsExactlyInAnyOrderElementsOf(
                        model.values().stream()
                                .filter(row -> row.id().documentType().equals(type))
                                .filter(row -> isIn(row.id(), range))
                                .toList());
    }

    private static boolean isIn(DocumentId id, KeyRange range) {
        return switch (range) {
            case KeyRange.Everything() -> true;
            case KeyRange.Group(String name) -> id.key().equals(new LocationKey.Group(name));
            case KeyRange.Numbered(long value) -> id.key().equals(new LocationKey.Numbered(value));
        };
    }
}
