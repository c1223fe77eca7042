package org.crabro.container.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReply.Found;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;

/**
 * Sends a search to the nodes that lead its partitions, at the same time, and merges their results.
 * Partitions that a node does not lead, or whose node cannot be reached, are searched by the other
 * nodes with replicas. Partitions that no node has searched reduce the coverage of the result.
 */
public final class ReplicatedSearch implements SearchNodes {
    private final PartitionReplicas replicas;
    private final Executor threads;

    /**
     * @param threads run the parts of a search for several nodes, one thread each
     */
    public ReplicatedSearch(PartitionReplicas replicas, Executor threads) {
        this.replicas = replicas;
        this.threads = threads;
    }

    @Override
    public SearchReply search(SearchRequest request) {
        List<Integer> partitions = request.scope().partitions();
        Map<ClusterNodes, List<Integer>> first = firstParts(partitions);
        var search = new Running(request);
        if (first.containsValue(partitions)) {
            SearchReply reply = first.keySet().iterator().next().search().search(request);
            if (!isToRepeat(reply)) {
                return reply;
            }
            search.answered(List.of(), reply);
        } else {
            search.ask(first);
        }
        // The rest of the time is for the results that there are.
        Duration patience = request.header().deadline().remaining().dividedBy(2);
        var attempts = new Attempts(request.header().deadline(), patience);
        int round = 0;
        while (search.isOpen() && (search.hasOthers(round) || attempts.pause())) {
            search.askEach(round);
            round++;
        }
        return search.result();
    }

    private static boolean isToRepeat(SearchReply reply) {
        return reply instanceof SearchReply.WrongOwner || reply instanceof SearchReply.Unavailable;
    }

    /** Returns the partitions of the node that most likely leads them. */
    private Map<ClusterNodes, List<Integer>> firstParts(List<Integer> partitions) {
        Map<ClusterNodes, List<Integer>> parts = new LinkedHashMap<>();
        for (int partition : partitions) {
            List<ClusterNodes> nodes = replicas.of(partition);
            if (!nodes.isEmpty()) {
                parts.computeIfAbsent(nodes.getFirst(), _ -> new ArrayList<>()).add(partition);
            }
        }
        return parts;
    }

    /** A search, and the replies so far. */
    private final class Running {
        private final SearchRequest request;

        /** The partitions without a reply. */
        private final List<Integer> open;

        private final List<Found> replies = new ArrayList<>();

        /** The reply of a node that is the reply to the whole search. */
        private Optional<SearchReply> refusal = Optional.empty();

        private Optional<SearchReply> failed = Optional.empty();

        /** Why partitions are still open. */
        private String reason = "no content node is known to lead them";

        private boolean isLate;

        Running(SearchRequest request) {
            this.request = request;
            this.open = new ArrayList<>(request.scope().partitions());
        }

        /** Returns whether another node may search a partition. */
        boolean isOpen() {
            return !open.isEmpty() && refusal.isEmpty() && !isLate;
        }

        boolean hasOthers(int round) {
            return open.stream().anyMatch(partition -> replicas.of(partition).size() > round);
        }

        /** Asks for each open partition by itself, since a node may lead some of its partitions. */
        void askEach(int round) {
            List<Runnable> calls = new ArrayList<>();
            for (int partition : open) {
                List<ClusterNodes> nodes = replicas.of(partition);
                if (!nodes.isEmpty()) {
                    ClusterNodes next = nodes.get(round % nodes.size());
                    calls.add(() -> ask(next, List.of(partition)));
                }
            }
            Parallel.run(calls, threads);
        }

        void ask(Map<ClusterNodes, List<Integer>> parts) {
            List<Runnable> calls = new ArrayList<>();
            parts.forEach((nodes, partitions) -> calls.add(() -> ask(nodes, partitions)));
            Parallel.run(calls, threads);
        }

        private void ask(ClusterNodes nodes, List<Integer> partitions) {
            answered(partitions, nodes.search().search(part(partitions)));
        }

        private SearchRequest part(List<Integer> partitions) {
            SearchScope scope = request.scope();
            GroupingSettings grouping = request.grouping();
            return new SearchRequest(
                    request.header(),
                    new SearchScope(
                            partitions,
                            scope.documentType(),
                            scope.documents(),
                            scope.atLeast().stream()
                                    .filter(each -> partitions.contains(each.partition()))
                                    .toList()),
                    request.query(),
                    request.hits(),
                    new GroupingSettings(
                            grouping.requests(), grouping.timeZone(), false, grouping.maxBytes()),
                    request.reply());
        }

        private synchronized void answered(List<Integer> partitions, SearchReply reply) {
            switch (reply) {
                case Found part -> {
                    replies.add(part);
                    open.removeAll(partitions);
                }
                case SearchReply.Rejected _, SearchReply.Overloaded _ ->
                        refusal = Optional.of(reply);
                case SearchReply.TimedOut _ -> isLate = true;
                case SearchReply.WrongOwner _ -> {
                    // Another node leads.
                }
                case SearchReply.Unavailable(var why) -> reason = why;
                case SearchReply.Failed(var why) -> {
                    reason = why;
                    failed = Optional.of(reply);
                }
            }
        }

        SearchReply result() {
            if (refusal.isPresent()) {
                return refusal.get();
            }
            if (isLate && (replies.isEmpty() || !request.reply().softTimeout())) {
                return new SearchReply.TimedOut();
            }
            if (replies.isEmpty()) {
                return failed.orElseGet(() -> new SearchReply.Unavailable(reason));
            }
            Found merged = Found.merge(replies, request.hits().sorting(), request.hits().count());
            return new Found(
                    merged.hits(),
                    merged.totalCount(),
                    Found.mergeGroups(
                            replies, request.grouping().requests(), request.hits().sorting()),
                    merged.report().plus(missing(merged.report().coverage())));
        }

        /** Returns what is missing: as many documents as other partitions have on average. */
        private SearchReport missing(Coverage searched) {
            if (open.isEmpty()) {
                return SearchReport.NONE;
            }
            int count = request.scope().partitions().size();
            long total =
                    Math.max(1, searched.total() * open.size() / Math.max(1, count - open.size()));
            String warning =
                    "%d of %d partitions were not searched: %s"
                            .formatted(open.size(), count, reason);
            return new SearchReport(
                    new Coverage(0, total, isLate), QueryCost.NONE, List.of(warning), List.of());
        }
    }
}
