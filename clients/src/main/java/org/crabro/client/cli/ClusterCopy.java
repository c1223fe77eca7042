package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import org.crabro.client.feed.BulkFeeder;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.client.feed.LineStream;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.terminal.ProgressLine;
import org.crabro.client.terminal.TerminalOutput;
import org.crabro.client.visit.ClientVisit;
import org.crabro.client.visit.VisitClient;
import tools.jackson.databind.JsonNode;

/**
 * Copies documents of a content cluster from one server to another, which has a cluster of the same
 * name.
 */
public final class ClusterCopy {
    private static final int SLICES = 4;

    private final ServerAccess from;
    private final ServerAccess to;
    private final String cluster;

    /**
     * @param cluster the name of the content cluster on both servers
     */
    public ClusterCopy(ServerAccess from, ServerAccess to, String cluster) {
        this.from = from;
        this.to = to;
        this.cluster = cluster;
    }

    /**
     * Returns whether the receiving cluster has no document.
     *
     * @throws IOException if the server does not answer, or has no such cluster
     */
    public boolean isTargetEmpty() throws IOException, InterruptedException {
        String first =
                "/document/v1/?wantedDocumentCount=1&cluster=" + ClientVisit.encoded(cluster);
        try (var calls = new ServerCalls(to)) {
            JsonNode page = calls.get(to.address().resolve(first));
            while (page.path("documents").isEmpty() && page.has("continuation")) {
                String next = ClientVisit.encoded(page.path("continuation").asString());
                page = calls.get(to.address().resolve(first + "&continuation=" + next));
            }
            return page.path("documents").isEmpty();
        }
    }

    /**
     * Copies all documents; a document that the receiving cluster already has is replaced.
     *
     * @param err where the progress is shown, if it is a terminal
     * @return the counts of the operations on the receiving cluster
     * @throws IOException if the documents cannot be read to their end, or not be sent. Then some
     *     are copied
     */
    public FeedStatistics run(PrintWriter err) throws IOException, InterruptedException {
        var statistics = new FeedStatistics();
        try (var client = new VisitClient(from);
                var lines =
                        new LineStream(
                                VisitingLines.start(
                                        client,
                                        ClientVisit.ofCluster(cluster).withSlices(SLICES)));
                var line = new ProgressLine(err, TerminalOutput.isErr(), "documents", () -> -1);
                var feeder = BulkFeeder.adaptive(to)) {
            feeder.feed(lines, statistics, done -> line.show(done, statistics.errors()));
        }
        return statistics;
    }
}
