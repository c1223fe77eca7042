package org.crabro.content.replication.log;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.crabro.content.replication.log.ShardEntry.EntryRow;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.commit.Proposal;
import org.crabro.content.storage.commit.Proposal.Outcome;
import org.crabro.content.storage.commit.RowProposal;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.OperationId;

/**
 * The journal of a shard with replicas. Its rows are entries of a {@link ConsensusLog}, which each
 * replica applies in the same order.
 *
 * <p>Which entries count:
 *
 * <ul>
 *   <li>A replica that leads a new term appends an entry that begins the term. It accepts rows once
 *       it has applied this entry: then it has all rows of earlier terms, and reads the newest
 *       version of each document.
 *   <li>An entry names the term in which its rows were made. If the log gives it another term, no
 *       replica applies it. So rows that were made of outdated reads have no effect, even if their
 *       replica leads again.
 *   <li>Once an entry of a later term is committed, entries of earlier terms that are not never
 *       will be. Only then do their writers hear that nothing was written.
 *   <li>The type of a row is in the log before the row, so that each replica has it.
 *   <li>An operation with an id is carried out once: its rows are applied only if {@link
 *       OperationSessions} do not know it.
 * </ul>
 *
 * <p>The position of a row is {@code base + 65,536 i + n}: the n-th row in the entry with index i.
 *
 * <p>Thread-safe. It has no threads: writers append entries, and the thread of the log applies
 * them. Rows that arrive while {@link #IN_FLIGHT_MAX} entries are under way are appended together.
 */
public final class ReplicatedJournal implements Journal {
    /** Entries that were appended and whose outcome is unknown, at most. */
    static final int IN_FLIGHT_MAX = 8;

    /**
     * An entry gets no more rows once it has this many bytes. G1 handles arrays of 512 KiB and more
     * apart if the heap is small, and collects garbage for them.
     */
    static final int ENTRY_BYTES = 256 << 10;

    private static final int ROW_BITS = 16;

    private final ConsensusLog log;
    private final Applier applier;
    private final JournalSettings settings;
    private final long origin;
    private final long base;

    // Guarded by this.
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final Map<Long, InFlight> inFlight = new HashMap<>();
    private int queuedRows;
    private long queuedBytes;
    private long sequence;
    private int holders;
    private boolean isClosed;

    /** The term that this replica leads and whose begin is not applied yet. */
    private long beginning = NO_TERM;

    /** The highest term of the committed entries. */
    private long newestTerm = NO_TERM;

    private volatile long term = NO_TERM;

    /** After the last applied entry. Guarded by itself, as are the next two. */
    private final OperationSessions sessions;

    /** After the last entry that is forgotten. */
    private final OperationSessions forgotten;

    /** The operations between the two, in the order of their entries. */
    private final OperationQueue changes = new OperationQueue();

    /**
     * The fingerprints of the types that all replicas have after the last applied entry. Guarded by
     * {@link #sessions}.
     */
    private final Set<Long> types;

    /** Readers that wait until an entry is applied. Guarded by itself. */
    private final List<Answer> readers = new ArrayList<>();

    /** Changed under the lock of the readers. */
    private volatile long appliedIndex;

    /**
     * Rows that wait for their outcome.
     *
     * @param news their types that perhaps not all replicas have
     */
    private record Waiting(
            RowProposal proposed, List<DocumentType> news, Proposal proposal, Runnable whenDone) {
        List<byte[]> rows() {
            return proposed.rows();
        }

        long bytes() {
            long bytes = 0;
            for (byte[] row : rows()) {
                bytes += ShardEntry.ROW_HEADER + row.length;
            }
            return bytes;
        }

        void complete(Outcome outcome) {
            if (proposal.complete(outcome)) {
                whenDone.run();
            }
        }
    }

    /** An entry that was appended. */
    private record InFlight(long term, List<Waiting> rows) {}

    /** What is not in the log any more. */
    private record Forgotten(long index, Set<Long> types, OperationSessions sessions) {
        static Forgotten of(ConsensusLog log) {
            Optional<byte[]> record = log.record();
            if (record.isEmpty()) {
                return new Forgotten(0, Set.of(), new OperationSessions());
            }
            ByteBuffer bytes = ByteBuffer.wrap(record.get());
            long index = bytes.getLong();
            var types = new HashSet<Long>();
            for (int left = bytes.getInt(); left > 0; left--) {
                types.add(bytes.getLong());
            }
            return new Forgotten(index, types, OperationSessions.decode(bytes));
        }

        /** Returns the bytes of this; equal ones for equal sessions and types. */
        byte[] encode() {
            byte[] encoded = sessions.encode();
            ByteBuffer bytes =
                    ByteBuffer.allocate(
                            (1 + types.size()) * Long.BYTES + Integer.BYTES + encoded.length);
            bytes.putLong(index).putInt(types.size());
            types.stream().sorted().forEach(bytes::putLong);
            return bytes.put(encoded).array();
        }
    }

    private ReplicatedJournal(
            ConsensusLog log, Applier applier, JournalSettings settings, long origin, long base) {
        this.log = log;
        this.applier = applier;
        this.settings = settings;
        this.origin = origin;
        this.base = base;
        Forgotten last = Forgotten.of(log);
        this.appliedIndex = last.index;
        this.forgotten = last.sessions;
        this.sessions = Forgotten.of(log).sessions;
        this.types = new HashSet<>(last.types);
    }

    /**
     * Starts the journal.
     *
     * @param log not started; closed with this
     * @param origin a random number, another one for each start
     * @param base of the positions; above all positions that the runs of the partitions cover
     *     before the first entry, and the same in each start
     */
    public static ReplicatedJournal start(
            ConsensusLog log, Applier applier, JournalSettings settings, long origin, long base) {
        var journal = new ReplicatedJournal(log, applier, settings, origin, base);
        log.start(journal.new Events());
        return journal;
    }

    /** Applies what the log decides. */
    private final class Events implements ConsensusLog.Listener {
        @Override
        public void committed(long index, long termOfEntry, byte[] bytes) {
            ShardEntry entry;
            try {
                entry = ShardEntry.decode(bytes);
            } catch (IllegalArgumentException e) {
                throw new IllegalStateException(
                        "entry %d of term %d is no entry of a shard: %s"
                                .formatted(index, termOfEntry, e.getMessage()),
                        e);
            }
            lose(termOfEntry);
            boolean isValid = entry.term() == termOfEntry;
            Map<Integer, Outcome> others = isValid ? apply(index, entry) : Map.of();
            reached(index);
            if (isValid && entry.isBegin() && entry.origin() == origin) {
                begin(termOfEntry);
            }
            if (entry.origin() == origin) {
                Outcome outcome =
                        isValid ? new Outcome.Applied(first(index)) : new Outcome.NotWritten();
                ended(entry.sequence(), outcome, others);
            }
        }

        @Override
        public void leads(long led) {
            follows();
            synchronized (ReplicatedJournal.this) {
                beginning = led;
                sequence++;
                boolean _ = log.append(ShardEntry.begin(led, origin, sequence).encode());
            }
        }

        @Override
        public void follows() {
            List<Waiting> left;
            synchronized (ReplicatedJournal.this) {
                term = NO_TERM;
                beginning = NO_TERM;
                left = drained();
            }
            left.forEach(each -> each.complete(new Outcome.NotWritten()));
        }
    }

    /**
     * Applies the types of an entry and then its rows, consecutive rows of a partition at once.
     * Leaves out those whose operation was carried out before.
     *
     * @return the outcomes of the rows that are left out, by their numbers in the entry
     */
    private Map<Integer, Outcome> apply(long index, ShardEntry entry) {
        applier.awaitRoom();
        for (DocumentType type : entry.types()) {
            applier.learn(type);
            synchronized (sessions) {
                types.add(type.fingerprint());
            }
        }
        List<EntryRow> rows = entry.rows();
        Map<Integer, Outcome> others = new HashMap<>();
        List<byte[]> group = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            EntryRow row = rows.get(i);
            long position = first(index) + i;
            Optional<Outcome> other =
                    row.operation().flatMap(operation -> note(index, operation, row, position));
            if (other.isPresent()) {
                others.put(i, other.get());
            } else {
                group.add(row.row());
            }
            boolean isLast = i + 1 == rows.size();
            if (!group.isEmpty()
                    && (other.isPresent()
                            || isLast
                            || rows.get(i + 1).partition() != row.partition())) {
                long end = other.isPresent() ? position : position + 1;
                applier.apply(rows.get(i).partition(), end - group.size(), group);
                group = new ArrayList<>();
            }
        }
        return others;
    }

    /** Notes an operation, or returns its outcome if it is not to be carried out. */
    private Optional<Outcome> note(long index, OperationId operation, EntryRow row, long position) {
        synchronized (sessions) {
            Optional<Outcome> before = outcome(operation);
            if (before.isEmpty()) {
                long timestamp = RowEncoding.timestamp(MemorySegment.ofArray(row.row()));
                var stored = new OperationSessions.Stored(timestamp, position);
                sessions.note(operation, stored);
                changes.add(index, operation, stored);
            }
            return before;
        }
    }

    @Override
    public Optional<Outcome> outcome(OperationId operation) {
        synchronized (sessions) {
            return switch (sessions.check(operation)) {
                case OperationSessions.Verdict.New() -> Optional.empty();
                case OperationSessions.Verdict.Done(
                                OperationSessions.Stored(long timestamp, long position)) ->
                        Optional.of(new Outcome.AppliedBefore(timestamp, position));
                case OperationSessions.Verdict.Forgotten() -> Optional.of(new Outcome.Forgotten());
            };
        }
    }

    private void reached(long index) {
        List<Answer> done = new ArrayList<>();
        synchronized (readers) {
            appliedIndex = Math.max(appliedIndex, index);
            readers.removeIf(each -> {
                boolean isDone = each.index <= index;
                if (isDone) {
                    done.add(each);
                }
                return isDone;
            });
        }
        done.forEach(Answer::read);
    }

    /** An entry of a term is committed: entries of earlier terms that are not applied are lost. */
    private void lose(long current) {
        List<InFlight> lost = new ArrayList<>();
        synchronized (this) {
            if (current == newestTerm) {
                return;
            }
            newestTerm = current;
            inFlight.values()
                    .removeIf(each -> {
                        boolean isLost = each.term < current;
                        if (isLost) {
                            lost.add(each);
                        }
                        return isLost;
                    });
        }
        for (InFlight each : lost) {
            each.rows.forEach(waiting -> waiting.complete(new Outcome.NotWritten()));
        }
    }

    /** This replica has applied all rows of earlier terms. */
    private void begin(long begun) {
        applier.begin();
        synchronized (this) {
            if (beginning == begun) {
                term = begun;
                beginning = NO_TERM;
            }
        }
    }

    /**
     * Completes the proposals of an entry.
     *
     * @param outcome of the entry
     * @param others outcomes of rows that were left out
     */
    private void ended(long number, Outcome outcome, Map<Integer, Outcome> others) {
        InFlight entry;
        synchronized (this) {
            entry = inFlight.remove(number);
        }
        if (entry != null) {
            int row = 0;
            for (Waiting each : entry.rows) {
                int count = each.rows().size();
                each.complete(outcome(outcome, others, row, count));
                row += count;
            }
        }
        send();
    }

    /** Returns the outcome of {@code count} rows from a row of an entry on. */
    private static Outcome outcome(
            Outcome ofEntry, Map<Integer, Outcome> others, int first, int count) {
        if (IntStream.range(first, first + count).noneMatch(others::containsKey)) {
            return ofEntry.after(first);
        }
        List<Outcome> each =
                IntStream.range(first, first + count)
                        .mapToObj(row -> others.getOrDefault(row, ofEntry.after(row)))
                        .toList();
        return count == 1 ? each.getFirst() : new Outcome.Each(each);
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public Optional<Proposal> propose(RowProposal proposed, Runnable whenDone) {
        var waiting = new Waiting(proposed, news(proposed.rows()), new Proposal(), whenDone);
        int rows = proposed.rows().size();
        long bytes = waiting.bytes();
        boolean isAccepted;
        synchronized (this) {
            isAccepted = term != NO_TERM && term == proposed.term() && !isClosed;
            if (isAccepted) {
                if (!queue.isEmpty()
                        && (queuedRows + rows > settings.waitingWrites()
                                || queuedBytes + bytes > settings.waitingBytes())) {
                    return Optional.empty();
                }
                queue.add(waiting);
                queuedRows += rows;
                queuedBytes += bytes;
            }
        }
        if (isAccepted) {
            send();
        } else {
            waiting.complete(new Outcome.NotWritten());
        }
        return Optional.of(waiting.proposal);
    }

    @Override
    public <T> T together(Supplier<T> proposing) {
        T result;
        synchronized (this) {
            holders++;
            try {
                result = proposing.get();
            } finally {
                holders--;
            }
        }
        send();
        return result;
    }

    /** Appends waiting rows, unless enough entries are under way. */
    private void send() {
        List<Waiting> left = List.of();
        synchronized (this) {
            while (holders == 0 && !queue.isEmpty() && inFlight.size() < IN_FLIGHT_MAX) {
                List<Waiting> taken = take();
                sequence++;
                inFlight.put(sequence, new InFlight(term, taken));
                if (!log.append(encoded(taken))) {
                    inFlight.remove(sequence);
                    left = new ArrayList<>(taken);
                    left.addAll(drained());
                }
            }
        }
        left.forEach(each -> each.complete(new Outcome.NotWritten()));
    }

    private List<Waiting> take() {
        List<Waiting> taken = new ArrayList<>();
        long bytes = 0;
        int rows = 0;
        while (!queue.isEmpty()) {
            Waiting next = queue.getFirst();
            if (!taken.isEmpty()
                    && (bytes + next.bytes() > ENTRY_BYTES
                            || rows + next.rows().size() > ShardEntry.ROWS_MAX)) {
                break;
            }
            bytes += next.bytes();
            rows += next.rows().size();
            taken.add(queue.removeFirst());
        }
        queuedBytes -= bytes;
        queuedRows -= rows;
        return taken;
    }

    private byte[] encoded(List<Waiting> taken) {
        List<EntryRow> rows = new ArrayList<>();
        for (Waiting each : taken) {
            RowProposal of = each.proposed;
            for (int row = 0; row < of.rows().size(); row++) {
                rows.add(EntryRow.of(of.partition(), of.rows().get(row), of.operation(row)));
            }
        }
        var news = new LinkedHashSet<DocumentType>();
        taken.forEach(each -> news.addAll(each.news));
        return new ShardEntry(term, origin, sequence, List.copyOf(news), rows).encode();
    }

    /** Returns the types of rows that perhaps not all replicas have. */
    private List<DocumentType> news(List<byte[]> rows) {
        Map<Long, DocumentType> news = new LinkedHashMap<>();
        long last = 0;
        for (int i = 0; i < rows.size(); i++) {
            long fingerprint = RowEncoding.fingerprint(MemorySegment.ofArray(rows.get(i)));
            if (i > 0 && fingerprint == last) {
                continue;
            }
            last = fingerprint;
            boolean isKnown;
            synchronized (sessions) {
                isKnown = types.contains(fingerprint);
            }
            if (!isKnown && !news.containsKey(fingerprint)) {
                news.put(
                        fingerprint,
                        applier.type(fingerprint)
                                .orElseThrow(() ->
                                        new IllegalStateException(
                                                "no type with fingerprint %016x"
                                                        .formatted(fingerprint))));
            }
        }
        return List.copyOf(news.values());
    }

    private List<Waiting> drained() {
        List<Waiting> left = new ArrayList<>(queue);
        queue.clear();
        queuedRows = 0;
        queuedBytes = 0;
        return left;
    }

    @Override
    public Proposal current() {
        var current = new Proposal();
        log.readIndex(new Answer(current));
        return current;
    }

    /** The answer of a majority to a reader. */
    private final class Answer implements ConsensusLog.Reader {
        private final Proposal proposal;

        /** The entry to wait for; guarded by {@link #readers}. */
        private long index;

        Answer(Proposal proposal) {
            this.proposal = proposal;
        }

        @Override
        public void confirmed(long of) {
            synchronized (readers) {
                index = of;
                if (appliedIndex < of) {
                    readers.add(this);
                    return;
                }
            }
            read();
        }

        @Override
        public void refused() {
            proposal.complete(new Outcome.NotWritten());
        }

        void read() {
            proposal.complete(new Outcome.Applied(applied()));
        }
    }

    /** Returns the position of the first row of an entry. */
    private long first(long index) {
        return base + (index << ROW_BITS);
    }

    @Override
    public long applied() {
        return first(appliedIndex + 1) - 1;
    }

    @Override
    public void release(long position) {
        long index = ((position + 1 - base) >> ROW_BITS) - 1;
        if (index <= 0) {
            return;
        }
        byte[] record;
        synchronized (sessions) {
            changes.removeUpTo(index, forgotten::note);
            record = new Forgotten(index, Set.copyOf(types), forgotten).encode();
        }
        log.forget(index, record);
    }

    @Override
    public void trim(Instant now) {
        // The log deletes what is forgotten.
    }

    @Override
    public long bytes() {
        return log.bytes();
    }

    @Override
    public synchronized int waiting() {
        return queuedRows;
    }

    @Override
    public long forces() {
        return log.appended();
    }

    @Override
    public Optional<String> failure() {
        return log.failure();
    }

    /** Ends. The outcome of entries that are under way stays unknown. */
    @Override
    public void close() {
        List<Waiting> left;
        List<InFlight> unknown;
        synchronized (this) {
            isClosed = true;
            term = NO_TERM;
            left = drained();
            unknown = List.copyOf(inFlight.values());
            inFlight.clear();
        }
        left.forEach(each -> each.complete(new Outcome.NotWritten()));
        for (InFlight entry : unknown) {
            entry.rows.forEach(each ->
                    each.complete(
                            new Outcome.Failed(
                                    "the replica was closed before the outcome was known")));
        }
        List<Answer> waiting;
        synchronized (readers) {
            waiting = List.copyOf(readers);
            readers.clear();
        }
        waiting.forEach(Answer::refused);
        log.close();
    }
}
