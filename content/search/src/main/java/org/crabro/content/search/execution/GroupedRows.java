package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.content.search.group.GroupScan;
import org.crabro.content.search.group.RowHit;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.match.TopK;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.ReadPlan;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.grouping.GroupingSettings;

/**
 * The rows that one thread groups. For a request about the best documents, the thread only collects
 * rows. They are grouped after the best rows of all threads are known.
 */
final class GroupedRows {
    private final GroupingSettings settings;
    private final BlockScan scan;
    private final GroupScan groups;
    private final List<BlockSlice> slices;

    /** The best documents by request; without requests about all documents. */
    private final Map<Integer, TopK> best = new HashMap<>();

    GroupedRows(
            GroupingSettings settings, BlockScan scan, GroupScan groups, List<BlockSlice> slices) {
        this.settings = settings;
        this.scan = scan;
        this.groups = groups;
        this.slices = slices;
        for (int i = 0; i < settings.requests().size(); i++) {
            GroupingRequest request = settings.requests().get(i);
            if (!request.everything() && request.documents() >= 0) {
                best.put(i, new TopK(RowOrder.largestFirst(slices), request.documents()));
            }
        }
    }

    /** Adds all rows of the open slice to requests about everything. */
    void addEverything() {
        if (settings.needsEverything()) {
            int count = scan.live();
            double[] scores = scan.borrowNumbers();
            Arrays.fill(scores, 0, count, 0);
            groups.add(GroupScan.Rows.EVERYTHING, scan.rows(), count, scores);
            scan.giveBack(scores);
        }
    }

    /** Adds rows of the open slice that match. */
    void add(int[] rows, int count, double[] scores) {
        groups.add(GroupScan.Rows.MATCHES, rows, count, scores);
        int slice = scan.index();
        for (TopK each : best.values()) {
            for (int i = 0; i < count; i++) {
                each.offer(slice, rows[i], scores[i]);
            }
        }
    }

    /** Adds the groups of another thread. */
    void merge(GroupedRows that) {
        groups.merge(that.groups);
        best.replaceAll((request, own) ->
                TopK.merge(
                        List.of(own, that.best.getOrDefault(request, own)),
                        RowOrder.largestFirst(slices),
                        settings.requests().get(request).documents()));
    }

    /** Returns whether some rows are collected and not yet grouped. */
    boolean hasBest() {
        return !best.isEmpty();
    }

    /** Returns the worker that groups the collected rows, slice by slice. */
    SliceTeam.Worker bestWorker() {
        Map<Integer, List<Place>> bySlice = new HashMap<>();
        best.forEach((request, rows) -> {
            for (int i = 0; i < rows.size(); i++) {
                bySlice.computeIfAbsent(rows.slice(i), _ -> new ArrayList<>())
                        .add(new Place(request, rows.row(i), rows.value(i)));
            }
        });
        return slice -> {
            List<Place> places = bySlice.getOrDefault(slice, List.of());
            if (!places.isEmpty()) {
                scan.open(slice);
                best.keySet().forEach(request -> add(request, places));
            }
        };
    }

    private record Place(int request, int row, double score) {}

    private void add(int request, List<Place> places) {
        List<Place> own =
                places.stream()
                        .filter(place -> place.request == request)
                        .sorted((a, b) -> Integer.compare(a.row, b.row))
                        .toList();
        groups.add(
                request,
                own.stream().mapToInt(Place::row).toArray(),
                own.size(),
                own.stream().mapToDouble(Place::score).toArray());
    }

    /** Returns the reads of grouping the collected rows: only of slices with such rows. */
    ReadPlan bestReads(BlockProjection parts) {
        return SliceSubsetReads.of(parts, best.values());
    }

    List<Group<RowHit>> groups() {
        return groups.groups();
    }
}
