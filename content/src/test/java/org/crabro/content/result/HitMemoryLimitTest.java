package org.crabro.content.result;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.crabro.content.block.Block;
import org.crabro.content.block.BlockWriter;
import org.crabro.content.block.key.RowKey;
import org.crabro.content.query.QueryRejectedException;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.search.SearchHit;
import org.junit.jupiter.api.Test;

class HitMemoryLimitTest {
    private static final DocumentType NOTE =
            new DocumentType("note", List.of(new Field("text", FieldType.Primitive.STRING, true)));
    private static final FieldValue TEXT = new FieldValue.StringValue("x".repeat(1_000));

    private final HitMemoryLimit hits = new HitMemoryLimit(8 * 3_500);

    @Test
    void refusesHitsThatTakeMoreThanAnEighthOfTheHeap() {
        try (Arena memory = Arena.ofConfined()) {
            Block alone = block(1, memory);
            for (int i = 0; i < 3; i++) {
                hits.add(hit(TEXT), alone);
            }

            assertThatExceptionOfType(QueryRejectedException.class)
                    .isThrownBy(() -> hits.add(hit(TEXT), alone))
                    .withMessage(
                            "the hits take more than 3500 bytes, an eighth of the heap: ask for"
                                    + " fewer of them, or for fewer fields");
        }
    }

    @Test
    void countsNothingOfDocumentsThatShareABlock() {
        try (Arena memory = Arena.ofConfined()) {
            Block shared = block(2, memory);
            for (int i = 0; i < 10; i++) {
                hits.add(hit(TEXT), shared);
            }
            hits.add(hit(TEXT), block(1, memory));
        }
    }

    private static SearchHit hit(FieldValue text) {
        return new SearchHit(
                DocumentId.parse("id:ns:note:g=a:1"), 1, List.of(), Map.of("text", text), Map.of());
    }

    private static Block block(int rows, Arena memory) {
        var all = new ArrayList<Row>();
        for (int i = 0; i < rows; i++) {
            DocumentId id = DocumentId.parse("id:ns:note:g=a:" + i);
            all.add(new Row(id, 1, NOTE.fingerprint(), false, Map.of("text", TEXT)));
        }
        all.sort(Comparator.comparing(row -> RowKey.of(row.id())));
        return BlockWriter.write(all, NOTE, memory);
    }
}
