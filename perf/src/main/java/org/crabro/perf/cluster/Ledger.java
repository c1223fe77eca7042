package org.crabro.perf.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.perf.cluster.NoteClient.Answer;
import org.crabro.perf.cluster.NoteClient.Knowledge;
import org.crabro.perf.cluster.NoteClient.NoteOperation;

/**
 * Writes each note once, and remembers those that were acknowledged. Queries check that they find
 * them while they are written.
 */
final class Ledger {
    private final ProcessCluster cluster;

    /** The number of failures whose reason is kept. */
    private static final int REASONS_MAX = 10;

    private final String prefix;
    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
    private final Map<Integer, AtomicLong> statuses = new ConcurrentHashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private final AtomicLong queries = new AtomicLong();
    private final AtomicLong partial = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile boolean isEnding;

    /**
     * @param prefix of the ids, and the text of all notes: one word
     */
    Ledger(ProcessCluster cluster, String prefix) {
        this.cluster = cluster;
        this.prefix = prefix;
    }

    /** Starts to write until {@link #end}, a note after the other. */
    Thread writer(int number, Random random, int pauseMillis) {
        return Thread.ofPlatform()
                .name("ledger-" + number)
                .start(() -> {
                    try (var client = new NoteClient()) {
                        for (int i = 0; !isEnding; i++) {
                            write(client, "%s-%d-%d".formatted(prefix, number, i), random);
                            Thread.sleep(random.nextInt(pauseMillis + 1));
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private void write(NoteClient client, String id, Random random) throws InterruptedException {
        int server = 1 + random.nextInt(ProcessCluster.SERVERS);
        for (int i = 0; i < ProcessCluster.SERVERS; i++) {
            int served = 1 + (server + i) % ProcessCluster.SERVERS;
            Answer answer = client.send(cluster.container(served), NoteOperation.put(id, prefix));
            if (answer.knowledge() == Knowledge.NOTHING && answer.status() == 0) {
                continue;
            }
            statuses.computeIfAbsent(answer.status(), _ -> new AtomicLong()).incrementAndGet();
            if (answer.status() == 200) {
                acknowledged.put(id, i);
            } else {
                note("write to", served, answer.toString());
            }
            return;
        }
    }

    /** Starts to query until {@link #end}. */
    Thread reader(Random random, int pauseMillis) {
        return Thread.ofPlatform()
                .name("ledger-queries")
                .start(() -> {
                    try {
                        while (!isEnding) {
                            query(random);
                            Thread.sleep(random.nextInt(pauseMillis + 1));
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private void query(Random random) throws InterruptedException {
        int server = 1 + random.nextInt(ProcessCluster.SERVERS);
        long before = acknowledged.size();
        for (int i = 0; i < ProcessCluster.SERVERS; i++) {
            int served = 1 + (server + i) % ProcessCluster.SERVERS;
            try {
                String state =
                        cluster.get(
                                cluster.container(served)
                                        .resolve(new NoteQuery(prefix).path(10_000)),
                                Duration.ofSeconds(15));
                queries.incrementAndGet();
                if (!NoteQuery.isComplete(state)) {
                    partial.incrementAndGet();
                    note("query to", served, state);
                } else if (NoteQuery.count(state) < before) {
                    synchronized (wrong) {
                        wrong.add("%d notes were acknowledged before %s".formatted(before, state));
                    }
                }
                return;
            } catch (ConnectException _) {
                // Another server answers.
            } catch (IOException e) {
                failed.incrementAndGet();
                note("query to", served, e.toString());
                return;
            }
        }
    }

    private void note(String what, int server, String answer) {
        synchronized (reasons) {
            if (reasons.size() < REASONS_MAX) {
                reasons.add("%s n%d: %s".formatted(what, server, answer));
            }
        }
    }

    /** Returns the answers to the first operations that failed. */
    List<String> reasons() {
        synchronized (reasons) {
            return List.copyOf(reasons);
        }
    }

    /** Lets writers and readers end. */
    void end() {
        isEnding = true;
    }

    /** Returns the ids of the notes that are acknowledged by now. */
    Set<String> ids() {
        Set<String> ids = new HashSet<>();
        acknowledged.keySet().forEach(each -> ids.add("id:faults:note::" + each));
        return ids;
    }

    /** Returns the number of acknowledged writes. */
    int acknowledged() {
        return acknowledged.size();
    }

    /** Returns the number of queries that failed or had less than full coverage. */
    long incompleteQueries() {
        return partial.get() + failed.get();
    }

    /** Returns the number of writes that were not acknowledged. */
    long failedWrites() {
        return statuses.entrySet().stream()
                .filter(each -> each.getKey() != 200)
                .mapToLong(each -> each.getValue().get())
                .sum();
    }

    String counts() {
        return "writes by status %s; %d queries, %d without full coverage, %d failed"
                .formatted(new TreeMap<>(statuses), queries.get(), partial.get(), failed.get());
    }

    /** Reads all acknowledged notes; returns those that are lost, and the wrong queries. */
    List<String> check() throws InterruptedException {
        List<String> problems;
        synchronized (wrong) {
            problems = new ArrayList<>(wrong);
        }
        try (var client = new NoteClient()) {
            int next = 0;
            for (String id : acknowledged.keySet()) {
                next++;
                Answer answer =
                        client.send(
                                cluster.container(1 + next % ProcessCluster.SERVERS),
                                NoteOperation.get(id));
                if (answer.status() != 200) {
                    problems.add("%s was acknowledged: %s".formatted(id, answer));
                }
            }
        }
        return problems;
    }
}
