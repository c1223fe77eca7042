package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.crabro.content.search.match.IndexedSearch.TakenSection;
import org.crabro.content.storage.index.RowSet;
import org.crabro.document.FieldValue;

/**
 * Chooses the best matches, but not too many with the same value of another attribute. It takes
 * matches from the best on, and those that are equally good together, so that the choice does not
 * depend on their order. For one thread.
 */
final class DiverseMatches implements BestMatches.Choice {
    private final MatchDiversity diversity;
    private final int maxHits;
    private final List<SectionValues> values = new ArrayList<>();
    private final List<RowSet.Builder> selected = new ArrayList<>();
    private final Map<Optional<FieldValue>, Group> groups = new HashMap<>();

    /**
     * Matches that were added and not taken, the best first. The largest share of documents that
     * may have good values limits their number.
     */
    private final PriorityQueue<Match> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Match::key).reversed());

    private long selectedCount;
    private long droppedCount;
    private long last = Long.MAX_VALUE;

    /** A match. The higher its key, the better it is. */
    private record Match(long key, int section, int row) {}

    /** The matches with a value. */
    private static final class Group {
        private final boolean isBeforeCutoff;
        private int selectedCount;

        /** Of the matches that are being taken together. */
        private int selectedNow;

        Group(boolean isBeforeCutoff) {
            this.isBeforeCutoff = isBeforeCutoff;
        }
    }

    DiverseMatches(MatchDiversity diversity, int maxHits, List<TakenSection> sections) {
        this.diversity = diversity;
        this.maxHits = maxHits;
        for (TakenSection each : sections) {
            values.add(new SectionValues(each.section().rows(), diversity.attribute().name()));
            selected.add(new RowSet.Builder(each.section().rowCount()));
        }
    }

    @Override
    public void add(int section, int row, long key) {
        waiting.add(new Match(key, section, row));
    }

    @Override
    public boolean isComplete(long best) {
        while (!waiting.isEmpty() && waiting.element().key() > best && selectedCount < maxHits) {
            takeEqual();
        }
        return selectedCount >= maxHits;
    }

    /** Takes all matches that are waiting, as far as there is room. */
    void takeRemaining() {
        while (!waiting.isEmpty() && selectedCount < maxHits) {
            takeEqual();
        }
    }

    /** Takes the best matches that are waiting, which are all equally good. */
    private void takeEqual() {
        last = waiting.element().key();
        long before = groups.size();
        var touched = new ArrayList<Group>();
        while (!waiting.isEmpty() && waiting.element().key() == last) {
            Match match = waiting.remove();
            Group group =
                    groups.computeIfAbsent(
                            values.get(match.section()).value(match.row()),
                            _ -> new Group(before < diversity.groupsBeforeCutoff()));
            if (isKept(group)) {
                selected.get(match.section()).add(match.row());
                group.selectedNow++;
                selectedCount++;
                touched.add(group);
            } else {
                droppedCount++;
            }
        }
        for (Group group : touched) {
            group.selectedCount += group.selectedNow;
            group.selectedNow = 0;
        }
    }

    private boolean isKept(Group group) {
        return group.isBeforeCutoff
                ? group.selectedCount < diversity.groupMax(maxHits)
                : !diversity.isStrict();
    }

    /** Returns the matches of a section that are selected. To be called once, at the end. */
    RowSet selected(int section) {
        return selected.get(section).build();
    }

    /** Returns whether the matches that were taken are limited. */
    boolean isLimited() {
        return selectedCount >= maxHits || droppedCount > 0;
    }

    long selectedCount() {
        return selectedCount;
    }

    /** Returns the number of matches that were left out, although others are not better. */
    long droppedCount() {
        return droppedCount;
    }

    /** Returns the least key that was looked at: the lowest of all, if there are few matches. */
    long least() {
        return selectedCount >= maxHits ? last : Long.MIN_VALUE;
    }
}
