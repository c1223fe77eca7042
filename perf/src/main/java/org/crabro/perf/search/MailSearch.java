package org.crabro.perf.search;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.content.search.execution.Search;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.layout.ChunkExtent;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.LiveRow;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankSettings.Statistics;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.text.Folding;

/** One group's mails in blocks as files have them, and searches of it on the calling thread. */
final class MailSearch implements AutoCloseable {
    private static final String FIELD = "body";
    private static final Field BODY = new Field(FIELD, FieldType.Primitive.STRING, true);
    private static final DocumentType TYPE = new DocumentType("mail", List.of(BODY));

    /** With which words a hit scores, or that it does not. */
    enum Profile {
        UNRANKED,
        BM25
    }

    private final Arena arena = Arena.ofShared();
    private final List<EncodedBlock> blocks = new ArrayList<>();
    private final Search search = new Search(Runnable::run, new ReadAhead(Runnable::run, 1), 1, 1);
    private final Schema schema = schema();

    /**
     * @param withTokens whether the blocks keep tokens
     */
    MailSearch(List<byte[]> texts, boolean withTokens) {
        var rows = new TreeMap<RowKey, MemorySegment>();
        for (int i = 0; i < texts.size(); i++) {
            DocumentId id = DocumentId.parse("id:perf:mail:g=ann:" + i);
            var body = new FieldValue.StringValue(new String(texts.get(i), StandardCharsets.UTF_8));
            var row = new Row(id, i + 1, TYPE.fingerprint(), false, Map.of(FIELD, body));
            rows.put(RowKey.of(id), MemorySegment.ofArray(RowEncoding.encode(row, TYPE)));
        }
        var writer =
                new BlockWriter(
                        TYPE,
                        withTokens
                                ? new SearchedTexts(Map.of(FIELD, Folding.ACCENTS))
                                : SearchedTexts.NONE);
        rows.forEach((key, row) -> {
            if (writer.isClosedBefore(key, row)) {
                blocks.add(writer.finish(arena));
            }
            writer.add(key, row);
        });
        blocks.add(writer.finish(arena));
    }

    /** Returns the bytes of one part of the texts' column, over all blocks. */
    long bytes(ChunkExtent.Part part) {
        return blocks.stream()
                .flatMap(block -> block.extents(FIELD).stream())
                .filter(extent -> extent.part() == part)
                .mapToLong(ChunkExtent::length)
                .sum();
    }

    int blockCount() {
        return blocks.size();
    }

    /** Returns the ten best mails that have a word. */
    SearchReply.Found find(String word, Profile profile) {
        var request =
                new SearchRequest(
                        new RequestHeader(
                                Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(5))),
                        new SearchScope(List.of(0), TYPE.name(), new Scope.Group("ann"), List.of()),
                        new RankedQuery(
                                new QueryNode.Term(FIELD, word, TermSettings.DEFAULT),
                                new RankSettings(profile.name(), Map.of(), Statistics.GROUP, 0)),
                        new HitSettings(10, List.of(), SummarySettings.DEFAULT),
                        GroupingSettings.NONE,
                        new ReplySettings(true, 0));
        return (SearchReply.Found) search.run(request, schema, List.of(new All()));
    }

    /** All blocks, whole. */
    private final class All implements View {
        @Override
        public List<BlockSlice> slices(String documentType, KeyRange range) {
            return blocks.stream()
                    .map(block -> new BlockSlice(block, 0, block.rowCount(), DeadRows.NONE))
                    .toList();
        }

        /** The schema has no references, so no query reads a parent. */
        @Override
        public Optional<LiveRow> find(RowKey key, ReadContext reads) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    private static Schema schema() {
        var field =
                new SchemaField(
                        BODY,
                        Set.of(Aspect.INDEX),
                        MatchMode.TEXT,
                        DistanceMetric.EUCLIDEAN,
                        new IndexingScript(List.of()));
        return new Schema(
                TYPE.name(),
                TYPE,
                Map.of(FIELD, field),
                new FieldNames(Map.of(), Map.of(), Map.of()),
                Map.of(
                        Profile.UNRANKED.name(), profile(Profile.UNRANKED.name(), "0"),
                        Profile.BM25.name(), profile(Profile.BM25.name(), "bm25(body)")),
                new SummaryRules(
                        Map.of("default", new DocumentSummary("default", List.of())),
                        SnippetRules.DEFAULT));
    }

    private static RankProfile profile(String name, String expression) {
        return new RankProfile(
                name, Map.of(), ExpressionParser.parse(expression), Map.of(), Map.of());
    }

    @Override
    public void close() {
        arena.close();
    }
}
