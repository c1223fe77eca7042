package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;
import org.crabro.content.search.match.IndexedSearch.TakenSection;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.index.BestNumbers;
import org.crabro.content.storage.index.LiveRows;
import org.crabro.content.storage.index.RowSet;

/**
 * The rows of sections with the best values of an attribute: so many that about as many match as a
 * limit allows. Equal values are all among them, or none. If matches have to be diverse, only those
 * that match.
 */
final class BestMatches {
    /** The numbers that a visit of an index returns at most. */
    private static final int VISITED_AT_ONCE = 512;

    private final List<RowSet> rows;
    private final long documents;
    private final long leftOut;
    private final long matches;
    private final long allMatches;

    private BestMatches(
            List<RowSet> rows, long documents, long leftOut, long matches, long allMatches) {
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
        var matches = new Totals(documents, all, most);
        return limit.diversity().isEmpty()
                ? best(limit, values, matches, work)
                : diverse(
                        new DiverseMatches(
                                limit.diversity().orElseThrow(), limit.maxHits(), sections),
                        values,
                        matches,
                        work);
    }

    /**
     * What is limited.
     *
     * @param documents the number of all
     * @param matches the number of all
     * @param most the most documents that may have good values
     */
    private record Totals(long documents, long matches, double most) {}

    /** Chooses matches. */
    interface Choice {
        /** Adds a match. */
        void add(int section, int row, long key);

        /**
         * Returns whether nothing can change any more.
         *
         * @param best a key that no match exceeds that is still to be added
         */
        boolean isComplete(long best);
    }

    private static Optional<BestMatches> best(
            MatchPhaseLimit limit, List<Values> values, Totals all, WorkMeter work) {
        var best = new BestNumbers.HighestKeys(limit.maxHits());
        var choice =
                new Choice() {
                    @Override
                    public void add(int section, int row, long key) {
                        best.add(key);
                    }

                    @Override
                    public boolean isComplete(long open) {
                        return best.isFull() && open <= best.least();
                    }
                };
        if (!visit(values, choice, all.most(), work) || !best.isFull()) {
            return Optional.empty();
        }
        List<RowSet> rows = new ArrayList<>();
        long retained = 0;
        long matches = 0;
        for (Values each : values) {
            RowSet good = each.numbers.from(best.least(), each.matching.rowCount());
            retained += good.count(each.live);
            matches += good.count(each.matching, each.live);
            rows.add(good);
        }
        return retained > all.most() || matches == all.matches()
                ? Optional.empty()
                : Optional.of(
                        new BestMatches(
                                rows,
                                all.documents(),
                                all.documents() - retained,
                                matches,
                                all.matches()));
    }

    private static Optional<BestMatches> diverse(
            DiverseMatches choice, List<Values> values, Totals all, WorkMeter work) {
        try {
            if (!visit(values, choice, all.most(), work)) {
                return Optional.empty();
            }
            choice.takeRemaining();
        } catch (CorruptRunException _) {
            // The search that follows reports the damage.
            return Optional.empty();
        }
        List<RowSet> rows = new ArrayList<>();
        long good = 0;
        for (int i = 0; i < values.size(); i++) {
            Values each = values.get(i);
            good += each.numbers.from(choice.least(), each.matching.rowCount()).count(each.live);
            rows.add(choice.selected(i));
        }
        long left = good - choice.droppedCount();
        return !choice.isLimited() || good > all.most() || choice.selectedCount() == all.matches()
                ? Optional.empty()
                : Optional.of(
                        new BestMatches(
                                rows,
                                all.documents(),
                                all.documents() - left,
                                choice.selectedCount(),
                                all.matches()));
    }

    private static List<Values> values(MatchPhaseLimit limit, List<TakenSection> sections) {
        List<Values> values = new ArrayList<>();
        for (TakenSection each : sections) {
            BestNumbers numbers =
                    each.section()
                            .index()
                            .orElseThrow()
                            .bestNumbers(limit.attribute().name(), limit.type(), limit.ascending());
            values.add(new Values(values.size(), numbers, each.rows().evaluated(), each.live()));
        }
        return values;
    }

    /**
     * Passes on the matches of all sections, from the best values on.
     *
     * @param most the most documents to look at
     * @return false if these were not enough
     */
    private static boolean visit(List<Values> values, Choice into, double most, WorkMeter work) {
        var open = new PriorityQueue<>(Comparator.comparingLong(Values::best).reversed());
        values.stream().filter(each -> !each.numbers.isAtEnd()).forEach(open::add);
        long visited = 0;
        while (!open.isEmpty() && !into.isComplete(open.element().best())) {
            // What was visited is good, except for a few values of each section.
            if (visited > most + (long) VISITED_AT_ONCE * values.size()) {
                return false;
            }
            Values next = open.remove();
            visited -= next.visited;
            work.spend(next.visit(into));
            visited += next.visited;
            if (!next.numbers.isAtEnd()) {
                open.add(next);
            }
        }
        return true;
    }

    /** The values of a section. */
    private static final class Values {
        private final int section;
        private final BestNumbers numbers;

        /** Not to be changed. */
        private final RowSet matching;

        private final IntPredicate isMatch;

        private final LiveRows live;

        /** The number of live rows whose values were visited. */
        private long visited;

        Values(int section, BestNumbers numbers, RowSet matching, LiveRows live) {
            this.section = section;
            this.numbers = numbers;
            this.matching = matching;
            this.isMatch = matching.test();
            this.live = live;
        }

        long best() {
            return numbers.best();
        }

        /** Visits the next values, and returns their number. */
        int visit(Choice into) {
            return numbers.visit((row, key) -> {
                if (!live.has(row)) {
                    return;
                }
                visited++;
                if (isMatch.test(row)) {
                    into.add(section, row, key);
                }
            });
        }
    }

    /** Returns the rows of a section. Dead ones may be among them. */
    RowSet rows(int section) {
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
