package org.crabro.content.search.group;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupId;
import org.crabro.protocol.grouping.GroupWindow;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.grouping.GroupingSettings;

/** Groups the rows of one thread. */
public final class GroupScan {
    private static final int[] NO_GROUPS = {};

    /** The units of work to assign a row to a group, in addition to evaluating its values. */
    private static final int ROW_UNITS = 16;

    private final GroupingSettings settings;
    private final List<GroupNode> nodes;
    private final RowBatch batch;
    private final GroupBudget budget;
    private int[] roots = NO_GROUPS;
    private long bytes;

    GroupScan(
            GroupingSettings settings,
            BlockScan scan,
            List<GroupNode> nodes,
            int scopes,
            GroupBudget budget,
            WorkMeter work) {
        this.settings = settings;
        this.nodes = List.copyOf(nodes);
        this.budget = budget;
        this.batch =
                new RowBatch(
                        scan,
                        new TextPool(budget::take),
                        scopes,
                        new RowBatch.Spending(work, this::charge));
    }

    /** The kind of rows, which determines the requests that receive them. */
    public enum Rows {
        /** Matching rows, for requests on all matching documents. */
        MATCHES,
        /** All live rows, for requests on all documents. */
        EVERYTHING,
        /** The best matching rows, for requests on a limited number of hits. */
        BEST
    }

    private static boolean accepts(GroupingRequest request, Rows rows) {
        return switch (rows) {
            case EVERYTHING -> request.everything();
            case MATCHES -> !request.everything() && request.documents() < 0;
            case BEST -> !request.everything() && request.documents() >= 0;
        };
    }

    /**
     * Adds rows of the open slice, in their order, to the requests for this kind of rows.
     *
     * @param scores one per row; ignored if no scores are needed
     * @throws org.crabro.content.search.query.QueryRejectedException if the groups exceed the
     *     memory limit
     */
    public void add(Rows kind, int[] rows, int count, double[] scores) {
        for (int i = 0; i < nodes.size(); i++) {
            if (accepts(settings.requests().get(i), kind)) {
                add(i, rows, count, scores, kind != Rows.BEST);
            }
        }
    }

    /** Adds rows to one request, in any order. */
    public void add(int request, int[] rows, int count, double[] scores) {
        add(request, rows, count, scores, false);
    }

    private void add(int request, int[] rows, int count, double[] scores, boolean isAscending) {
        if (count == 0) {
            return;
        }
        if (roots.length < count) {
            roots = new int[count];
        }
        batch.texts.clear();
        batch.begin();
        batch.turn++;
        batch.rows = rows;
        batch.isAscending = isAscending;
        batch.scores = scores;
        batch.count = count;
        batch.spending.work().spend(count, ROW_UNITS);
        GroupNode node = nodes.get(request);
        node.add(batch, roots, 1);
        charge();
    }

    private void charge() {
        long now = 0;
        for (GroupNode node : nodes) {
            now += node.byteSize();
        }
        if (now > bytes) {
            budget.take(now - bytes);
            bytes = now;
        }
    }

    /** Adds the groups of another thread. */
    public void merge(GroupScan that) {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).merge(that.nodes.get(i), new int[1], 1, 1);
        }
        charge();
    }

    /**
     * Returns the root of each request. Groups beyond the limits of lists are included only if the
     * settings require a merge with other results.
     */
    public List<Group<RowHit>> groups() {
        if (!settings.isWhole()) {
            budget.take(nodes.stream().mapToLong(GroupNode::shownBytes).sum());
        }
        var groups = new ArrayList<Group<RowHit>>();
        for (int i = 0; i < nodes.size(); i++) {
            GroupingRequest request = settings.requests().get(i);
            Group<RowHit> root = nodes.get(i).group(new GroupId.Root(), 0, settings.isWhole());
            groups.add(
                    settings.isWhole()
                            ? new GroupWindow(request, ZoneId.of(settings.timeZone()))
                                    .shown(root, request.root(), i)
                            : root);
        }
        return groups;
    }
}
