package org.crabro.protocol.encoding;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.Marking;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankLimits;
import org.crabro.protocol.search.RankOverrides;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;

/** The encoding of searches as bodies of messages; {@link SearchReplyParts} encodes the replies. */
final class SearchParts {
    private static final int GROUP = 0;
    private static final int NUMBERED = 1;
    private static final int EVERYTHING = 2;
    private static final int SEVERAL = 3;
    private static final int SELECTED = 4;

    private static final int NUMBER = 0;
    private static final int TENSOR = 1;
    private static final int MIXED_TENSOR = 2;

    private static final int STATISTICS_GROUP = 0;
    private static final int STATISTICS_NONE = 1;

    /** A relevance that represents a missing hit position. No hit has it. */
    private static final double NO_POSITION = Double.NaN;

    private SearchParts() {}

    static void write(MessageWriter out, SearchRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putList(request.scope().partitions(), out::putInt);
        out.putText(request.scope().documentType());
        write(out, request.scope().documents());
        QueryParts.write(out, request.query().tree());
        write(out, request.query().ranking());
        out.putList(request.hits().sorting(), key -> SortParts.write(out, key));
        out.putInt(request.hits().count());
        out.putText(request.hits().summary().documentSummary());
        out.putList(request.hits().summary().fields(), out::putText);
        out.putBoolean(request.reply().softTimeout());
        out.putInt(request.reply().traceLevel());
        out.putList(request.scope().atLeast(), position -> HeaderParts.write(out, position));
        // Requests without newer settings are encoded as in the version before them.
        SummarySettings summary = request.hits().summary();
        boolean isSpecial =
                !request.query().ranking().overrides().equals(RankOverrides.NONE)
                        || request.reply().explains()
                        || request.reply().countsWords()
                        || !summary.besides().isEmpty()
                        || !summary.marking().equals(Marking.DEFAULT);
        boolean isLater = isSpecial || request.hits().after().isPresent();
        boolean hasLimits = isLater || !request.query().ranking().limits().equals(RankLimits.NONE);
        if (hasLimits || !request.grouping().equals(GroupingSettings.NONE)) {
            GroupingParts.write(out, request.grouping());
        }
        if (hasLimits) {
            write(out, request.query().ranking().limits());
        }
        request.hits().after().ifPresent(position -> write(out, position));
        if (isSpecial) {
            if (request.hits().after().isEmpty()) {
                out.putDouble(NO_POSITION);
            }
            write(out, request.query().ranking().overrides());
            out.putList(summary.besides(), out::putText);
            write(out, summary.marking());
            boolean hasFlags = request.reply().explains() || request.reply().countsWords();
            if (hasFlags || !request.query().ranking().overrides().features().isEmpty()) {
                out.putMap(
                        new TreeMap<>(request.query().ranking().overrides().features()),
                        out::putDouble);
            }
            if (hasFlags) {
                out.putBoolean(request.reply().explains());
            }
            if (request.reply().countsWords()) {
                out.putBoolean(true);
            }
        }
    }

    static SearchRequest readRequest(MessageReader in, long nanoTime) {
        RequestHeader header = HeaderParts.read(in, nanoTime);
        List<Integer> partitions = in.readList(in::readInt);
        String documentType = in.readText();
        Scope documents = readScope(in);
        var query = new RankedQuery(QueryParts.read(in), readRanking(in));
        List<SortKey> sorting = in.readList(() -> SortParts.readKey(in));
        int count = in.readInt();
        var summary = new SummarySettings(in.readText(), in.readList(in::readText));
        var reply = new ReplySettings(in.readBoolean(), in.readInt());
        List<PartitionPosition> atLeast = in.readList(() -> HeaderParts.readPosition(in));
        GroupingSettings grouping =
                in.remaining() > 0 ? GroupingParts.readSettings(in) : GroupingSettings.NONE;
        var request =
                new SearchRequest(
                        header,
                        new SearchScope(partitions, documentType, documents, atLeast),
                        query,
                        new HitSettings(count, sorting, summary),
                        grouping,
                        reply);
        SearchRequest limited = in.remaining() > 0 ? request.with(readLimits(in)) : request;
        return in.remaining() > 0 ? readLast(limited, in) : limited;
    }

    private static SearchRequest readLast(SearchRequest limited, MessageReader in) {
        double relevance = in.readDouble();
        SearchRequest after =
                Double.isNaN(relevance) ? limited : limited.after(readPosition(relevance, in));
        if (in.remaining() == 0) {
            return after;
        }
        RankOverrides overrides = readOverrides(in);
        SummarySettings summary =
                after.hits().summary().withBesides(in.readList(in::readText)).with(readMarking(in));
        if (in.remaining() > 0) {
            overrides = overrides.withFeatures(in.readMap(in::readDouble));
        }
        SearchRequest last = after.with(after.query().ranking().with(overrides)).with(summary);
        return in.remaining() == 0
                ? last
                : last.with(
                        new ReplySettings(
                                last.reply().softTimeout(),
                                last.reply().traceLevel(),
                                in.readBoolean(),
                                in.remaining() > 0 && in.readBoolean()));
    }

    /** Sorted by name, so that equal requests have equal bytes. */
    private static void write(MessageWriter out, RankOverrides overrides) {
        out.putMap(new TreeMap<>(overrides.properties()), out::putText);
        out.putMap(new TreeMap<>(overrides.elementGaps()), out::putInt);
        out.putBoolean(overrides.listsFeatures());
    }

    private static RankOverrides readOverrides(MessageReader in) {
        return new RankOverrides(
                in.readMap(in::readText), in.readMap(in::readInt), in.readBoolean(), Map.of());
    }

    private static void write(MessageWriter out, Marking marking) {
        out.putBoolean(marking.isOn());
        out.putText(marking.open());
        out.putText(marking.close());
        out.putText(marking.separator());
    }

    private static Marking readMarking(MessageReader in) {
        return new Marking(in.readBoolean(), in.readText(), in.readText(), in.readText());
    }

    private static void write(MessageWriter out, HitPosition position) {
        out.putDouble(position.relevance());
        out.putList(
                position.sortValues(),
                value -> out.putOptional(value, some -> ValueParts.write(out, some)));
        ValueParts.write(out, position.id());
    }

    private static HitPosition readPosition(double relevance, MessageReader in) {
        return new HitPosition(
                relevance,
                in.readList(() -> in.readOptional(() -> ValueParts.readValue(in))),
                ValueParts.readId(in));
    }

    private static void write(MessageWriter out, Scope scope) {
        switch (scope) {
            case Scope.Group(var name) -> {
                out.putByte(GROUP);
                out.putText(name);
            }
            case Scope.Numbered(var value) -> {
                out.putByte(NUMBERED);
                out.putLong(value);
            }
            case Scope.Several(var parts) -> {
                out.putByte(SEVERAL);
                out.putList(parts, part -> write(out, part));
            }
            case Scope.Everything() -> out.putByte(EVERYTHING);
            case Scope.Selected(var within, var selection, var from, var to) -> {
                out.putByte(SELECTED);
                write(out, within);
                out.putText(selection);
                out.putLong(from);
                out.putLong(to);
            }
        }
    }

    private static Scope readScope(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case GROUP -> new Scope.Group(in.readText());
            case NUMBERED -> new Scope.Numbered(in.readLong());
            case SEVERAL ->
                    new Scope.Several(in.readList(() -> in.readNested(() -> readScope(in))));
            case EVERYTHING -> new Scope.Everything();
            case SELECTED ->
                    new Scope.Selected(
                            in.readNested(() -> readScope(in)),
                            in.readText(),
                            in.readLong(),
                            in.readLong());
            default -> throw in.unknown("the tag of a scope", tag);
        };
    }

    /** Inputs are sorted by name, so that equal requests have equal bytes. */
    private static void write(MessageWriter out, RankSettings ranking) {
        out.putText(ranking.profile());
        out.putMap(new TreeMap<>(ranking.inputs()), input -> write(out, input));
        out.putByte(
                switch (ranking.statistics()) {
                    case GROUP -> STATISTICS_GROUP;
                    case NONE -> STATISTICS_NONE;
                });
        out.putLong(ranking.nowSeconds());
    }

    private static void write(MessageWriter out, RankLimits limits) {
        write(out, limits.dropLimit());
        OptionalInt count = limits.rerankCount();
        out.putBoolean(count.isPresent());
        count.ifPresent(out::putInt);
        write(out, limits.secondDropLimit());
    }

    private static void write(MessageWriter out, OptionalDouble limit) {
        out.putBoolean(limit.isPresent());
        limit.ifPresent(out::putDouble);
    }

    private static OptionalDouble readLimit(MessageReader in) {
        return in.readBoolean() ? OptionalDouble.of(in.readDouble()) : OptionalDouble.empty();
    }

    private static RankLimits readLimits(MessageReader in) {
        return new RankLimits(
                readLimit(in),
                in.readBoolean() ? OptionalInt.of(in.readInt()) : OptionalInt.empty(),
                readLimit(in));
    }

    private static RankSettings readRanking(MessageReader in) {
        return new RankSettings(
                in.readText(), in.readMap(() -> readInput(in)), readStatistics(in), in.readLong());
    }

    private static RankSettings.Statistics readStatistics(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case STATISTICS_GROUP -> RankSettings.Statistics.GROUP;
            case STATISTICS_NONE -> RankSettings.Statistics.NONE;
            default -> throw in.unknown("0 for exact statistics or 1 for none", tag);
        };
    }

    static void write(MessageWriter out, QueryInput input) {
        switch (input) {
            case QueryInput.NumberInput(var value) -> {
                out.putByte(NUMBER);
                out.putDouble(value);
            }
            case QueryInput.TensorInput(DenseTensor value) -> {
                out.putByte(TENSOR);
                ValueParts.write(out, value);
            }
            case QueryInput.TensorInput(MixedTensor value) -> {
                out.putByte(MIXED_TENSOR);
                ValueParts.write(out, value);
            }
        }
    }

    static QueryInput readInput(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case NUMBER -> new QueryInput.NumberInput(in.readDouble());
            case TENSOR -> new QueryInput.TensorInput(ValueParts.readTensor(in));
            case MIXED_TENSOR -> new QueryInput.TensorInput(ValueParts.readMixedTensor(in));
            default ->
                    throw in.unknown(
                            "0 for a number, 1 for a dense tensor or 2 for another one", tag);
        };
    }
}
