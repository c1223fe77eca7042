package org.crabro.protocol.encoding;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.Marking;
import org.crabro.protocol.search.OtherFeatures;
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
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;

/** Searches and their replies as bodies of messages. */
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

    private static final int BY_RELEVANCE = 0;
    private static final int BY_FIELD = 1;
    private static final int BY_ID = 2;
    private static final int BY_FIELD_IN_DETAIL = 3;
    private static final int BY_SOURCE = 4;
    private static final int BY_ONE_OF_SEVERAL = 5;

    private static final int TEXTS_DECLARED = 0;
    private static final int TEXTS_RAW = 1;
    private static final int TEXTS_LOWER_CASE = 2;
    private static final int TEXTS_COLLATED = 3;

    private static final int MISSING_SMALLEST = 0;
    private static final int MISSING_FIRST = 1;
    private static final int MISSING_LAST = 2;
    private static final int MISSING_AS = 3;

    /** In the place of a hit's relevance, which is never this: no hit. */
    private static final double NO_POSITION = Double.NaN;

    /** Names of features begin with these that are no match features. */
    private static final String SUMMARY = "\u0001";

    private static final String LISTED = "\u0002";

    private static final int FOUND = 0;
    private static final int REJECTED = 1;
    private static final int TIMED_OUT = 2;
    private static final int WRONG_OWNER = 3;
    private static final int FAILED = 4;
    private static final int OVERLOADED = 5;

    private SearchParts() {}

    static void write(MessageWriter out, SearchRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putList(request.scope().partitions(), out::putInt);
        out.putText(request.scope().documentType());
        write(out, request.scope().documents());
        QueryParts.write(out, request.query().tree());
        write(out, request.query().ranking());
        out.putList(request.hits().sorting(), key -> write(out, key));
        out.putInt(request.hits().count());
        out.putText(request.hits().summary().documentSummary());
        out.putList(request.hits().summary().fields(), out::putText);
        out.putBoolean(request.reply().softTimeout());
        out.putInt(request.reply().traceLevel());
        out.putList(request.scope().atLeast(), position -> HeaderParts.write(out, position));
        // Messages without what came later are as they were before there was any of it.
        SummarySettings summary = request.hits().summary();
        boolean isSpecial =
                !request.query().ranking().overrides().equals(RankOverrides.NONE)
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
            if (!request.query().ranking().overrides().features().isEmpty()) {
                out.putMap(
                        new TreeMap<>(request.query().ranking().overrides().features()),
                        out::putDouble);
            }
        }
    }

    static SearchRequest readRequest(MessageReader in, long nanoTime) {
        RequestHeader header = HeaderParts.read(in, nanoTime);
        List<Integer> partitions = in.readList(in::readInt);
        String documentType = in.readText();
        Scope documents = readScope(in);
        var query = new RankedQuery(QueryParts.read(in), readRanking(in));
        List<SortKey> sorting = in.readList(() -> readKey(in));
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
        return after.with(after.query().ranking().with(overrides)).with(summary);
    }

    /** By name, so that equal requests have equal bytes. */
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

    /** Inputs are written by name, so that equal requests have equal bytes. */
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

    private static void write(MessageWriter out, QueryInput input) {
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

    private static QueryInput readInput(MessageReader in) {
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

    private static void write(MessageWriter out, SortKey key) {
        switch (key) {
            case SortKey.Relevance(var ascending) -> {
                out.putByte(BY_RELEVANCE);
                out.putBoolean(ascending);
            }
            case SortKey.DocumentIds(var ascending) -> {
                out.putByte(BY_ID);
                out.putBoolean(ascending);
            }
            case SortKey.Sources(var ascending, var source) -> {
                out.putByte(BY_SOURCE);
                out.putBoolean(ascending);
                out.putText(source);
            }
            case SortKey.FieldValueOf(
                            var field,
                            var ascending,
                            var texts,
                            var missing,
                            var several) -> {
                boolean usual = several == SortKey.Several.FIRST;
                boolean plain =
                        usual
                                && texts instanceof TextOrder.Declared
                                && missing instanceof SortKey.Missing.Smallest;
                out.putByte(plain ? BY_FIELD : usual ? BY_FIELD_IN_DETAIL : BY_ONE_OF_SEVERAL);
                out.putText(field);
                out.putBoolean(ascending);
                if (!plain) {
                    write(out, texts);
                    write(out, missing);
                }
                if (!usual) {
                    out.putText(several.name());
                }
            }
        }
    }

    private static void write(MessageWriter out, TextOrder texts) {
        switch (texts) {
            case TextOrder.Declared() -> out.putByte(TEXTS_DECLARED);
            case TextOrder.LowerCase() -> out.putByte(TEXTS_LOWER_CASE);
            case TextOrder.Raw() -> out.putByte(TEXTS_RAW);
            case TextOrder.Collated(var locale, var strength) -> {
                out.putByte(TEXTS_COLLATED);
                out.putText(locale.orElse(""));
                out.putText(strength.map(TextOrder.Strength::name).orElse(""));
            }
        }
    }

    private static TextOrder readTexts(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case TEXTS_DECLARED -> new TextOrder.Declared();
            case TEXTS_LOWER_CASE -> new TextOrder.LowerCase();
            case TEXTS_RAW -> new TextOrder.Raw();
            case TEXTS_COLLATED ->
                    new TextOrder.Collated(
                            Optional.of(in.readText()).filter(text -> !text.isEmpty()),
                            readStrength(in));
            default -> throw in.unknown("the tag of how strings are compared", tag);
        };
    }

    private static Optional<TextOrder.Strength> readStrength(MessageReader in) {
        String name = in.readText();
        Optional<TextOrder.Strength> found =
                Stream.of(TextOrder.Strength.values())
                        .filter(each -> each.name().equals(name))
                        .findFirst();
        if (found.isEmpty() && !name.isEmpty()) {
            throw new IllegalArgumentException("unknown strength '" + name + "'");
        }
        return found;
    }

    private static void write(MessageWriter out, SortKey.Missing missing) {
        switch (missing) {
            case SortKey.Missing.Smallest() -> out.putByte(MISSING_SMALLEST);
            case SortKey.Missing.First() -> out.putByte(MISSING_FIRST);
            case SortKey.Missing.Last() -> out.putByte(MISSING_LAST);
            case SortKey.Missing.As(var value) -> {
                out.putByte(MISSING_AS);
                out.putText(value);
            }
        }
    }

    private static SortKey.Missing readMissing(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case MISSING_SMALLEST -> new SortKey.Missing.Smallest();
            case MISSING_FIRST -> new SortKey.Missing.First();
            case MISSING_LAST -> new SortKey.Missing.Last();
            case MISSING_AS -> new SortKey.Missing.As(in.readText());
            default -> throw in.unknown("the tag of what becomes of missing values", tag);
        };
    }

    private static SortKey readKey(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case BY_RELEVANCE -> new SortKey.Relevance(in.readBoolean());
            case BY_ID -> new SortKey.DocumentIds(in.readBoolean());
            case BY_SOURCE -> new SortKey.Sources(in.readBoolean(), in.readText());
            case BY_FIELD -> new SortKey.FieldValueOf(in.readText(), in.readBoolean());
            case BY_FIELD_IN_DETAIL -> readDetails(in);
            case BY_ONE_OF_SEVERAL ->
                    readDetails(in)
                            .with(
                                    in.readChecked(
                                            "which of several values counts",
                                            () -> SortKey.Several.valueOf(in.readText())));
            default -> throw in.unknown("the tag of a sort key", tag);
        };
    }

    private static SortKey.FieldValueOf readDetails(MessageReader in) {
        return new SortKey.FieldValueOf(in.readText(), in.readBoolean())
                .with(readTexts(in))
                .with(readMissing(in));
    }

    static void write(MessageWriter out, SearchReply reply) {
        switch (reply) {
            case SearchReply.Found found -> {
                out.putByte(FOUND);
                write(out, found);
            }
            case SearchReply.Rejected(var reason) -> {
                out.putByte(REJECTED);
                out.putText(reason);
            }
            case SearchReply.TimedOut() -> out.putByte(TIMED_OUT);
            case SearchReply.WrongOwner(var stateVersion) -> {
                out.putByte(WRONG_OWNER);
                out.putLong(stateVersion);
            }
            case SearchReply.Failed(var reason) -> {
                out.putByte(FAILED);
                out.putText(reason);
            }
            case SearchReply.Overloaded(var reason) -> {
                out.putByte(OVERLOADED);
                out.putText(reason);
            }
        }
    }

    static SearchReply readReply(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case FOUND -> readFound(in);
            case REJECTED -> new SearchReply.Rejected(in.readText());
            case TIMED_OUT -> new SearchReply.TimedOut();
            case WRONG_OWNER -> new SearchReply.WrongOwner(in.readLong());
            case FAILED -> new SearchReply.Failed(in.readText());
            case OVERLOADED -> new SearchReply.Overloaded(in.readText());
            default -> throw in.unknown("the tag of a search reply", tag);
        };
    }

    private static void write(MessageWriter out, SearchReply.Found found) {
        out.putList(found.hits(), hit -> write(out, hit));
        out.putLong(found.totalCount());
        out.putLong(found.report().coverage().documents());
        out.putLong(found.report().coverage().total());
        out.putBoolean(found.report().coverage().timedOut());
        out.putLong(found.report().cost().blocks());
        out.putLong(found.report().cost().skippedBlocks());
        out.putLong(found.report().cost().rows());
        out.putLong(found.report().cost().bytes());
        out.putLong(found.report().cost().deviceBytes());
        out.putLong(found.report().cost().cpuNanos());
        out.putList(found.report().warnings(), out::putText);
        out.putList(found.report().trace(), out::putText);
        if (!found.groups().isEmpty()) {
            out.putList(found.groups(), group -> GroupParts.write(out, group));
        }
    }

    private static SearchReply.Found readFound(MessageReader in) {
        List<SearchHit> hits = in.readList(() -> readHit(in));
        long totalCount = in.readLong();
        var coverage = new Coverage(in.readLong(), in.readLong(), in.readBoolean());
        var cost =
                new QueryCost(
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong());
        var report =
                new SearchReport(
                        coverage, cost, in.readList(in::readText), in.readList(in::readText));
        List<Group<SearchHit>> groups =
                in.remaining() > 0 ? in.readList(() -> GroupParts.readGroup(in)) : List.of();
        return new SearchReply.Found(hits, totalCount, groups, report);
    }

    static void write(MessageWriter out, SearchHit hit) {
        ValueParts.write(out, hit.id());
        out.putDouble(hit.relevance());
        out.putList(
                hit.sortValues(),
                sorted -> out.putOptional(sorted, value -> ValueParts.write(out, value)));
        out.putMap(hit.summary(), value -> ValueParts.write(out, value));
        var features = new LinkedHashMap<>(hit.matchFeatures());
        hit.features().summary().forEach((name, value) -> features.put(SUMMARY + name, value));
        hit.features().listed().forEach((name, value) -> features.put(LISTED + name, value));
        out.putMap(features, value -> write(out, value));
    }

    static SearchHit readHit(MessageReader in) {
        var hit =
                new SearchHit(
                        ValueParts.readId(in),
                        in.readDouble(),
                        in.readList(() -> in.readOptional(() -> ValueParts.readValue(in))),
                        in.readMap(() -> ValueParts.readValue(in)),
                        Map.of());
        Map<String, QueryInput> features = in.readMap(() -> readInput(in));
        var match = new LinkedHashMap<String, QueryInput>();
        var summary = new LinkedHashMap<String, QueryInput>();
        var listed = new LinkedHashMap<String, QueryInput>();
        features.forEach((name, value) -> {
            if (name.startsWith(SUMMARY)) {
                summary.put(name.substring(1), value);
            } else if (name.startsWith(LISTED)) {
                listed.put(name.substring(1), value);
            } else {
                match.put(name, value);
            }
        });
        return new SearchHit(
                hit.id(),
                hit.relevance(),
                hit.sortValues(),
                hit.summary(),
                match,
                new OtherFeatures(summary, listed));
    }
}
