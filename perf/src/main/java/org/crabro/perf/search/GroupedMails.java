package org.crabro.perf.search;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.node.NodePlace;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;

/**
 * Searches of one group of 1,000 mails: of a type in mode {@code index}, which has indexes, against
 * the same mails of a type in mode {@code streaming}.
 */
final class GroupedMails implements AutoCloseable {
    private static final int GROUPS = Math.max(20, Scale.of(100));
    private static final int MAILS = 1_000;
    private static final int WARM_UP_SEARCHES = 4_000;
    private static final int TURNS = 50;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final MailNode node;
    private final List<QueryNode> queries;

    private GroupedMails(MailNode node, List<QueryNode> queries) {
        this.node = node;
        this.queries = queries;
    }

    /**
     * Feeds the mails of both types into one partition, and indexes them.
     *
     * @param queries to be searched in turn
     */
    static GroupedMails feed(Path folder, MailTexts texts, List<QueryNode> queries)
            throws Exception {
        Path data = Files.createDirectory(folder);
        ContentSettings settings =
                MailNode.settings(data)
                        .withPlace(new NodePlace(data, new Partitions(0), Set.of(0), 1))
                        .withIndex(IndexSettings.NONE);
        var grouped = new GroupedMails(MailNode.open(settings, texts), queries);
        for (String type : List.of(MailNode.MAIL, MailNode.LETTER)) {
            grouped.node.feed(
                    GROUPS * MAILS,
                    number -> new DocumentId("perf", type, group(number / MAILS), "m" + number));
        }
        grouped.node.node().index(IndexSettings.DEFAULT);
        for (int i = 0; i < WARM_UP_SEARCHES; i += GROUPS) {
            grouped.seconds(MailNode.MAIL);
            grouped.seconds(MailNode.LETTER);
        }
        return grouped;
    }

    private static LocationKey.Group group(int number) {
        return new LocationKey.Group("u" + number);
    }

    void measure(Figures figures) {
        double indexed = 0;
        double streamed = 0;
        for (int i = 0; i < TURNS; i++) {
            indexed += seconds(MailNode.MAIL);
            streamed += seconds(MailNode.LETTER);
        }
        int count = TURNS * GROUPS;
        figures.add("one group in mode index, ten best", "ms", 1_000 * indexed / count);
        figures.add("one group in mode streaming, ten best", "ms", 1_000 * streamed / count);
        figures.add("one group, index over streaming", "", indexed / streamed);
    }

    /** Returns the processor seconds of this thread for one search of each group. */
    private double seconds(String type) {
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < GROUPS; i++) {
            SearchReply.Found result =
                    node.find(
                            type,
                            new Scope.Group(group(i).name()),
                            queries.get(i % queries.size()),
                            10);
            if (result.report().coverage().documents() != MAILS) {
                throw new IllegalStateException("not all was searched: " + result);
            }
        }
        return (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
    }

    @Override
    public void close() throws IOException {
        node.close();
    }
}
