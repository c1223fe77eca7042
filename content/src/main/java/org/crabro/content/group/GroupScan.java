package org.crabro.content.group;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.crabro.content.match.BlockScan;
import org.crabro.content.query.WorkMeter;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupId;
import org.crabro.protocol.grouping.GroupWindow;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.grouping.GroupingSettings;

/** What one thread makes of the rows that it is given. */
public final class GroupScan {
    private static final int[] NO_GROUPS = {};

    /** The work to put a row into a group, in addition to what its values cost. */
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

    /** Which requests rows are for. */
    public enum Rows {
        /** Those that match: for requests about all of them. */
        MATCHES,
        /** All that are alive: for requests about everything. */
        EVERYTHING,
        /** The best of those that match: for requests about so many. */
        BEST
    }

    private static boolean takes(GroupingRequest request, Rows rows) {
        return switch (rows) {
            case EVERYTHING -> request.everything();
            case MATCHES -> !request.everything() && request.documents() < 0;
            case BEST -> !request.everything() && request.documents() >= 0;
        };
    }

    /**
     * Adds rows of the slice that is open, in their order, to each request that they are for.
     *
     * @param scores one per row; of no meaning where none are needed
     * @throws org.crabro.content.query.QueryRejectedException if there is no memory for more groups
     */
    public void add(Rows kind, int[] rows, int count, double[] scores) {
        for (int i = 0; i < nodes.size(); i++) {
            if (takes(settings.requests().get(i), kind)) {
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

    /** Takes in what another thread has made. */
    public void merge(GroupScan that) {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).merge(that.nodes.get(i), new int[1], 1, 1);
        }
        charge();
    }

    /**
     * Returns the root of each request: what is shown, or all of it where the settings say that it
     * is merged with others.
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
