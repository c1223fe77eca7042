package org.crabro.protocol.encoding;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.NearWord;
import org.crabro.protocol.search.NodePlan;
import org.crabro.protocol.search.OtherFeatures;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.WordCount;

/** The encoding of search replies as bodies of messages. */
final class SearchReplyParts {
    private static final int FOUND = 0;
    private static final int REJECTED = 1;
    private static final int TIMED_OUT = 2;
    private static final int WRONG_OWNER = 3;
    private static final int FAILED = 4;
    private static final int OVERLOADED = 5;
    private static final int UNAVAILABLE = 6;

    /** The first character of the names of summary features in messages. */
    private static final String SUMMARY = "\u0001";

    /** The first character of the names of listed features in messages. */
    private static final String LISTED = "\u0002";

    /** The first character of the names of used features in messages. */
    private static final String USED = "\u0003";

    private SearchReplyParts() {}

    static void write(MessageWriter out, SearchReply reply) {
        switch (reply) {
            case SearchReply.Found hits -> {
                out.putByte(FOUND);
                write(out, hits);
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
            case SearchReply.Unavailable(var reason) -> {
                out.putByte(UNAVAILABLE);
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
            case FOUND -> readHits(in);
            case REJECTED -> new SearchReply.Rejected(in.readText());
            case TIMED_OUT -> new SearchReply.TimedOut();
            case WRONG_OWNER -> new SearchReply.WrongOwner(in.readLong());
            case FAILED -> new SearchReply.Failed(in.readText());
            case UNAVAILABLE -> new SearchReply.Unavailable(in.readText());
            case OVERLOADED -> new SearchReply.Overloaded(in.readText());
            default -> throw in.unknown("the tag of a search reply", tag);
        };
    }

    private static void write(MessageWriter out, SearchReply.Found hits) {
        out.putList(hits.hits(), hit -> write(out, hit));
        out.putLong(hits.totalCount());
        out.putLong(hits.report().coverage().documents());
        out.putLong(hits.report().coverage().total());
        out.putBoolean(hits.report().coverage().timedOut());
        PlanParts.write(out, hits.report().cost());
        out.putList(hits.report().warnings(), out::putText);
        out.putList(hits.report().trace(), out::putText);
        boolean isLimited = hits.report().coverage().limited();
        boolean hasWords = !hits.report().words().isEmpty();
        boolean hasFlag = isLimited || hasWords;
        boolean hasPlans = hasFlag || !hits.report().plans().isEmpty();
        if (hasPlans || !hits.groups().isEmpty()) {
            out.putList(hits.groups(), group -> GroupParts.write(out, group));
        }
        if (hasPlans) {
            out.putList(hits.report().plans(), plan -> PlanParts.write(out, plan));
        }
        if (hasFlag) {
            out.putBoolean(isLimited);
        }
        if (hasWords) {
            out.putList(hits.report().words(), words -> write(out, words));
        }
    }

    private static SearchReply.Found readHits(MessageReader in) {
        List<SearchHit> hits = in.readList(() -> readHit(in));
        long totalCount = in.readLong();
        long documents = in.readLong();
        long total = in.readLong();
        boolean timedOut = in.readBoolean();
        QueryCost cost = PlanParts.readCost(in);
        List<String> warnings = in.readList(in::readText);
        List<String> trace = in.readList(in::readText);
        List<Group<SearchHit>> groups =
                in.remaining() > 0 ? in.readList(() -> GroupParts.readGroup(in)) : List.of();
        List<NodePlan> plans =
                in.remaining() > 0 ? in.readList(() -> PlanParts.read(in)) : List.of();
        boolean isLimited = in.remaining() > 0 && in.readBoolean();
        List<WordCount> words = in.remaining() > 0 ? in.readList(() -> readWords(in)) : List.of();
        var coverage = new Coverage(documents, total, timedOut, isLimited);
        return new SearchReply.Found(
                hits,
                totalCount,
                groups,
                new SearchReport(coverage, cost, warnings, trace, plans, words));
    }

    private static void write(MessageWriter out, WordCount words) {
        out.putLong(words.documents());
        out.putList(
                words.near(),
                near -> {
                    out.putText(near.text());
                    out.putInt(near.edits());
                    out.putLong(near.documents());
                });
    }

    private static WordCount readWords(MessageReader in) {
        return new WordCount(
                in.readLong(),
                in.readList(() -> new NearWord(in.readText(), in.readInt(), in.readLong())));
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
        hit.features().used().forEach((name, value) -> features.put(USED + name, value));
        out.putMap(features, value -> SearchParts.write(out, value));
    }

    static SearchHit readHit(MessageReader in) {
        var hit =
                new SearchHit(
                        ValueParts.readId(in),
                        in.readDouble(),
                        in.readList(() -> in.readOptional(() -> ValueParts.readValue(in))),
                        in.readMap(() -> ValueParts.readValue(in)),
                        Map.of());
        Map<String, QueryInput> features = in.readMap(() -> SearchParts.readInput(in));
        var match = new LinkedHashMap<String, QueryInput>();
        var summary = new LinkedHashMap<String, QueryInput>();
        var listed = new LinkedHashMap<String, QueryInput>();
        var used = new LinkedHashMap<String, QueryInput>();
        features.forEach((name, value) -> {
            if (name.startsWith(SUMMARY)) {
                summary.put(name.substring(1), value);
            } else if (name.startsWith(LISTED)) {
                listed.put(name.substring(1), value);
            } else if (name.startsWith(USED)) {
                used.put(name.substring(1), value);
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
                new OtherFeatures(summary, listed, used));
    }
}
