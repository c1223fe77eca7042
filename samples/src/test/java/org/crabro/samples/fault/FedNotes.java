package org.crabro.samples.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import tools.jackson.databind.JsonNode;

/**
 * Notes that were fed to a server that fails, and what is known of each: a server that starts on
 * the same data must have every version that was acknowledged, or one that was sent after it.
 */
final class FedNotes {
    private static final int WORDS_MAX = 2_000;
    private static final int WRITERS = 4;
    private static final int IDS_PER_WRITER = 40;
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final long seed;
    private final Map<String, State> states = new ConcurrentHashMap<>();
    private final AtomicInteger versions = new AtomicInteger();
    private volatile boolean isPowerCut;
    private int feedings;

    /**
     * What is known of a note.
     *
     * @param version of the last acknowledged put; 0 where there was none, or a remove was the last
     * @param attempted what was sent since and not acknowledged: 0 for a remove, else a version
     */
    private record State(int version, Set<Integer> attempted) {
        static final State NONE = new State(0, Set.of());

        State attempting(int next) {
            var more = new TreeSet<>(attempted);
            more.add(next);
            return new State(version, more);
        }
    }

    FedNotes(long seed) {
        this.seed = seed;
    }

    static void deploy(Http http, URI config) throws IOException, InterruptedException {
        Http.Answer answer =
                http.post(
                        config.resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        NotesApplication.zip());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** Writers that put and remove notes until they are stopped or the server is gone. */
    final class Feeding implements AutoCloseable {
        private final URI container;
        private final String parameters;
        private final Http http = new Http();
        private final List<Thread> writers = new ArrayList<>();
        private final List<Throwable> failures = new ArrayList<>();
        private final Map<Integer, Integer> answers = new TreeMap<>();
        private boolean isStopped;

        private Feeding(URI container, String parameters) {
            this.container = container;
            this.parameters = parameters;
        }

        private void start() {
            feedings++;
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                var random = new Random(seed + 31L * feedings + 7L * i);
                writers.add(Thread.ofVirtual().start(() -> write(writer, random)));
            }
        }

        private void write(int writer, Random random) {
            try {
                while (!isStopped()) {
                    // Ids are a writer's own, so that what is attempted last is known.
                    int id = writer * IDS_PER_WRITER + random.nextInt(IDS_PER_WRITER);
                    write(path(id), random.nextInt(5) > 0, random);
                }
            } catch (IOException _) {
                // The server is gone, or its answer: what was sent may be stored.
            } catch (InterruptedException | RuntimeException | AssertionError e) {
                synchronized (this) {
                    failures.add(e);
                    notifyAll();
                }
            }
        }

        private void write(String path, boolean isPut, Random random)
                throws IOException, InterruptedException {
            int version = isPut ? versions.incrementAndGet() : 0;
            states.merge(
                    path, State.NONE.attempting(version), (state, _) -> state.attempting(version));
            URI address = container.resolve(path + parameters);
            Http.Answer answer =
                    isPut
                            ? http.post(address, note(version, WORDS_MAX, random))
                            : http.delete(address);
            if (answer.status() == 200 && !isPowerCut) {
                states.put(path, new State(version, Set.of()));
            }
            synchronized (this) {
                answers.merge(answer.status(), 1, Integer::sum);
                notifyAll();
            }
        }

        private synchronized boolean isStopped() {
            return isStopped;
        }

        /** Returns how many requests were answered with {@code status}. */
        synchronized int count(int status) {
            return answers.getOrDefault(status, 0);
        }

        /** Returns how many requests were not answered with 200. */
        synchronized int refused() {
            return answers.values().stream().mapToInt(Integer::intValue).sum() - count(200);
        }

        synchronized Map<Integer, Integer> answers() {
            return new TreeMap<>(answers);
        }

        /** Waits until {@code count} requests more were answered with {@code status}. */
        Feeding await(int status, int count) throws InterruptedException {
            int least = count(status) + count;
            return await(() -> count(status) >= least, status + " answered " + least + " times");
        }

        synchronized Feeding await(BooleanSupplier condition, String what)
                throws InterruptedException {
            long end = System.nanoTime() + WAIT_NANOS;
            while (!condition.getAsBoolean()) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0 || !failures.isEmpty()) {
                    throw new AssertionError(
                            "waited for %s, found %s and %s, seed %d"
                                    .formatted(what, answers, failures, seed));
                }
                wait(left);
            }
            return this;
        }

        /** Ends all writers and waits for them. */
        @Override
        public void close() {
            synchronized (this) {
                isStopped = true;
            }
            try {
                for (Thread writer : writers) {
                    writer.join();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            http.close();
            assertThat(failures).isEmpty();
        }
    }

    /** Begins to feed. */
    Feeding feed(URI container) {
        return feed(container, "");
    }

    /**
     * Begins to feed.
     *
     * @param parameters of each request, with a question mark, or empty
     */
    Feeding feed(URI container, String parameters) {
        var feeding = new Feeding(container, parameters);
        isPowerCut = false;
        feeding.start();
        return feeding;
    }

    /**
     * Tells that the power is cut now. Answers from now on acknowledge nothing: while Linux ends a
     * file system, {@code fdatasync} can return 0 for bytes that are lost. With a real power cut no
     * such answer would be sent.
     */
    void powerIsCut() {
        isPowerCut = true;
    }

    /** Returns the path of a note; every second one is in a group. */
    static String path(int id) {
        return id % 2 == 0
                ? "/document/v1/test/note/group/person" + id % 10 + "/" + id
                : "/document/v1/test/note/docid/" + id;
    }

    /** Returns a note with fewer than {@code wordsMax} words. */
    static JsonNode note(int version, int wordsMax, Random random) {
        var document = Http.JSON.createObjectNode();
        document.putObject("fields")
                .put("version", version)
                .put("text", "note " + "word ".repeat(random.nextInt(wordsMax)));
        return document;
    }

    /** Compares every note, and the search for all of them, with what was acknowledged. */
    void check(Http http, URI container) throws IOException, InterruptedException {
        assertThat(states).isNotEmpty();
        int live = 0;
        for (Map.Entry<String, State> entry : states.entrySet()) {
            int actual = version(http.get(container.resolve(entry.getKey())));
            State state = entry.getValue();
            assertThat(state.attempting(state.version()).attempted())
                    .as("version of %s, seed %d", entry.getKey(), seed)
                    .contains(actual);
            entry.setValue(new State(actual, Set.of()));
            live += actual == 0 ? 0 : 1;
        }
        Http.Answer everything =
                http.get(
                        container.resolve(
                                "/search/?yql=select+*+from+note+where+true"
                                        + "&streaming.selection=true&hits=400&timeout=30s"));
        assertThat(everything.status()).as(everything.toString()).isEqualTo(200);
        JsonNode root = everything.body().get("root");
        var ids = new ArrayList<String>();
        root.path("children").forEach(hit -> ids.add(hit.get("id").asString()));
        assertThat(root.at("/fields/totalCount").asInt()).isEqualTo(live);
        assertThat(ids).hasSize(live).doesNotHaveDuplicates();
    }

    private static int version(Http.Answer answer) {
        return switch (answer.status()) {
            case 200 -> answer.body().get("fields").get("version").asInt();
            case 404 -> 0;
            default -> throw new AssertionError(answer.toString());
        };
    }

    /** Reads some notes: the server serves them, whatever becomes of writes. */
    void readSome(Http http, URI container, int count) throws IOException, InterruptedException {
        for (String path : states.keySet().stream().sorted().limit(count).toList()) {
            assertThat(http.get(container.resolve(path)).status()).as(path).isIn(200, 404);
        }
    }
}
