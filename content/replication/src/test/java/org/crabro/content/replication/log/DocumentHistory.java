package org.crabro.content.replication.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;
import static org.crabro.content.replication.log.Linearizability.NEVER;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.crabro.content.replication.log.Linearizability.Operation;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.Freshness;
import org.crabro.content.storage.store.Notes;
import org.crabro.content.storage.store.RowMaking;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;

/**
 * What clients did to a few documents of replicas: puts, gets, removes and changes. They send an
 * operation again while its outcome is unknown.
 */
public final class DocumentHistory {
    /** The number of documents. */
    public static final int DOCUMENTS = 4;

    private static final int ATTEMPTS = 6;
    private static final WriteReply REFUSED = new WriteReply.ConditionNotMet(true);

    private final Replicas replicas;
    private final Patience patience;
    private final Map<Integer, ConcurrentLinkedQueue<Operation>> operations = new TreeMap<>();
    private final AtomicLong time = new AtomicLong();
    private final AtomicLong stored = new AtomicLong();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    /** The texts that a client has read. */
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    /** By operations whose outcome is unknown, the texts that they write. */
    private final Map<Operation, String> unknown = new ConcurrentHashMap<>();

    /** The replicas that clients use. Called by several threads. */
    public interface Replicas {
        /** Returns the store that probably leads the shard of a document; empty if it is down. */
        Optional<DocumentStore> store(int document, Random random);

        /** Lets other things happen while a row is made, sometimes. */
        void pause(Random random);

        /** Flushes one of the stores. */
        void flush(Random random) throws IOException;
    }

    /**
     * How long a client waits for a reply.
     *
     * @param usual of most operations
     * @param haste of some
     */
    public record Patience(Duration usual, Duration haste) {}

    public DocumentHistory(Replicas replicas, Patience patience) {
        this.replicas = replicas;
        this.patience = patience;
        for (int i = 0; i < DOCUMENTS; i++) {
            operations.put(i, new ConcurrentLinkedQueue<>());
        }
    }

    /** Returns how many writes were acknowledged. */
    public long stored() {
        return stored.get();
    }

    /**
     * Starts a client that does random operations, one after the other.
     *
     * @param number of the client, in its texts
     */
    public Thread client(int number, int count, Random random) {
        return Thread.ofPlatform()
                .name("client-" + number)
                .start(() -> new Client(number, random).run(count));
    }

    /** Starts a client that reads every document once, however often it has to ask. */
    public Thread reader(Random random) {
        var client = new Client(-1, random);
        return Thread.ofPlatform().name("reader").start(client::readAll);
    }

    /** Fails if a client failed, or a document's history is not linearizable. */
    public void check(String seed) {
        if (!failures.isEmpty()) {
            throw new AssertionError(seed, failures.peek());
        }
        operations.forEach((document, of) ->
                assertThat(Linearizability.holds(of.stream().filter(this::counts).toList(), ""))
                        .as(
                                "%s, document %d: %s",
                                seed, document, of.stream().map(DocumentHistory::shown).toList())
                        .isTrue());
    }

    private static String shown(Operation operation) {
        return "%d to %s: %s"
                .formatted(
                        operation.invoked(),
                        operation.returned() == NEVER ? "never" : operation.returned(),
                        operation.text());
    }

    /**
     * Returns whether the history must contain an operation. Each operation writes its own text. If
     * the outcome of an operation is unknown and no client has read its text, the operation may not
     * have been carried out.
     */
    private boolean counts(Operation operation) {
        String text = unknown.getOrDefault(operation, "");
        return text.isEmpty() || seen.contains(text);
    }

    /** Returns the texts of all documents; empty ones of those that do not exist. */
    public static Map<Integer, String> texts(DocumentStore store) {
        var texts = new TreeMap<Integer, String>();
        for (int i = 0; i < DOCUMENTS; i++) {
            texts.put(i, text(store, i));
        }
        return texts;
    }

    private static DocumentId id(int document) {
        return Notes.plain(document);
    }

    /**
     * Returns a row of one of two types, as an application makes it whose model is active on this
     * store. The other stores get the type from the log.
     */
    private static Write.Row row(DocumentStore store, int document, String text) {
        DocumentType type = text.hashCode() % 3 == 0 ? Notes.LATER_TYPE : Notes.TYPE;
        try {
            store.keep(type, SearchedTexts.NONE);
        } catch (IOException _) {
            // The store was closed, or its files are lost in a crash: the write fails too.
        }
        return Notes.write(id(document), text, type);
    }

    /** Returns the partition of a document. */
    public static int partition(int document) {
        return Notes.PARTITIONS.of(id(document).location());
    }

    private static String text(DocumentStore store, int document) {
        return Notes.text(store, id(document));
    }

    /** Does random operations, one after the other. */
    private final class Client {
        private final int number;
        private final Random random;
        private final long session;

        /** The text that this client has read last, by document. */
        private final String[] last = new String[DOCUMENTS];

        private int made;
        private long operation;

        Client(int number, Random random) {
            this.number = number;
            this.random = random;
            this.session = random.nextLong();
            Arrays.fill(last, "");
        }

        void run(int count) {
            try {
                int done = 0;
                while (done < count) {
                    int document = random.nextInt(DOCUMENTS);
                    made++;
                    if (random.nextInt(8) == 0) {
                        replicas.flush(random);
                    }
                    boolean isDone =
                            switch (random.nextInt(11)) {
                                case 9, 10 -> compare(document);
                                case 8 -> batch();
                                case 0, 1 -> put(document, "%d-%d".formatted(number, made));
                                case 2 -> put(document, "");
                                case 3, 4, 5 -> change(document);
                                default -> get(document);
                            };
                    done += isDone ? 1 : 0;
                }
            } catch (IOException | RuntimeException | Error e) {
                failures.add(e);
            }
        }

        void readAll() {
            try {
                for (int document = 0; document < DOCUMENTS; document++) {
                    int read = document;
                    await().atMost(ONE_MINUTE)
                            .pollDelay(Duration.ZERO)
                            .pollInterval(ONE_MILLISECOND)
                            .pollInSameThread()
                            .until(() -> get(read));
                }
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
        }

        private boolean put(int document, String text) {
            long invoked = time.incrementAndGet();
            Optional<WriteReply> reply =
                    send(
                            document,
                            (store, operation) -> {
                                Write.Row write = row(store, document, text);
                                return Optional.of(
                                        store.write(write, Optional.of(operation), patience()));
                            });
            return reply.isPresent()
                    && note(
                            document,
                            new Operation("put " + text, invoked, NEVER, _ -> Optional.of(text)),
                            text,
                            reply.get());
        }

        /** Writes some documents together. */
        private boolean batch() {
            List<Integer> written = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                if (random.nextBoolean()) {
                    written.add(i);
                }
            }
            if (written.isEmpty()) {
                return false;
            }
            long invoked = time.incrementAndGet();
            List<Optional<WriteReply>> replies = sendBatch(written);
            boolean isDone = false;
            for (int i = 0; i < written.size(); i++) {
                String text = "%d-%d-%d".formatted(number, made, written.get(i));
                if (replies.get(i).isPresent()) {
                    isDone |=
                            note(
                                    written.get(i),
                                    new Operation(
                                            "put " + text, invoked, NEVER, _ -> Optional.of(text)),
                                    text,
                                    replies.get(i).get());
                }
            }
            return isDone;
        }

        /** Returns the reply to each write, or nothing if nothing was written. */
        private List<Optional<WriteReply>> sendBatch(List<Integer> written) {
            List<Optional<WriteReply>> replies =
                    new ArrayList<>(Collections.nCopies(written.size(), Optional.empty()));
            var first = new OperationId(session, operation + 1, operation + 1, false);
            operation += written.size();
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                int asked = written.get(random.nextInt(written.size()));
                Optional<DocumentStore> store = replicas.store(asked, random);
                if (store.isEmpty()) {
                    continue;
                }
                List<Write.Row> writes = new ArrayList<>();
                List<OperationId> ids = new ArrayList<>();
                for (int document : written) {
                    String text = "%d-%d-%d".formatted(number, made, document);
                    ids.add(first.after(writes.size()));
                    writes.add(row(store.get(), document, text));
                }
                List<WriteReply> answers = store.get().write(writes, ids, patience());
                for (int i = 0; i < answers.size(); i++) {
                    WriteReply answer = answers.get(i);
                    boolean isStored =
                            replies.get(i).filter(WriteReply.Stored.class::isInstance).isPresent();
                    if (answer instanceof WriteReply.Stored || (isUnknown(answer) && !isStored)) {
                        replies.set(i, Optional.of(answer));
                    }
                }
                first = first.again();
            }
            return replies;
        }

        /** Replaces a text by one that depends on it: no other change comes between. */
        private boolean change(int document) {
            long invoked = time.incrementAndGet();
            String to = "%d-%d".formatted(number, made);
            // One of these, if it was sent several times.
            var from = new HashSet<String>();
            Optional<WriteReply> reply =
                    send(
                            document,
                            (store, operation) -> change(store, document, to, from, operation));
            return reply.isPresent()
                    && note(
                            document,
                            new Operation(
                                    "change %s to %s".formatted(from, to),
                                    invoked,
                                    NEVER,
                                    value ->
                                            from.contains(value)
                                                    ? Optional.of(to)
                                                    : Optional.empty()),
                            to,
                            reply.get());
        }

        /** Replaces a text if it is the expected one; otherwise the write is refused. */
        private boolean compare(int document) {
            long invoked = time.incrementAndGet();
            String to = "%d-%d".formatted(number, made);
            String expected = last[document];
            Optional<WriteReply> reply =
                    send(
                            document,
                            (store, operation) ->
                                    make(
                                            store,
                                            document,
                                            before ->
                                                    before.equals(expected)
                                                            ? RowMaking.Made.row(
                                                                    row(store, document, to)
                                                                            .bytes(),
                                                                    true)
                                                            : RowMaking.Made.nothing(REFUSED),
                                            operation));
            if (reply.isEmpty()) {
                return false;
            }
            boolean isRefused = reply.get().equals(REFUSED);
            return note(
                    document,
                    new Operation(
                            "%s %s to %s".formatted(isRefused ? "is not" : "compare", expected, to),
                            invoked,
                            NEVER,
                            value ->
                                    value.equals(expected) == isRefused
                                            ? Optional.empty()
                                            : Optional.of(isRefused ? value : to)),
                    to,
                    reply.get());
        }

        private Optional<WriteReply> change(
                DocumentStore store,
                int document,
                String to,
                Set<String> from,
                OperationId operation) {
            return make(
                    store,
                    document,
                    before -> {
                        from.add(before);
                        return RowMaking.Made.row(row(store, document, to).bytes(), true);
                    },
                    operation);
        }

        /** Writes what is made of the stored text. */
        private Optional<WriteReply> make(
                DocumentStore store,
                int document,
                Function<String, RowMaking.Made> making,
                OperationId operation) {
            try {
                return Optional.of(
                        store.write(
                                partition(document),
                                id(document),
                                true,
                                () -> {
                                    String before = text(store, document);
                                    seen.add(before);
                                    replicas.pause(random);
                                    return making.apply(before);
                                },
                                Optional.of(operation),
                                patience()));
            } catch (IllegalStateException | TimeoutException _) {
                // The store was closed before a row was made.
                return Optional.empty();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Sends an operation; returns the reply, or nothing if nothing was written. */
        private interface Sending {
            Optional<WriteReply> to(DocumentStore store, OperationId operation);
        }

        /** Sends an operation again while its outcome is unknown, a few times. */
        private Optional<WriteReply> send(int document, Sending sending) {
            operation++;
            var id = new OperationId(session, operation, operation, false);
            Optional<WriteReply> unknown = Optional.empty();
            for (int i = 0; i < ATTEMPTS; i++) {
                OperationId sent = id;
                Optional<WriteReply> reply =
                        replicas.store(document, random).flatMap(store -> sending.to(store, sent));
                boolean isRefused = reply.isPresent() && reply.get().equals(REFUSED);
                if ((reply.isPresent() && reply.get() instanceof WriteReply.Stored)
                        || (isRefused && unknown.isEmpty())) {
                    return reply;
                }
                if (reply.isPresent() && isUnknown(reply.get())) {
                    unknown = reply;
                    id = id.again();
                } else if (unknown.isEmpty()) {
                    return Optional.empty();
                }
            }
            return unknown;
        }

        private static boolean isUnknown(WriteReply reply) {
            return reply instanceof WriteReply.TimedOut
                    || reply instanceof WriteReply.OutcomeUnknown
                    || reply instanceof WriteReply.Failed;
        }

        private Deadline patience() {
            return Deadline.after(random.nextInt(3) == 0 ? patience.haste() : patience.usual());
        }

        boolean get(int document) {
            Optional<DocumentStore> asked = replicas.store(document, random);
            if (asked.isEmpty()) {
                return false;
            }
            DocumentStore store = asked.get();
            long invoked = time.incrementAndGet();
            String text;
            try {
                if (store.awaitCurrent(List.of(partition(document)), patience())
                        != Freshness.CURRENT) {
                    return false;
                }
                text = text(store, document);
            } catch (IllegalStateException _) {
                // The store was closed.
                return false;
            }
            seen.add(text);
            last[document] = text;
            add(
                    document,
                    new Operation(
                            "get " + text,
                            invoked,
                            time.incrementAndGet(),
                            value -> value.equals(text) ? Optional.of(text) : Optional.empty()));
            return true;
        }

        private boolean note(int document, Operation operation, String written, WriteReply reply) {
            if (isUnknown(reply)) {
                unknown.put(operation, written);
                add(document, operation);
            } else {
                if (reply instanceof WriteReply.Stored) {
                    stored.incrementAndGet();
                }
                add(
                        document,
                        new Operation(
                                operation.text(),
                                operation.invoked(),
                                time.incrementAndGet(),
                                operation.effect()));
            }
            return true;
        }

        private void add(int document, Operation operation) {
            ConcurrentLinkedQueue<Operation> of = operations.get(document);
            if (of != null) {
                of.add(operation);
            }
        }
    }
}
