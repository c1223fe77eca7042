package org.crabro.content.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.LongHeap;
import org.crabro.content.match.IndexedSearch.TakenSection;
import org.crabro.content.query.WorkMeter;
import org.crabro.content.sidecar.BestNumbers;
import org.crabro.content.sidecar.LiveRows;
import org.crabro.content.sidecar.RowSet;

/**
 * The rows of sections with the best values of an attribute: so many that about as many match as a
 * limit allows. Equal values are all among them, or none.
 */
final class BestMatches {
    /** The numbers that a visit of an index returns at most. */
    private static final int VISITED_AT_ONCE = 512;

    private final List<FixedBitSet> rows;
    private final long documents;
    private final long leftOut;
    private final long matches;
    private final long allMatches;

    private BestMatches(
            List<FixedBitSet> rows, long documents, long leftOut, long matches, long allMatches) {
        this.rows = rows;
        this.documents = documents;
        this.leftOut = leftOut;
        this.matches = matches;
        this.allMatches = allMatches;
    }

    /**
     * Returns the rows; empty if matches are not limited: there are few of them, few of them have
     * values, or too many documents have values as good as theirs.
     *
     * @param sections with an index of the attribute
     * @param work counts the values that are looked at
     */
    static Optional<BestMatches> find(
            MatchPhaseLimit limit, List<TakenSection> sections, WorkMeter work) {
        long documents = 0;
        long all = 0;
        for (TakenSection each : sections) {
            documents += each.live().count();
            all += each.rows().count(each.live());
        }
        // Among documents with good values, as many may match as among all.
        double most = limit.maxFilterCoverage() * documents;
        if (all <= limit.maxHits() || limit.maxFilterCoverage() * all < limit.maxHits()) {
            return Optional.empty();
        }
        List<Values> values = values(limit, sections);
        var best = new LongHeap(VISITED_AT_ONCE);
        if (!visit(values, best, limit.maxHits(), most, work)) {
            return Optional.empty();
        }
        List<FixedBitSet> rows = new ArrayList<>();
        long kept = 0;
        long matches = 0;
        for (Values each : values) {
            FixedBitSet good = each.numbers.from(best.top(), each.matching.length());
            kept += RowSet.ofBits(good).count(each.live);
            FixedBitSet goodMatches = good.clone();
            goodMatches.and(each.matching);
            matches += RowSet.ofBits(goodMatches).count(each.live);
            rows.add(good);
        }
        return kept > most || matches == all
                ? Optional.empty()
                : Optional.of(new BestMatches(rows, documents, documents - kept, matches, all));
    }

    private static List<Values> values(MatchPhaseLimit limit, List<TakenSection> sections) {
        List<Values> values = new ArrayList<>();
        for (TakenSection each : sections) {
            BestNumbers numbers =
                    each.section()
                            .index()
                            .orElseThrow()
                            .bestNumbers(limit.attribute().name(), limit.type(), limit.ascending());
            values.add(new Values(numbers, each.rows().toBits(), each.live()));
        }
        return values;
    }

    /**
     * Finds the best values of matches in all sections, from the best on.
     *
     * @param best receives them
     * @param most the most documents to look at
     * @return whether there are {@code maxHits}
     */
    private static boolean visit(
            List<Values> values, LongHeap best, int maxHits, double most, WorkMeter work) {
        var open = new PriorityQueue<>(Comparator.comparingLong(Values::best).reversed());
        values.stream().filter(each -> !each.numbers.isAtEnd()).forEach(open::add);
        long visited = 0;
        while (!open.isEmpty() && (best.size() < maxHits || open.element().best() > best.top())) {
            // What was visited is good, except for a few values of each section.
            if (visited > most + (long) VISITED_AT_ONCE * values.size()) {
                return false;
            }
            Values next = open.remove();
            visited -= next.visited;
            work.spend(next.visit(best, maxHits));
            visited += next.visited;
            if (!next.numbers.isAtEnd()) {
                open.add(next);
            }
        }
        return best.size() == maxHits;
    }

    /** The values of a section. */
    private static final class Values {
        private final BestNumbers numbers;

        /** Not to be changed. */
        private final FixedBitSet matching;

        private final LiveRows live;

        /** The number of live rows whose values were visited. */
        private long visited;

        Values(BestNumbers numbers, FixedBitSet matching, LiveRows live) {
            this.numbers = numbers;
            this.matching = matching;
            this.live = live;
        }

        long best() {
            return numbers.best();
        }

        /** Visits the next values, and returns their number. */
        int visit(LongHeap best, int maxHits) {
            return numbers.visit((row, key) -> {
                if (!live.has(row)) {
                    return;
                }
                visited++;
                if (matching.get(row)) {
                    if (best.size() < maxHits) {
                        best.push(key);
                    } else if (key > best.top()) {
                        best.updateTop(key);
                    }
                }
            });
        }
    }

    /** Returns the rows of a section, one bit per row. Dead ones may be among them. */
    FixedBitSet rows(int section) {
        return rows.get(section);
    }

    /** Returns the number of live rows in all sections that are left out. */
    long leftOut() {
        return leftOut;
    }

    /** Returns what was limited, for traces. */
    String text() {
        return "limited to %d of %d matches, in %d of %d documents"
                .formatted(matches, allMatches, documents - leftOut, documents);
    }
}
