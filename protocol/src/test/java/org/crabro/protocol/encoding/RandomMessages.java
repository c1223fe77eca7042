package org.crabro.protocol.encoding;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
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
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.Spelling;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermLink;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.query.TermStatistics;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.Marking;
import org.crabro.protocol.search.NearWord;
import org.crabro.protocol.search.NodePlan;
import org.crabro.protocol.search.OtherFeatures;
import org.crabro.protocol.search.PlanCondition;
import org.crabro.protocol.search.PlanCounts;
import org.crabro.protocol.search.PlanPhase;
import org.crabro.protocol.search.PlanRead;
import org.crabro.protocol.search.PlanScope;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankLimits;
import org.crabro.protocol.search.RankOverrides;
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
import org.crabro.protocol.search.TextOrder;
import org.crabro.protocol.search.WordCount;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.visit.VisitedDocument;
import org.crabro.protocol.visit.VisitedGroup;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/** Creates random messages of all shapes. */
final class RandomMessages {
    private static final List<String> TYPES =
            List.of(
                    "tensor(x[2])",
                    "tensor<float>(x[3])",
                    "tensor<bfloat16>(x[2],y[2])",
                    "tensor<int8>(x[5])");

    private static final List<String> MIXED_TYPES =
            List.of(
                    "tensor(a{})",
                    "tensor<float>(a{},x[3])",
                    "tensor<bfloat16>(a{},b{},x[2])",
                    "tensor<int8>(a[5],b{})");

    private static final DocumentType BATCH_TYPE = new DocumentType("batched", List.of());

    private final Random random;

    RandomMessages(Random random) {
        this.random = random;
    }

    WriteRequest writeRequest() {
        List<Write> writes = listOf(this::write);
        return writes.isEmpty() ? writeRequest() : request(writes);
    }

    private WriteRequest request(List<Write> writes) {
        return new WriteRequest(
                header(),
                writes,
                random.nextBoolean()
                        ? List.of()
                        : writes.stream().map(_ -> operationId()).toList());
    }

    private Write write() {
        return oneOf(
                this::row,
                () -> {
                    Write.Row row = row();
                    return new Write.Row(
                            row.partition(),
                            row.id(),
                            row.bytes(),
                            condition(),
                            random.nextBoolean());
                },
                () ->
                        new Write.Operation(
                                random.nextInt(),
                                new ConditionalOperation(
                                        operation(), condition(), random.nextBoolean())));
    }

    private DocumentOperation operation() {
        return oneOf(
                () -> new DocumentOperation.Put(document()),
                () -> new DocumentOperation.Update(id(), listOf(this::update)),
                () -> new DocumentOperation.Remove(id()));
    }

    private WriteCondition condition() {
        return new WriteCondition(
                random.nextBoolean() ? Optional.empty() : Optional.of(text()),
                random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong()));
    }

    private FieldUpdate update() {
        return new FieldUpdate(
                text(),
                listOf(() ->
                        oneOf(
                                () -> new UpdateStep.Member(text()),
                                () -> new UpdateStep.Index(random.nextInt()),
                                () -> new UpdateStep.Key(value(0)),
                                () -> new UpdateStep.Every(text(), random.nextBoolean()),
                                () ->
                                        new UpdateStep.Weight(
                                                value(0),
                                                random.nextBoolean(),
                                                random.nextBoolean()))),
                oneOf(
                        () -> new FieldChange.Assign(value(2)),
                        FieldChange.Clear::new,
                        () -> new FieldChange.Add(value(2)),
                        () -> new FieldChange.Remove(listOf(() -> value(1))),
                        () ->
                                new FieldChange.Arithmetic(
                                        oneOf(FieldChange.Operator.values()),
                                        random.nextGaussian()),
                        () ->
                                new FieldChange.ModifyCells(
                                        oneOf(FieldChange.CellOperator.values()),
                                        random.nextBoolean(),
                                        cells()),
                        () ->
                                new FieldChange.RemoveSubspaces(
                                        List.of("a", "b"), listOf(() -> List.of(text(), text())))));
    }

    private TensorCells cells() {
        var cells = new TensorCells.Builder();
        for (int i = random.nextInt(20); i > 0; i--) {
            cells.add(listOf(this::text), random.nextInt(), random.nextGaussian());
        }
        return cells.build();
    }

    private OperationId operationId() {
        long lowest = random.nextLong() >>> 1;
        long number = lowest + random.nextLong(Long.MAX_VALUE - lowest);
        return new OperationId(random.nextLong(), number, lowest, random.nextBoolean());
    }

    private Write.Row row() {
        DocumentId id = id();
        var row = new Row(id, random.nextLong(), BATCH_TYPE.fingerprint(), false, Map.of());
        return new Write.Row(random.nextInt(), id, RowEncoding.encode(row, BATCH_TYPE));
    }

    WriteRequest removeGroupRequest() {
        return request(
                List.of(
                        new Write.RemoveGroup(
                                random.nextInt(),
                                text(),
                                oneOf(
                                        () -> new LocationKey.Group(text()),
                                        () -> new LocationKey.Numbered(random.nextLong())))));
    }

    List<WriteReply> writeReplies() {
        return listOf(this::writeReply);
    }

    private WriteReply writeReply() {
        return oneOf(
                () -> new WriteReply.Stored(random.nextLong(), position()),
                WriteReply.Missing::new,
                () -> new WriteReply.ConditionNotMet(random.nextBoolean()),
                () -> new WriteReply.WrongOwner(random.nextLong()),
                () -> new WriteReply.Rejected(text()),
                () -> new WriteReply.TooLarge(text()),
                () -> new WriteReply.Overloaded(Duration.ofNanos(random.nextLong())),
                () -> new WriteReply.OutOfSpace(text()),
                WriteReply.TimedOut::new,
                () -> new WriteReply.Failed(text()),
                () -> new WriteReply.Unavailable(text()),
                () -> new WriteReply.OutcomeUnknown(text(), random.nextBoolean()));
    }

    GetRequest getRequest() {
        return new GetRequest(
                header(),
                random.nextInt(),
                id(),
                random.nextBoolean() ? Optional.empty() : Optional.of(position()));
    }

    GetReply getReply() {
        return oneOf(
                () -> new GetReply.Found(document(), random.nextLong()),
                GetReply.Missing::new,
                () -> new GetReply.WrongOwner(random.nextLong()),
                GetReply.TimedOut::new,
                () -> new GetReply.Failed(text()),
                () -> new GetReply.Unavailable(text()),
                () -> new GetReply.Overloaded(Duration.ofNanos(random.nextLong())));
    }

    SearchRequest searchRequest() {
        SearchRequest first = firstHits();
        return random.nextBoolean() ? first : first.after(HitPosition.of(hit()));
    }

    private SearchRequest firstHits() {
        return new SearchRequest(
                header(),
                new SearchScope(
                        listOf(random::nextInt),
                        text(),
                        oneOf(
                                () -> new Scope.Group(text()),
                                () -> new Scope.Numbered(random.nextLong()),
                                Scope.Everything::new,
                                () ->
                                        new Scope.Selected(
                                                new Scope.Group(text()),
                                                text(),
                                                random.nextLong(),
                                                random.nextLong())),
                        listOf(this::position)),
                new RankedQuery(
                        tree(4),
                        new RankSettings(
                                text(),
                                mapOf(this::input),
                                oneOf(RankSettings.Statistics.values()),
                                random.nextLong(),
                                new RankLimits(
                                        limit(),
                                        random.nextBoolean()
                                                ? OptionalInt.empty()
                                                : OptionalInt.of(random.nextInt()),
                                        limit()),
                                random.nextBoolean()
                                        ? RankOverrides.NONE
                                        : new RankOverrides(
                                                mapOf(this::text),
                                                mapOf(random::nextInt),
                                                random.nextBoolean(),
                                                mapOf(random::nextGaussian)))),
                new HitSettings(
                        random.nextInt(),
                        listOf(() ->
                                oneOf(
                                        () -> new SortKey.Relevance(random.nextBoolean()),
                                        () -> new SortKey.DocumentIds(random.nextBoolean()),
                                        () ->
                                                new SortKey.FieldValueOf(
                                                        text(),
                                                        random.nextBoolean(),
                                                        texts(),
                                                        oneOf(
                                                                SortKey.Missing.Smallest::new,
                                                                SortKey.Missing.First::new,
                                                                SortKey.Missing.Last::new,
                                                                () ->
                                                                        new SortKey.Missing.As(
                                                                                text())),
                                                        oneOf(
                                                                () -> SortKey.Several.FIRST,
                                                                () -> SortKey.Several.LEAST,
                                                                () -> SortKey.Several.LARGEST,
                                                                () -> SortKey.Several.SUM)))),
                        random.nextBoolean()
                                ? new SummarySettings(text(), listOf(this::text))
                                : new SummarySettings(
                                        text(),
                                        listOf(this::text),
                                        listOf(this::text),
                                        new Marking(random.nextBoolean(), text(), text(), text()))),
                new RandomGroups(random).settings(),
                new ReplySettings(
                        random.nextBoolean(),
                        random.nextInt(),
                        random.nextBoolean(),
                        random.nextBoolean()));
    }

    private OptionalDouble limit() {
        return random.nextBoolean()
                ? OptionalDouble.empty()
                : OptionalDouble.of(random.nextDouble());
    }

    private TextOrder texts() {
        return oneOf(
                TextOrder.Declared::new,
                TextOrder.LowerCase::new,
                TextOrder.Raw::new,
                TextOrder.EncodedBytes::new,
                () ->
                        new TextOrder.Collated(
                                Optional.of(text()).filter(locale -> !locale.isEmpty()),
                                random.nextBoolean()
                                        ? Optional.empty()
                                        : Optional.of(oneOf(TextOrder.Strength.values()))));
    }

    SearchReply searchReply() {
        return oneOf(
                this::searchHits,
                () -> new SearchReply.Rejected(text()),
                SearchReply.TimedOut::new,
                () -> new SearchReply.WrongOwner(random.nextLong()),
                () -> new SearchReply.Failed(text()),
                () -> new SearchReply.Unavailable(text()),
                () -> new SearchReply.Overloaded(text()));
    }

    private SearchReply searchHits() {
        return new SearchReply.Found(
                listOf(this::hit),
                random.nextLong(),
                listOf(() -> new RandomGroups(random).group(this::hit, 2)),
                new SearchReport(
                        new Coverage(
                                random.nextLong(),
                                random.nextLong(),
                                random.nextBoolean(),
                                random.nextBoolean()),
                        cost(),
                        listOf(this::text),
                        listOf(this::text),
                        listOf(this::plan),
                        listOf(this::wordCount)));
    }

    private WordCount wordCount() {
        return new WordCount(
                random.nextLong(),
                listOf(() -> new NearWord(text(), random.nextInt(), random.nextLong())));
    }

    private QueryCost cost() {
        return new QueryCost(
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong());
    }

    private NodePlan plan() {
        return new NodePlan(
                new PlanScope(
                        random.nextInt(), random.nextInt(), random.nextLong(), random.nextLong()),
                cost(),
                listOf(() ->
                        new PlanRead(
                                oneOf(PlanRead.Place.values()),
                                random.nextInt(),
                                random.nextLong(),
                                random.nextLong(),
                                random.nextLong(),
                                random.nextLong())),
                planCondition(2),
                listOf(() -> new PlanPhase(text(), random.nextLong())));
    }

    private PlanCondition planCondition(int depth) {
        return new PlanCondition(
                text(),
                text(),
                new PlanCounts(
                        random.nextLong(),
                        random.nextLong(),
                        random.nextLong(),
                        random.nextLong(),
                        random.nextLong()),
                depth == 0 ? List.of() : listOf(() -> planCondition(depth - 1)));
    }

    private SearchHit hit() {
        return new SearchHit(
                id(),
                random.nextGaussian(),
                listOf(() -> random.nextBoolean() ? Optional.of(value(1)) : Optional.empty()),
                mapOf(() -> value(2)),
                mapOf(this::input),
                new OtherFeatures(mapOf(this::input), mapOf(this::input), mapOf(this::input)));
    }

    VisitRequest visitRequest() {
        int slices = 1 + random.nextInt(VisitSlice.COUNT_MAX);
        return new VisitRequest(
                header(),
                new VisitScope(
                        random.nextInt(),
                        text(),
                        new VisitSlice(random.nextInt(slices), slices),
                        random.nextBoolean() ? Optional.empty() : Optional.of(id()),
                        random.nextLong(),
                        random.nextLong()),
                mapOf(() -> listOf(this::text)),
                random.nextBoolean(),
                oneOf(
                        () ->
                                new VisitForm.Json(
                                        oneOf(VisitForm.Style.values()),
                                        oneOf(TensorFormat.values()),
                                        random.nextBoolean(),
                                        random.nextBoolean()),
                        VisitForm.Documents::new,
                        VisitForm.Ids::new,
                        () -> new VisitForm.Groups(oneOf(VisitForm.GroupKind.values()))),
                new PageLimits(1 + random.nextInt(1_000), 1 + random.nextInt(1_000)));
    }

    VisitReply visitReply() {
        return oneOf(
                () ->
                        new VisitReply.Page(
                                contents(),
                                random.nextInt(),
                                random.nextBoolean() ? Optional.empty() : Optional.of(id()),
                                random.nextDouble()),
                () -> new VisitReply.WrongOwner(random.nextLong()),
                () -> new VisitReply.Rejected(text()),
                () -> new VisitReply.Overloaded(text()),
                VisitReply.TimedOut::new,
                () -> new VisitReply.Failed(text()),
                () -> new VisitReply.Unavailable(text()));
    }

    private VisitReply.Contents contents() {
        return oneOf(
                () -> {
                    var text = new byte[random.nextInt(1_000)];
                    random.nextBytes(text);
                    int from = random.nextInt(text.length + 1);
                    return new VisitReply.Contents.Json(
                            ByteBuffer.wrap(text, from, text.length - from));
                },
                () ->
                        new VisitReply.Contents.Documents(
                                listOf(() ->
                                        new VisitedDocument(
                                                id(),
                                                random.nextLong(),
                                                random.nextBoolean(),
                                                random.nextBoolean()
                                                        ? Optional.empty()
                                                        : Optional.of(document())))),
                () -> new VisitReply.Contents.Groups(listOf(() -> visitedGroup())));
    }

    private VisitedGroup visitedGroup() {
        LocationKey key =
                oneOf(
                        () -> new LocationKey.Group(text()),
                        () -> new LocationKey.Numbered(random.nextLong()),
                        LocationKey.Plain::new);
        return new VisitedGroup(key, random.nextLong(), random.nextLong());
    }

    private QueryNode tree(int depth) {
        if (depth == 0) {
            return leaf();
        }
        return oneOf(
                this::leaf,
                () -> new QueryNode.And(listOf(() -> tree(depth - 1))),
                () -> new QueryNode.Or(listOf(() -> tree(depth - 1))),
                () -> new QueryNode.WeakAnd(listOf(() -> tree(depth - 1))),
                () -> new QueryNode.Without(tree(depth - 1), listOf(() -> tree(depth - 1))),
                () -> new QueryNode.Rank(tree(depth - 1), listOf(() -> tree(depth - 1))),
                () ->
                        new QueryNode.Near(
                                text(),
                                listOf(() -> tree(depth - 1)),
                                listOf(() -> tree(depth - 1)),
                                random.nextInt(),
                                random.nextInt(),
                                random.nextBoolean()),
                () -> new QueryNode.Equiv(listOf(() -> tree(depth - 1))),
                () ->
                        new QueryNode.SameElement(
                                text(), listOf(() -> tree(depth - 1)), listOf(random::nextInt)));
    }

    private QueryNode leaf() {
        return oneOf(
                QueryNode.All::new,
                QueryNode.None::new,
                () -> new QueryNode.Term(text(), text(), settings()),
                () -> new QueryNode.Phrase(text(), listOf(this::text), settings()),
                () -> new QueryNode.Range(text(), end(), end(), settings()),
                () -> new QueryNode.BooleanEquals(text(), random.nextBoolean(), settings()),
                () -> new QueryNode.Regex(text(), text(), settings()),
                () ->
                        new QueryNode.Fuzzy(
                                text(),
                                text(),
                                random.nextInt(),
                                random.nextInt(),
                                random.nextBoolean(),
                                settings()),
                () ->
                        new QueryNode.AnyOf(
                                text(),
                                oneOf(QueryNode.AnyOf.Kind.values()),
                                listOf(() -> new QueryNode.WeightedKey(text(), random.nextInt())),
                                random.nextDouble(),
                                settings()),
                () ->
                        new QueryNode.GeoCircle(
                                text(),
                                random.nextDouble(),
                                random.nextDouble(),
                                random.nextDouble(),
                                settings()),
                () ->
                        new QueryNode.GeoBox(
                                text(),
                                random.nextDouble(),
                                random.nextDouble(),
                                random.nextDouble(),
                                random.nextDouble(),
                                settings()),
                () ->
                        new QueryNode.Predicate(
                                text(),
                                List.of(new QueryNode.AttributeValue(text(), text())),
                                List.of(
                                        new QueryNode.AttributeNumber(text(), random.nextLong()),
                                        new QueryNode.AttributeNumber(text(), 0)),
                                settings()),
                () ->
                        new QueryNode.NearestNeighbor(
                                text(),
                                text(),
                                random.nextInt(),
                                random.nextBoolean()
                                        ? OptionalDouble.empty()
                                        : OptionalDouble.of(random.nextDouble()),
                                new QueryNode.Exploration(
                                        random.nextBoolean(),
                                        random.nextBoolean() ? 0 : random.nextInt()),
                                settings()));
    }

    private TermSettings settings() {
        TermHints hints =
                random.nextBoolean()
                        ? TermHints.NONE
                        : new TermHints(
                                text(),
                                new TermStatistics(
                                        random.nextBoolean()
                                                ? OptionalDouble.empty()
                                                : OptionalDouble.of(random.nextDouble()),
                                        random.nextBoolean()
                                                ? Optional.empty()
                                                : Optional.of(
                                                        new TermHints.Frequency(
                                                                random.nextLong(),
                                                                random.nextLong()))),
                                new TermLink(
                                        random.nextInt(),
                                        random.nextBoolean()
                                                ? Optional.empty()
                                                : Optional.of(
                                                        new TermHints.Connectivity(
                                                                random.nextInt(),
                                                                random.nextDouble()))),
                                random.nextBoolean(),
                                random.nextBoolean(),
                                new TermHints.Words(
                                        random.nextBoolean(),
                                        random.nextBoolean(),
                                        random.nextBoolean(),
                                        random.nextBoolean(),
                                        text()));
        return new TermSettings(
                        random.nextInt(),
                        random.nextBoolean(),
                        oneOf(TermSettings.Affix.values()),
                        oneOf(GramMatch.values()),
                        hints)
                .with(
                        random.nextBoolean()
                                ? Spelling.EXACT
                                : new Spelling(
                                        random.nextBoolean(),
                                        random.nextBoolean(),
                                        random.nextDouble()));
    }

    private RangeEnd end() {
        return oneOf(
                RangeEnd.Unbounded::new,
                () -> new RangeEnd.Whole(random.nextLong(), random.nextBoolean()),
                () -> new RangeEnd.Real(random.nextGaussian(), random.nextBoolean()));
    }

    private RequestHeader header() {
        Principal.Groups groups =
                random.nextBoolean()
                        ? new Principal.Groups.Every()
                        : new Principal.Groups.Only(new HashSet<>(listOf(this::text)));
        return new RequestHeader(
                new Principal(text(), groups), random.nextLong(), new Deadline(random.nextLong()));
    }

    private PartitionPosition position() {
        return new PartitionPosition(random.nextInt(), random.nextLong());
    }

    private Document document() {
        return new Document(id(), mapOf(() -> value(2)));
    }

    private DocumentId id() {
        LocationKey key =
                oneOf(
                        LocationKey.Plain::new,
                        () -> new LocationKey.Numbered(random.nextLong()),
                        () -> new LocationKey.Group("g" + random.nextInt(100)));
        return new DocumentId("space", "type", key, "ü:" + random.nextInt(1_000));
    }

    private FieldValue value(int depth) {
        return oneOf(
                () -> new FieldValue.StringValue(text()),
                () -> new FieldValue.BoolValue(random.nextBoolean()),
                () -> new FieldValue.IntValue(random.nextInt()),
                () -> new FieldValue.LongValue(random.nextLong()),
                () -> new FieldValue.FloatValue(random.nextFloat()),
                () -> new FieldValue.DoubleValue(random.nextInt(9) == 0 ? Double.NaN : 0.1),
                () ->
                        new FieldValue.ArrayValue(
                                depth == 0 ? List.of() : listOf(() -> value(depth - 1))),
                () ->
                        new FieldValue.WeightedSetValue(
                                Map.of(
                                        new FieldValue.StringValue(text()),
                                        random.nextInt(),
                                        new FieldValue.LongValue(random.nextLong()),
                                        random.nextInt())),
                () ->
                        new FieldValue.MapValue(
                                depth == 0
                                        ? Map.of()
                                        : Map.of(
                                                new FieldValue.IntValue(random.nextInt()),
                                                value(depth - 1))),
                () ->
                        new FieldValue.StructValue(
                                depth == 0 ? Map.of() : Map.of("field", value(depth - 1))),
                () -> new FieldValue.TensorValue(tensor()),
                () -> new FieldValue.MixedTensorValue(mixedTensor()));
    }

    private QueryInput input() {
        return oneOf(
                () -> new QueryInput.NumberInput(random.nextDouble()),
                () -> new QueryInput.TensorInput(tensor()),
                () -> new QueryInput.TensorInput(mixedTensor()));
    }

    private MixedTensor mixedTensor() {
        TensorType type = TensorType.parse(MIXED_TYPES.get(random.nextInt(MIXED_TYPES.size())));
        Map<List<String>, double[]> subspaces = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            List<String> labels =
                    Stream.generate(() -> "l" + random.nextInt(4))
                            .limit(type.mappedCount())
                            .toList();
            subspaces.put(labels, random.doubles(type.subspaceSize()).toArray());
        }
        return MixedTensor.of(type, subspaces);
    }

    private DenseTensor tensor() {
        TensorType type = TensorType.parse(TYPES.get(random.nextInt(TYPES.size())));
        double[] cells = new double[type.cellCount()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] =
                    random.nextInt(20) == 0 ? Double.POSITIVE_INFINITY : random.nextInt(256) - 128;
        }
        return DenseTensor.of(type, cells);
    }

    private String text() {
        return oneOf("", "a", "größer", "\ud83d\ude00", "x".repeat(random.nextInt(700)), "\u0000");
    }

    private <T> List<T> listOf(Supplier<T> element) {
        var list = new ArrayList<T>();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(element.get());
        }
        return list;
    }

    private <V> Map<String, V> mapOf(Supplier<V> value) {
        var map = new LinkedHashMap<String, V>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(text() + i, value.get());
        }
        return map;
    }

    @SafeVarargs
    private <T> T oneOf(Supplier<? extends T>... suppliers) {
        return suppliers[random.nextInt(suppliers.length)].get();
    }

    @SafeVarargs
    private <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }
}
