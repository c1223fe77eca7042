package org.crabro.protocol.encoding;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.TensorCells;
import org.crabro.document.operation.UpdateStep;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.visit.VisitedDocument;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessageEncodingTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final int ROUNDS = 1_000;

    private static final DocumentId ID = DocumentId.parse("id:n:music:g=anna:1");
    private static final OperationId OPERATION = new OperationId(5, 42, 17, true);
    private static final RequestHeader HEADER =
            new RequestHeader(
                    new Principal("anna", new Principal.Groups.Only(Set.of("family", "anna"))),
                    7,
                    new Deadline(NOW + 500_000_000));
    private static final DenseTensor TENSOR =
            DenseTensor.of(TensorType.parse("tensor<bfloat16>(x[2])"), new double[] {1, -2});

    /** How each kind of message is created, written and read. */
    enum Kind {
        WRITE_REQUEST(
                RandomMessages::writeRequest,
                message -> MessageEncoding.encode((WriteRequest) message, NOW),
                bytes -> MessageEncoding.writeRequest(bytes, NOW)),
        REMOVE_GROUP_REQUEST(
                RandomMessages::removeGroupRequest,
                message -> MessageEncoding.encode((WriteRequest) message, NOW),
                bytes -> MessageEncoding.writeRequest(bytes, NOW)),
        WRITE_REPLY(
                RandomMessages::writeReplies,
                message -> MessageEncoding.encode(replies(message)),
                MessageEncoding::writeReplies),
        GET_REQUEST(
                RandomMessages::getRequest,
                message -> MessageEncoding.encode((GetRequest) message, NOW),
                bytes -> MessageEncoding.getRequest(bytes, NOW)),
        GET_REPLY(
                RandomMessages::getReply,
                message -> MessageEncoding.encode((GetReply) message),
                MessageEncoding::getReply),
        SEARCH_REQUEST(
                RandomMessages::searchRequest,
                message -> MessageEncoding.encode((SearchRequest) message, NOW),
                bytes -> MessageEncoding.searchRequest(bytes, NOW)),
        SEARCH_REPLY(
                RandomMessages::searchReply,
                message -> MessageEncoding.encode((SearchReply) message),
                MessageEncoding::searchReply),
        VISIT_REQUEST(
                RandomMessages::visitRequest,
                message -> MessageEncoding.encode((VisitRequest) message, NOW),
                bytes -> MessageEncoding.visitRequest(bytes, NOW)),
        VISIT_REPLY(
                RandomMessages::visitReply,
                message -> MessageEncoding.encode((VisitReply) message),
                MessageEncoding::visitReply);

        @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
        private final Function<RandomMessages, Object> make;

        @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
        private final Function<Object, byte[]> encode;

        @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
        private final Function<byte[], Object> decode;

        Kind(
                Function<RandomMessages, Object> make,
                Function<Object, byte[]> encode,
                Function<byte[], Object> decode) {
            this.make = make;
            this.encode = encode;
            this.decode = decode;
        }
    }

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);
    private final RandomMessages messages = new RandomMessages(random);

    @ParameterizedTest
    @EnumSource
    void givesBackEveryMessage(Kind kind) {
        for (int round = 0; round < ROUNDS; round++) {
            Object message = kind.make.apply(messages);

            byte[] bytes = kind.encode.apply(message);

            assertThat(kind.decode.apply(bytes))
                    .as("round %d, seed %d", round, seed)
                    .isEqualTo(message);
            assertThat(kind.encode.apply(message)).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheBytesThatAreWrittenDown(Kind kind) throws IOException {
        Object message = example(kind);

        byte[] golden = golden(kind.name().toLowerCase(Locale.ROOT));

        assertThat(HexFormat.of().formatHex(kind.encode.apply(message)))
                .isEqualTo(HexFormat.of().formatHex(golden));
        assertThat(kind.decode.apply(golden)).isEqualTo(message);
    }

    @ParameterizedTest
    @EnumSource
    void refusesEveryShorterMessage(Kind kind) {
        byte[] whole = kind.encode.apply(example(kind));
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);

            assertThatExceptionOfType(WireFormatException.class)
                    .as("%d of %d bytes", length, whole.length)
                    .isThrownBy(() -> kind.decode.apply(part));
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesEveryShorterBody(Kind kind) {
        byte[] whole = kind.encode.apply(example(kind));
        for (int length = 6; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            int body = length - 6;
            for (int i = 0; i < Integer.BYTES; i++) {
                part[MessageEncoding.LENGTH_OFFSET + i] = (byte) (body >>> (i * Byte.SIZE));
            }

            assertThatExceptionOfType(WireFormatException.class)
                    .as("a body of %d of %d bytes", body, whole.length - 6)
                    .isThrownBy(() -> kind.decode.apply(part))
                    .satisfies(e -> assertThat(e.offset()).isBetween(6, part.length));
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsOrRefusesDamagedMessages(Kind kind) {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = kind.encode.apply(kind.make.apply(messages));
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(kind.decode.apply(damaged)).isNotNull();
            } catch (WireFormatException e) {
                assertThat(e).hasMessageStartingWith("at byte " + e.offset() + ": expected ");
            } catch (RuntimeException e) {
                throw new AssertionError("round " + round + ", seed " + seed, e);
            }
        }
    }

    @Test
    void namesThePlaceAndWhatWasExpected() {
        byte[] reply = MessageEncoding.encode(new GetReply.Missing());

        refuses(changed(reply, 0, 9), "at byte 0: expected version 1 but found 9");
        refuses(changed(reply, 1, 2), "at byte 1: expected a GET_REPLY but found 2");
        refuses(
                changed(reply, 2, 5),
                "at byte 2: expected a body of 1 bytes, at most 268435456 with its header but found"
                        + " 5");
        refuses(changed(reply, 6, 77), "at byte 6: expected the tag of a get reply but found 77");
        refuses(
                changed(MessageEncoding.encode(new GetReply.Failed("x")), 7, 200),
                "at byte 7: expected a count of at most the 1 bytes left but found 200");
        refuses(
                changed(MessageEncoding.encode(new GetReply.Failed("x")), 11, 0xff),
                "at byte 7: expected text in UTF-8 but found bytes that are none");
    }

    @Test
    void sendsWhatRemainsOfADeadline() {
        var request = new GetRequest(HEADER, 3, ID, Optional.empty());

        byte[] bytes = MessageEncoding.encode(request, NOW + 100_000_000);
        GetRequest received = MessageEncoding.getRequest(bytes, 50);

        assertThat(received.header().deadline()).isEqualTo(new Deadline(50 + 400_000_000));
    }

    @Test
    void keepsTheBytesOfAnUpdate() throws IOException {
        var cells = new TensorCells.Builder();
        cells.add(List.of("a"), 1, 0.5);
        cells.add(List.of("a"), 0, -2);
        var one = new FieldValue.IntValue(1);
        var update =
                new DocumentOperation.Update(
                        ID,
                        List.of(
                                FieldUpdate.of("year", new FieldChange.Assign(one)),
                                FieldUpdate.of("live", new FieldChange.Clear()),
                                FieldUpdate.of("tags", new FieldChange.Add(one)),
                                FieldUpdate.of("tags", new FieldChange.Remove(List.of(one))),
                                new FieldUpdate(
                                        "years",
                                        List.of(
                                                new UpdateStep.Member("m"),
                                                new UpdateStep.Index(2),
                                                new UpdateStep.Key(one),
                                                new UpdateStep.Weight(one, true, false)),
                                        new FieldChange.Arithmetic(
                                                FieldChange.Operator.DIVIDE, 2.5)),
                                FieldUpdate.of(
                                        "vector",
                                        new FieldChange.ModifyCells(
                                                FieldChange.CellOperator.MULTIPLY,
                                                true,
                                                cells.build())),
                                FieldUpdate.of(
                                        "vector",
                                        new FieldChange.RemoveSubspaces(
                                                List.of("c"), List.of(List.of("a"))))));
        var request =
                new WriteRequest(
                        HEADER,
                        new Write.Operation(3, ConditionalOperation.always(update)),
                        Optional.empty());

        byte[] golden = golden("write_request-update");

        assertThat(HexFormat.of().formatHex(MessageEncoding.encode(request, NOW)))
                .isEqualTo(HexFormat.of().formatHex(golden));
        assertThat(MessageEncoding.writeRequest(golden, NOW)).isEqualTo(request);
    }

    @Test
    void boundsDepth() {
        QueryNode deep = new QueryNode.All();
        for (int i = 0; i < MessageEncoding.DEPTH_MAX; i++) {
            deep = new QueryNode.And(List.of(deep));
        }
        SearchRequest tooDeep = search(deep);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageEncoding.encode(tooDeep, NOW))
                .withMessage("a query is nested deeper than 300");
    }

    @Test
    void refusesTextThatUtf8CannotHold() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageEncoding.encode(new GetReply.Failed("\ud800")))
                .withMessage("a text holds half a surrogate pair");
    }

    private static void refuses(byte[] message, String problem) {
        assertThatExceptionOfType(WireFormatException.class)
                .isThrownBy(() -> MessageEncoding.getReply(message))
                .withMessage(problem);
    }

    private static byte[] changed(byte[] message, int offset, int value) {
        byte[] changed = message.clone();
        changed[offset] = (byte) value;
        return changed;
    }

    private static List<WriteReply> replies(Object message) {
        return ((List<?>) message).stream().map(WriteReply.class::cast).toList();
    }

    private static Write.Row removal() {
        String header = "efbeadde00000000000000000000000001010000" + "13000000";
        String id = HexFormat.of().formatHex(ID.toString().getBytes(US_ASCII));
        return new Write.Row(3, ID, HexFormat.of().parseHex(header + id));
    }

    private static Object example(Kind kind) {
        return switch (kind) {
            case WRITE_REQUEST -> {
                WriteCondition condition = WriteCondition.of("music.year > 1999").andTimestamp(17);
                Write.Row row = removal();
                var put = new DocumentOperation.Put(new Document(ID, values()));
                yield new WriteRequest(
                        HEADER,
                        List.of(
                                row,
                                new Write.Row(3, ID, row.bytes(), condition, true),
                                new Write.Operation(
                                        3, new ConditionalOperation(put, condition, true))),
                        List.of(OPERATION, OPERATION, OPERATION));
            }
            case REMOVE_GROUP_REQUEST ->
                    new WriteRequest(
                            HEADER,
                            new Write.RemoveGroup(3, "music", new LocationKey.Group("anna")),
                            Optional.of(OPERATION));
            case WRITE_REPLY ->
                    List.of(
                            new WriteReply.Stored(
                                    1_700_000_000_000_001L, new PartitionPosition(3, 42)),
                            new WriteReply.TimedOut());
            case GET_REQUEST ->
                    new GetRequest(HEADER, 3, ID, Optional.of(new PartitionPosition(3, 42)));
            case GET_REPLY ->
                    new GetReply.Found(
                            new Document(ID, Map.of("title", new FieldValue.StringValue("Blue"))),
                            1_700_000_000_000_001L);
            case SEARCH_REQUEST -> search(tree());
            case SEARCH_REPLY -> searchHits();
            case VISIT_REQUEST ->
                    new VisitRequest(
                            HEADER,
                            new VisitScope(
                                    3,
                                    "music.year > 1999",
                                    new VisitSlice(1, 4),
                                    Optional.of(ID),
                                    1_700_000_000_000_001L,
                                    Long.MAX_VALUE),
                            Map.of("music", List.of("title", "year")),
                            true,
                            new VisitForm.Json(VisitForm.Style.LINES, TensorFormat.HEX_VALUE, true),
                            new PageLimits(100, 1 << 20));
            case VISIT_REPLY ->
                    new VisitReply.Page(
                            new VisitReply.Contents.Documents(
                                    List.of(
                                            new VisitedDocument(
                                                    ID,
                                                    1_700_000_000_000_001L,
                                                    true,
                                                    Optional.empty()))),
                            1,
                            Optional.of(ID),
                            0.5);
        };
    }

    private static Map<String, FieldValue> values() {
        var values = new LinkedHashMap<String, FieldValue>();
        values.put("title", new FieldValue.StringValue("Über"));
        values.put("live", new FieldValue.BoolValue(true));
        values.put("year", new FieldValue.IntValue(-2));
        values.put("time", new FieldValue.LongValue(1L << 40));
        values.put("price", new FieldValue.FloatValue(0.5f));
        values.put("weight", new FieldValue.DoubleValue(-1.25));
        values.put("tags", new FieldValue.ArrayValue(List.of(new FieldValue.StringValue("new"))));
        values.put("vector", new FieldValue.TensorValue(TENSOR));
        return values;
    }

    private static QueryNode tree() {
        TermSettings plain = TermSettings.DEFAULT;
        var affix = new TermSettings(150, false, TermSettings.Affix.PREFIX);
        return new QueryNode.Without(
                new QueryNode.And(
                        List.of(
                                new QueryNode.NearestNeighbor(
                                        "vector",
                                        "q",
                                        10,
                                        OptionalDouble.of(0.5),
                                        plain.withWeight(200).labeled("near")),
                                new QueryNode.Rank(
                                        new QueryNode.WeakAnd(
                                                List.of(
                                                        new QueryNode.Term("title", "blue", affix),
                                                        new QueryNode.Phrase(
                                                                "title",
                                                                List.of("a", "b"),
                                                                plain))),
                                        List.of(new QueryNode.All())))),
                List.of(
                        new QueryNode.Or(
                                List.of(
                                        new QueryNode.Range(
                                                "year",
                                                new RangeEnd.Whole(1999, true),
                                                new RangeEnd.Real(2010.5, false),
                                                plain),
                                        new QueryNode.Range(
                                                "year",
                                                new RangeEnd.Unbounded(),
                                                new RangeEnd.Unbounded(),
                                                plain),
                                        new QueryNode.BooleanEquals("live", true, plain),
                                        new QueryNode.None()))));
    }

    private static SearchRequest search(QueryNode tree) {
        return new SearchRequest(
                HEADER,
                new SearchScope(
                        List.of(3),
                        "music",
                        new Scope.Group("anna"),
                        List.of(new PartitionPosition(3, 42))),
                new RankedQuery(
                        tree,
                        new RankSettings(
                                "near",
                                Map.of(
                                        "q", new QueryInput.TensorInput(TENSOR),
                                        "a", new QueryInput.NumberInput(2)),
                                RankSettings.Statistics.NONE,
                                1_700_000_000)),
                new HitSettings(
                        20,
                        List.of(
                                new SortKey.FieldValueOf("year", true),
                                new SortKey.Relevance(false)),
                        new SummarySettings("default", List.of("title"))),
                GroupingSettings.NONE,
                new ReplySettings(true, 1));
    }

    private static SearchReply searchHits() {
        return new SearchReply.Found(
                List.of(
                        new SearchHit(
                                ID,
                                0.75,
                                List.of(
                                        Optional.of(new FieldValue.IntValue(2001)),
                                        Optional.empty()),
                                Map.of("title", new FieldValue.StringValue("Blue")),
                                Map.of("closeness", new QueryInput.NumberInput(0.25)))),
                12,
                List.of(),
                new SearchReport(
                        new Coverage(99, 100, true),
                        new QueryCost(1, 6, 2, 3, 4, 5),
                        List.of("a warning"),
                        List.of("a line")));
    }

    static byte[] golden(String what) throws IOException {
        String name = "message-1-" + what + ".hex";
        try (var in = MessageEncodingTest.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("there is no " + name);
            }
            String text = new String(in.readAllBytes(), US_ASCII);
            String digits =
                    String.join(
                            "",
                            text.lines()
                                    .flatMap(line ->
                                            Stream.of(line.split("#", 2)[0].replaceAll("\\s", "")))
                                    .toList());
            return HexFormat.of().parseHex(digits);
        }
    }
}
