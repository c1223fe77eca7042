package org.crabro.perf.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.execution.Search;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.LiveRow;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.View;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.LeftOutCells;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;

/** Some documents of {@link FuzzedApplication} in blocks, searched on the thread that asks. */
public final class FuzzedDocuments {
    private static final int COUNT = 20;
    private static final Search SEARCH =
            new Search(Runnable::run, new ReadAhead(Runnable::run, 1), 1, 1);
    private static final Map<String, EncodedBlock> BLOCKS = blocks();

    private FuzzedDocuments() {}

    /** Returns the reply to a search of the documents. */
    public static SearchReply search(SearchRequest request) {
        Schema schema =
                Objects.requireNonNull(
                        FuzzedApplication.model().schemas().get(request.scope().documentType()));
        return SEARCH.run(request, schema, List.of(new All()));
    }

    /** Returns the row of the document {@code number} of a type. */
    public static Row row(DocumentType type, int number) {
        Document document = document(type, number);
        return new Row(document.id(), number + 1, type.fingerprint(), false, document.fields());
    }

    /** Returns the document {@code number} of a type, with a value in every field. */
    private static Document document(DocumentType type, int number) {
        String fields =
                type.name().equals("made")
                        ? "\"text\":\"made in %d\",\"year\":%d".formatted(number, number)
                        : all(number);
        return new DocumentReader(type)
                .read(
                        DocumentId.parse("id:ns:%s:g=anna:%d".formatted(type.name(), number)),
                        new ByteArrayInputStream(("{\"fields\":{" + fields + "}}").getBytes(UTF_8)),
                        LeftOutCells.UNCOUNTED)
                .document();
    }

    private static String all(int number) {
        return """
        "text":"Hello world of %1$d words, naïve and long, written to be found and marked by a
        search for some of them, word by word, hello again","word":"w%1$d","year":%1$d,
        "time":1%1$d00000000,"small":%1$d,"ratio":%1$d.5,"weight":-%1$d.25,"good":%2$s,
        "tags":["a","b%1$d"],"years":[%1$d,2,3],"vector":[%1$d,2,3],
        "exact":[[1,%1$d],[2,3]],"half":[1,2,3,%1$d],"bits":[1,-2,3,%1$d],
        "sparse":{"a":1,"b%1$d":2},"wide":{"a":[1,2,3,%1$d],"c":[1,0,0,0]},
        "counts":{"a":%1$d,"b":-1},"numbers":{"7":%1$d},"both":{"a":"x","b":%1$d},
        "all_pairs":[{"a":"x","b":%1$d},{"a":"y%1$d"}],"pairs":{"k":%1$d,"l":2},
        "bytes":"AAEC","home":"http://example.com/%1$d","place":"N%1$d.4;W122.5"
        """
                .formatted(number, number % 2 == 0)
                .replace('\n', ' ');
    }

    private static Map<String, EncodedBlock> blocks() {
        var blocks = new HashMap<String, EncodedBlock>();
        for (Schema schema : FuzzedApplication.model().schemas().values()) {
            DocumentType type = schema.documentType();
            var rows = new TreeMap<RowKey, MemorySegment>();
            for (int i = 0; i < COUNT; i++) {
                Row row = row(type, i);
                rows.put(RowKey.of(row.id()), MemorySegment.ofArray(RowEncoding.encode(row, type)));
            }
            var writer = new BlockWriter(type, SearchedTexts.NONE);
            rows.forEach(writer::add);
            blocks.put(type.name(), writer.finish(Arena.global()));
        }
        return blocks;
    }

    private record All() implements View {
        @Override
        public List<BlockSlice> slices(String documentType, KeyRange range) {
            EncodedBlock block = Objects.requireNonNull(BLOCKS.get(documentType));
            return List.of(new BlockSlice(block, 0, block.rowCount(), DeadRows.NONE));
        }

        /** The schema has no references, so no query reads a parent. */
        @Override
        public Optional<LiveRow> find(RowKey key, ReadContext reads) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}
