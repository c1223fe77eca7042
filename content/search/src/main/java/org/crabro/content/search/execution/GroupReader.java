package org.crabro.content.search.execution;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.crabro.content.search.group.RowHit;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.match.TopK;
import org.crabro.content.search.rank.Scoring;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.search.SearchHit;
import org.jspecify.annotations.Nullable;

/** Turns the rows in groups into hits. */
final class GroupReader {
    private final Function<String, HitReader> readers;
    private final RowOrder order;

    /**
     * @param readers returns the reader for the name of a document summary; an empty name means the
     *     summary of the request
     * @param order the order of hits
     */
    GroupReader(Function<String, HitReader> readers, RowOrder order) {
        this.readers = readers;
        this.order = order;
    }

    /** Returns groups with hits instead of rows, without the hits that cannot be read. */
    List<Group<SearchHit>> read(List<Group<RowHit>> groups, @Nullable Scoring scoring) {
        Map<String, Set<RowHit>> wanted = new HashMap<>();
        groups.forEach(group -> collect(group, wanted));
        Map<RowHit, SearchHit> hits = new HashMap<>();
        if (scoring != null) {
            wanted.forEach((summary, rows) -> read(readers.apply(summary), rows, scoring, hits));
        }
        return groups.stream()
                .map(group -> group.<SearchHit>map(row -> Optional.ofNullable(hits.get(row))))
                .toList();
    }

    private static void collect(Group<RowHit> group, Map<String, Set<RowHit>> into) {
        group.hits()
                .forEach(list ->
                        list.hits()
                                .forEach(hit ->
                                        into.computeIfAbsent(hit.summary(), _ -> new HashSet<>())
                                                .add(hit)));
        group.lists().forEach(list -> list.groups().forEach(each -> collect(each, into)));
    }

    private void read(
            HitReader reader, Set<RowHit> wanted, Scoring scoring, Map<RowHit, SearchHit> into) {
        var all = new TopK(order, wanted.size());
        Map<Long, RowHit> byPlace = new HashMap<>();
        for (RowHit hit : wanted) {
            all.offer(hit.slice(), hit.row(), hit.score());
            byPlace.put(place(hit.slice(), hit.row()), hit);
        }
        TopK sorted = TopK.merge(List.of(all), order, wanted.size());
        @Nullable SearchHit[] hits = reader.readAll(sorted, scoring);
        for (int i = 0; i < hits.length; i++) {
            SearchHit hit = hits[i];
            RowHit row = byPlace.get(place(sorted.slice(i), sorted.row(i)));
            if (hit != null && row != null) {
                into.put(row, hit);
            }
        }
    }

    private static long place(int slice, int row) {
        return (long) slice << 32 | row;
    }
}
