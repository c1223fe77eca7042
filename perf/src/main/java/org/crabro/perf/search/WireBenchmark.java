package org.crabro.perf.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.crabro.client.cluster.ClusterCommand;
import org.crabro.container.wire.NodeClient;
import org.crabro.container.wire.NodeConnections;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.wire.ContentServer;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.transport.TlsFiles;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import picocli.CommandLine;

/**
 * Queries of a user of 100 vectors and of one of 10,000, and pages of 1 MB, over sockets of the
 * loopback address with and without TLS, against the same requests in one process.
 */
public final class WireBenchmark implements Benchmark {
    private static final int FEW = 100;
    private static final int MANY = 10_000;
    private static final int QUERIES = Scale.of(2_000);
    private static final int PAGES = Scale.of(300);
    private static final int PAGE_BYTES = 1_000_000;
    private static final int CALLERS = 32;
    private static final int WARMING_ROUNDS = 5;
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final NodeIdentity IDENTITY = new NodeIdentity("perf", "node");

    /** A way to the node. */
    private record Way(
            String name,
            Function<SearchRequest, SearchReply> searches,
            Function<VisitRequest, VisitReply> visits,
            Runnable closing) {}

    @Override
    public String name() {
        return "wire";
    }

    @Override
    public String summary() {
        return "queries and pages over sockets, with and without TLS, against one process";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        GeneratedStore store =
                GeneratedStore.open(Files.createDirectory(folder.resolve("data")), 1);
        List<GeneratedStore.User> users =
                List.of(
                        GeneratedStore.users("item", 1, FEW).getFirst(),
                        GeneratedStore.users("item", 1, MANY).getFirst(),
                        GeneratedStore.users("mail", 1, MANY).getFirst());
        store.feed(users);
        ContentNode node = store.node();
        var ways = new ArrayList<Way>();
        ways.add(new Way("in process", node::search, node::visit, () -> {}));
        ways.add(way("over sockets", node, Optional.empty()));
        ways.add(way("with TLS", node, Optional.of(certificates(folder.resolve("tls")))));
        for (int i = 0; i < WARMING_ROUNDS; i++) {
            measure(store, users, ways, new Figures());
        }
        return new Prepared() {
            @Override
            public void measure(Figures figures) throws Exception {
                WireBenchmark.measure(store, users, ways, figures);
            }

            @Override
            public void close() {
                ways.forEach(way -> way.closing.run());
                store.close();
            }
        };
    }

    private static TlsFiles certificates(Path folder) throws IOException {
        int status =
                new CommandLine(new ClusterCommand())
                        .execute(
                                "certificates",
                                NodeAddress.LOOPBACK,
                                "--directory",
                                folder.toString());
        if (status != 0) {
            throw new IOException("no certificates, status " + status);
        }
        return new TlsFiles(
                folder.resolve(NodeAddress.LOOPBACK + "-key.pem"),
                folder.resolve(NodeAddress.LOOPBACK + ".pem"),
                folder.resolve("authority.pem"));
    }

    private static Way way(String name, ContentNode node, Optional<TlsFiles> tls)
            throws IOException {
        CallLimits limits = CallLimits.ofHeap(Runtime.getRuntime().maxMemory());
        ContentServer server =
                ContentServer.start(
                        new NodeAddress(NodeAddress.LOOPBACK, 0), tls, IDENTITY, limits, node);
        NodeClient client = new NodeConnections(tls, limits).connect(server.address(), IDENTITY);
        return new Way(
                name,
                client::search,
                client::visit,
                () -> {
                    client.close();
                    server.close();
                });
    }

    private static void measure(
            GeneratedStore store, List<GeneratedStore.User> users, List<Way> ways, Figures figures)
            throws InterruptedException, ExecutionException {
        for (GeneratedStore.User user : users.subList(0, 2)) {
            double first = 0;
            for (Way way : ways) {
                var times = new Histogram(LONGEST_NANOS, 3);
                for (int i = 0; i < QUERIES; i++) {
                    long begin = System.nanoTime();
                    store.search(user, i, way.searches);
                    times.recordValue(System.nanoTime() - begin);
                }
                double p50 = times.getValueAtPercentile(50) / 1e6;
                first = first == 0 ? p50 : first;
                String what = "%,d vectors, %s: ".formatted(user.documents(), way.name);
                figures.add(what + "p50", "ms", p50);
                figures.add(what + "p99", "ms", times.getValueAtPercentile(99) / 1e6);
                figures.add(what + "p50 more than in process", "ms", p50 - first);
            }
        }
        for (Way way : ways) {
            figures.add(
                    "%d callers, %d vectors, %s".formatted(CALLERS, FEW, way.name),
                    "queries/s",
                    rate(store, users.getFirst(), way));
        }
        double first = 0;
        for (Way way : ways) {
            VisitRequest request = store.visit(users.getLast(), PAGE_BYTES);
            var times = new Histogram(LONGEST_NANOS, 3);
            for (int i = 0; i < PAGES; i++) {
                long begin = System.nanoTime();
                if (!(way.visits.apply(request) instanceof VisitReply.Page page)
                        || page.last().isEmpty()) {
                    throw new IllegalStateException("no page");
                }
                times.recordValue(System.nanoTime() - begin);
            }
            double p50 = times.getValueAtPercentile(50) / 1e6;
            first = first == 0 ? p50 : first;
            figures.add("page of 1 MB, %s: p50".formatted(way.name), "ms", p50);
            figures.add(
                    "page of 1 MB, %s: p50 more than in process".formatted(way.name),
                    "ms",
                    p50 - first);
        }
    }

    private static double rate(GeneratedStore store, GeneratedStore.User user, Way way)
            throws InterruptedException, ExecutionException {
        int count = 5 * QUERIES;
        var next = new AtomicInteger();
        long begin = System.nanoTime();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var ends = new ArrayList<Future<?>>();
            for (int i = 0; i < CALLERS; i++) {
                ends.add(
                        callers.submit(() -> {
                            for (int n = next.getAndIncrement();
                                    n < count;
                                    n = next.getAndIncrement()) {
                                store.search(user, n, way.searches);
                            }
                        }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        return count * 1e9 / (System.nanoTime() - begin);
    }
}
