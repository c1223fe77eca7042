package org.crabro.perf.cluster;

import static org.crabro.content.replication.log.Linearizability.NEVER;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.content.replication.log.Linearizability;
import org.crabro.content.replication.log.Linearizability.Operation;
import org.crabro.perf.cluster.NoteClient.Answer;
import org.crabro.perf.cluster.NoteClient.Knowledge;
import org.crabro.perf.cluster.NoteClient.NoteOperation;

/**
 * What clients did to a few notes over HTTP: puts, gets, removes, changes with a condition, and
 * increments. The value of a note is its text and its count, and empty if it does not exist.
 */
final class NoteHistory {
    private static final int NOTES = 4;
    private static final int PAUSE_MILLIS = 120;

    /** Checks need about a level of the stack for each operation. */
    private static final long STACK_BYTES = 1L << 30;

    private static final Duration CHECK_TIME = Duration.ofMinutes(2);

    private static final Pattern TEXT = Pattern.compile("\"text\"\\s*:\\s*\"([^\"]*)\"");
    private static final Pattern COUNT = Pattern.compile("\"count\"\\s*:\\s*(-?\\d+)");

    private final ProcessCluster cluster;
    private final String prefix;
    private final List<ConcurrentLinkedQueue<Operation>> operations = new ArrayList<>();
    private final AtomicLong time = new AtomicLong();
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private volatile boolean isEnding;

    /**
     * @param prefix of the ids, so that the notes are new
     */
    NoteHistory(ProcessCluster cluster, String prefix) {
        this.cluster = cluster;
        this.prefix = prefix;
        for (int i = 0; i < NOTES; i++) {
            operations.add(new ConcurrentLinkedQueue<>());
        }
    }

    /** Returns the numbers of operations with each kind of outcome. */
    String counts() {
        return "%d done, %d unknown, %d refused"
                .formatted(stored.get(), unknown.get(), refused.get());
    }

    /** Starts a client that does random operations until {@link #end}. */
    Thread client(int number, Random random) {
        return Thread.ofPlatform()
                .name("client-" + number)
                .start(() -> {
                    try (var client = new NoteClient()) {
                        var one = new Client(client, number, random);
                        while (!isEnding) {
                            one.step();
                            Thread.sleep(random.nextInt(PAUSE_MILLIS));
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    /** Lets the clients end after their current operation. */
    void end() {
        isEnding = true;
    }

    /**
     * Reads each note over each server.
     *
     * @return the notes that could not be read
     */
    List<String> readAll() throws InterruptedException {
        List<String> unread = new ArrayList<>();
        try (var client = new NoteClient()) {
            var reader = new Client(client, 0, new Random(0));
            for (int note = 0; note < NOTES; note++) {
                for (int server = 1; server <= ProcessCluster.SERVERS; server++) {
                    Optional<String> failure = reader.get(note, server);
                    if (failure.isPresent()) {
                        unread.add("n%d, %s: %s".formatted(server, id(note), failure.get()));
                    }
                }
            }
        }
        return unread;
    }

    private String id(int note) {
        return prefix + "-" + note;
    }

    /** Returns the notes whose history is not linearizable, or was not decided in time. */
    List<String> check() throws InterruptedException {
        List<String> wrong = new ArrayList<>();
        for (int note = 0; note < NOTES; note++) {
            // The search tries known operations first, in the order in which they ended.
            List<Operation> sorted =
                    operations.get(note).stream()
                            .sorted(Comparator.comparingLong(Operation::returned))
                            .toList();
            var verdict = new ConcurrentLinkedQueue<Boolean>();
            Thread checking =
                    new Thread(
                            null,
                            () -> verdict.add(Linearizability.holds(sorted, "")),
                            "check",
                            STACK_BYTES);
            checking.setDaemon(true);
            checking.start();
            checking.join(CHECK_TIME);
            if (!Boolean.TRUE.equals(verdict.peek())) {
                wrong.add(
                        "%s is %s:\n%s"
                                .formatted(
                                        id(note),
                                        verdict.isEmpty() ? "not decided" : "not linearizable",
                                        text(sorted)));
            }
        }
        return wrong;
    }

    private static String text(List<Operation> sorted) {
        var text = new StringBuilder();
        for (Operation each : sorted) {
            String end = each.returned() == NEVER ? "never" : Long.toString(each.returned());
            text.append("  %d to %s: %s%n".formatted(each.invoked(), end, each.text()));
        }
        return text.toString();
    }

    private static Optional<String> unless(boolean isContradiction, String value) {
        return isContradiction ? Optional.empty() : Optional.of(value);
    }

    private static String textOf(String value) {
        return value.isEmpty() ? "" : value.substring(0, value.indexOf('|'));
    }

    private static String incremented(String value) {
        int bar = value.indexOf('|');
        return value.substring(0, bar + 1) + (Long.parseLong(value.substring(bar + 1)) + 1);
    }

    /** Returns whether an update found no document. */
    private static boolean isMissing(Answer answer) {
        return answer.body().contains("\"notFound\":true");
    }

    /** Returns the value in the answer to a get. */
    private static String value(Answer answer) {
        if (answer.status() == 404) {
            return "";
        }
        Matcher text = TEXT.matcher(answer.body());
        Matcher count = COUNT.matcher(answer.body());
        if (!text.find() || !count.find()) {
            throw new IllegalStateException("no note: " + answer);
        }
        return text.group(1) + "|" + count.group(1);
    }

    /** Does operations, one after the other. */
    private final class Client {
        private final NoteClient client;
        private final int number;
        private final Random random;

        /** The text that this client has read last, by note. */
        private final String[] last = new String[NOTES];

        private int made;

        Client(NoteClient client, int number, Random random) {
            this.client = client;
            this.number = number;
            this.random = random;
            Arrays.fill(last, "");
        }

        void step() throws InterruptedException {
            int note = random.nextInt(NOTES);
            int server = 1 + random.nextInt(ProcessCluster.SERVERS);
            made++;
            String text = "%d-%d".formatted(number, made);
            switch (random.nextInt(12)) {
                case 0, 1 ->
                        write(
                                note,
                                server,
                                NoteOperation.put(id(note), text),
                                answer -> Optional.of(text + "|0"));
                case 2 ->
                        write(
                                note,
                                server,
                                NoteOperation.remove(id(note)),
                                answer -> Optional.of(""));
                case 3, 4, 5 -> change(note, server, text);
                case 6 -> increment(note, server);
                default -> {
                    Optional<String> _ = get(note, server);
                }
            }
        }

        private void change(int note, int server, String text) throws InterruptedException {
            String from = last[note];
            if (from.isEmpty()) {
                Optional<String> _ = get(note, server);
                return;
            }
            long invoked = time.incrementAndGet();
            Answer answer = send(server, NoteOperation.change(id(note), from, text));
            UnaryOperator<String> change = value -> text + value.substring(value.indexOf('|'));
            boolean isRefused = answer.status() == 412 || isMissing(answer);
            Function<String, Optional<String>> effect =
                    isRefused
                            ? value -> unless(textOf(value).equals(from), value)
                            : value ->
                                    textOf(value).equals(from)
                                            ? Optional.of(change.apply(value))
                                            : Optional.empty();
            add(note, "change %s to %s".formatted(from, text), invoked, answer, effect);
        }

        private void increment(int note, int server) throws InterruptedException {
            long invoked = time.incrementAndGet();
            Answer answer = send(server, NoteOperation.increment(id(note)));
            add(
                    note,
                    "increment",
                    invoked,
                    answer,
                    isMissing(answer)
                            ? value -> unless(!value.isEmpty(), value)
                            : value ->
                                    value.isEmpty()
                                            ? Optional.empty()
                                            : Optional.of(incremented(value)));
        }

        private void write(
                int note,
                int server,
                NoteOperation operation,
                Function<String, Optional<String>> effect)
                throws InterruptedException {
            long invoked = time.incrementAndGet();
            add(
                    note,
                    operation.method() + operation.body().map(body -> " " + body).orElse(""),
                    invoked,
                    send(server, operation),
                    effect);
        }

        /** Sends an operation; sometimes the server gives up early. */
        private Answer send(int server, NoteOperation operation) throws InterruptedException {
            return client.send(
                    cluster.container(server),
                    random.nextInt(6) == 0
                            ? operation.withTimeout(Duration.ofMillis(1 + random.nextInt(400)))
                            : operation);
        }

        private void add(
                int note,
                String text,
                long invoked,
                Answer answer,
                Function<String, Optional<String>> effect) {
            if (answer.knowledge() == Knowledge.NOTHING) {
                refused.incrementAndGet();
                return;
            }
            boolean isDone = answer.knowledge() == Knowledge.DONE;
            (isDone ? stored : unknown).incrementAndGet();
            operations
                    .get(note)
                    .add(
                            new Operation(
                                    "client %d: %s, %d".formatted(number, text, answer.status()),
                                    invoked,
                                    isDone ? time.incrementAndGet() : NEVER,
                                    effect));
        }

        /** Reads a note; returns why that failed. */
        Optional<String> get(int note, int server) throws InterruptedException {
            long invoked = time.incrementAndGet();
            Answer answer = client.send(cluster.container(server), NoteOperation.get(id(note)));
            if (answer.status() != 200 && answer.status() != 404) {
                refused.incrementAndGet();
                return Optional.of(answer.toString());
            }
            String stored = value(answer);
            last[note] = textOf(stored);
            add(
                    note,
                    "get '%s'".formatted(stored),
                    invoked,
                    answer,
                    value -> unless(!value.equals(stored), value));
            return Optional.empty();
        }
    }
}
