package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.NearestRows;
import org.crabro.content.search.match.NearestSearch;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.match.TopK;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.ReadPlan;

/** Finds the rows whose vectors are nearest to those of a query, before any row is matched. */
final class NeighborPass {
    private final SearchAttempt attempt;
    private final List<NearestSearch> searches;
    private final boolean[] searched;

    NeighborPass(SearchAttempt attempt) {
        this.attempt = attempt;
        this.searches = attempt.plan().matcher().nearest();
        this.searched = new boolean[attempt.slices().count()];
    }

    /** Searches neighbors in one thread, and keeps the nearest rows of each search. */
    private final class NeighborWorker implements SliceTeam.Worker {
        private final BlockScan scan;
        private final List<TopK> nearest;

        NeighborWorker(BlockScan scan) {
            this.scan = scan;
            this.nearest =
                    searches.stream()
                            .map(search -> new TopK(order(), search.targetHits()))
                            .toList();
        }

        @Override
        public void work(int slice) {
            for (int i = 0; i < searches.size(); i++) {
                scan.open(slice);
                searches.get(i).search(scan, nearest.get(i));
            }
            searched[slice] = true;
        }
    }

    private RowOrder order() {
        List<BlockSlice> slices = attempt.slices().list();
        return RowOrder.smallestFirst(slices);
    }

    SelectedNeighbors run() {
        if (searches.isEmpty()) {
            Arrays.fill(searched, true);
            return new SelectedNeighbors(List.of(), searched);
        }
        SearchScans scans = attempt.scans();
        // If only neighbors can match, matching them takes almost no time. Otherwise it takes about
        // as long as this pass, which leaves half of the time for it.
        long left = attempt.deadline().nanosLeft();
        BooleanSupplier isOver =
                attempt.deadline().isOver(attempt.plan().matcher().isSelective() ? left : left / 2);
        SliceTeam<NeighborWorker> team =
                attempt.passes()
                        .run(
                                "selecting neighbors",
                                attempt.slices(),
                                () -> new NeighborWorker(scans.takeStepping(List.of(), isOver)),
                                isOver,
                                ReadPlan.of(attempt.slices().read()));
        var selected = new ArrayList<NearestRows>();
        for (int i = 0; i < searches.size(); i++) {
            selected.add(merged(i, team.workers()));
        }
        for (NeighborWorker worker : team.workers()) {
            scans.finish(worker.scan);
        }
        attempt.trace().endPhase("neighbors");
        return new SelectedNeighbors(selected, searched);
    }

    private NearestRows merged(int index, List<NeighborWorker> workers) {
        NearestSearch search = searches.get(index);
        TopK nearest =
                TopK.merge(
                        workers.stream().map(worker -> worker.nearest.get(index)).toList(),
                        order(),
                        search.targetHits());
        attempt.trace()
                .add(() ->
                        "nearest in %s where %s: %d rows"
                                .formatted(search.field(), search.conditions(), nearest.size()));
        return NearestRows.of(List.of(nearest), attempt.slices().count());
    }
}
