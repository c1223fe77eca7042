package org.crabro.content.replication.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.crabro.content.replication.log.ConsensusLog;
import org.crabro.content.replication.raft.patch.DirectAppend;
import org.crabro.content.storage.replica.ShardRecord;
import org.crabro.protocol.wire.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of a shard in a group of Ratis. Thread-safe. */
final class RatisLog implements ConsensusLog {
    /** The maximum size of an entry, in bytes. */
    static final int ENTRY_BYTES_MAX = 9 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(RatisLog.class);

    private final RatisGroups groups;
    private final ShardGroup group;
    private final GroupMembers members;
    private final ShardRecord record;
    private final AtomicLong appended = new AtomicLong();

    private volatile Optional<GroupMachine> machine = Optional.empty();
    private volatile Optional<String> failure = Optional.empty();
    private volatile boolean isClosing;

    /** The entries up to this one may be deleted from the log. Guarded by {@link #record}. */
    private long purged = -1;

    /** Entries that are kept for new replicas. Guarded by {@link #record}. */
    private final List<Pin> pins = new ArrayList<>();

    /** Held while an entry is appended, so that entries keep their order. */
    private final Object appending = new Object();

    RatisLog(RatisGroups groups, ShardGroup group, GroupMembers members, ShardRecord record) {
        this.groups = groups;
        this.group = group;
        this.members = members;
        this.record = record;
    }

    /** Passes on what happens to the log, unless this is closed. */
    private final class GroupEvents implements GroupMachine.Events {
        @Override
        public void failed(String reason) {
            boolean isNews;
            synchronized (this) {
                isNews = failure.isEmpty() && !isClosing;
                if (isNews) {
                    failure = Optional.of(reason);
                }
            }
            if (isNews) {
                LOG.error("The replica of {} failed: {}", group, reason);
                groups.events().failed(group, reason);
            }
        }

        @Override
        public void behind() {
            if (!isClosing) {
                groups.events().behind(group);
            }
        }

        @Override
        public void removed() {
            boolean isNews;
            synchronized (this) {
                isNews = failure.isEmpty() && !isClosing;
                if (isNews) {
                    failure = Optional.of("the other replicas removed this one");
                }
            }
            if (isNews) {
                groups.events().removed(group);
            }
        }
    }

    ShardGroup group() {
        return group;
    }

    @Override
    public Optional<byte[]> record() {
        return record.content().map(each -> each.bytes().getFirst());
    }

    /** Returns the record with its place in the log. */
    Optional<ShardRecord.Content> content() {
        return record.content();
    }

    @Override
    public void start(Listener listener) {
        var started =
                new GroupMachine(
                        record,
                        listener,
                        new GroupEvents(),
                        groups.executor(),
                        groups.times().removal());
        machine = Optional.of(started);
        try {
            if (record.content().isPresent()) {
                long forgotten = record.content().get().index();
                started.retained(forgotten, groups.prepareLog(group, forgotten));
            }
            groups.add(this, members, started);
        } catch (IOException e) {
            throw new UncheckedIOException("%s could not be started".formatted(group), e);
        }
    }

    @Override
    public boolean append(byte[] entry) {
        if (entry.length > ENTRY_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "an entry of %d bytes, at most %d".formatted(entry.length, ENTRY_BYTES_MAX));
        }
        if (entry.length > 0 && entry[0] == PackedEntry.KIND) {
            throw new IllegalArgumentException("the entry begins like a compressed one");
        }
        Optional<GroupMachine> current = machine;
        if (current.isEmpty() || isClosing) {
            return false;
        }
        byte[] stored = groups.isCompressing() ? PackedEntry.pack(entry) : entry;
        boolean isAppended = true;
        synchronized (appending) {
            for (ByteString part : EntryParts.split(stored)) {
                isAppended = isAppended && append(part, current.get());
            }
        }
        if (isAppended) {
            appended.incrementAndGet();
        }
        return isAppended;
    }

    private boolean append(ByteString part, GroupMachine current) {
        RaftClientRequest request =
                groups.request(group)
                        .setMessage(Message.valueOf(part))
                        .setType(RaftClientRequest.writeRequestType())
                        .build();
        boolean _ = current.takeAppended();
        try {
            CompletableFuture<RaftClientReply> _ =
                    DirectAppend.submit(groups.division(group), request);
        } catch (IOException | RuntimeException e) {
            LOG.debug("An entry of {} was not accepted", group, e);
        }
        // Only then it may be committed. The reply does not tell: it is also that of a leader that
        // lost its term since.
        return current.takeAppended();
    }

    @Override
    public void readIndex(Reader reader) {
        Optional<GroupMachine> current = machine;
        if (current.isEmpty() || isClosing) {
            reader.refused();
            return;
        }
        RaftServer.Division division;
        try {
            division = groups.division(group);
        } catch (IOException e) {
            LOG.debug("{} has ended", group, e);
            reader.refused();
            return;
        }
        // The leadership is read before the check whether this replica leads. If it has ended by
        // then, it confirms no reader. A later one has no committed entries before it is ready.
        Optional<Leadership> leadership = current.get().leadership();
        if (!division.getInfo().isLeaderReady()) {
            reader.refused();
            return;
        }
        long index = division.getRaftLog().getLastCommittedIndex();
        if (Leadership.isAlone(division.getRaftConf(), division.getId())) {
            current.get().confirm(index, reader);
        } else if (leadership.isEmpty()) {
            reader.refused();
        } else {
            leadership.get().confirm(new Waiting(current.get(), index, reader));
        }
    }

    /** A reader of an entry that is committed. */
    private record Waiting(GroupMachine machine, long index, Reader reader)
            implements Leadership.Waiting {
        @Override
        public void confirmed() {
            machine.confirm(index, reader);
        }

        @Override
        public void refused() {
            reader.refused();
        }
    }

    @Override
    public void forget(long index, byte[] bytes) {
        Optional<GroupMachine> current = machine;
        if (current.isEmpty() || isClosing) {
            return;
        }
        try {
            RaftServer.Division division = groups.division(group);
            synchronized (record) {
                boolean isNews = record.content().map(each -> each.index() < index).orElse(true);
                if (isNews) {
                    TermIndex entry = division.getRaftLog().getTermIndex(index);
                    if (entry == null) {
                        throw new IllegalStateException(
                                "entry %d of %s is not in the log".formatted(index, group));
                    }
                    record.write(ShardRecord.Content.of(entry.getTerm(), index, bytes));
                }
                purge(division, current.get());
            }
        } catch (IOException e) {
            if (!isClosing) {
                // The record is older than it could be, and the log longer.
                LOG.warn(
                        "The record of {} could not be written; the next flush tries again",
                        group,
                        e);
            }
        }
    }

    /**
     * Keeps the entries after the record.
     *
     * @param end from then on they may be deleted
     * @param record of the time of the call
     */
    record Pin(Deadline end, ShardRecord.Content record) {}

    /** Keeps the entries after the record; empty if there is none, so that the log has all. */
    Optional<Pin> pin(Deadline end) {
        synchronized (record) {
            Optional<Pin> pin = record.content().map(content -> new Pin(end, content));
            pin.ifPresent(pins::add);
            return pin;
        }
    }

    /** Ends {@link #pin}. */
    void unpin(Pin pin) {
        synchronized (record) {
            pins.remove(pin);
        }
    }

    /**
     * Deletes forgotten entries that all replicas have, or all forgotten entries but the last if
     * there are too many.
     */
    private void purge(RaftServer.Division division, GroupMachine current) {
        long forgotten = record.content().map(ShardRecord.Content::index).orElse(-1L);
        // Ratis needs the term of the entry before the first one that it sends. The record has that
        // of its own entry, but the next record has not.
        long index = forgotten - 1;
        if (current.bytesAfter(purged) - current.bytesAfter(forgotten) <= groups.retainedBytes()) {
            index = Math.min(index, onAllReplicas(division) - 1);
        }
        pins.removeIf(each -> each.end.hasPassed());
        for (Pin each : pins) {
            index = Math.min(index, each.record.index() - 1);
        }
        if (index > purged) {
            CompletableFuture<Long> _ = division.getRaftLog().purge(index);
            purged = index;
            current.deleted(index);
        }
    }

    /** Returns the last entry that all replicas know to be committed; -1 if that is unknown. */
    private static long onAllReplicas(RaftServer.Division division) {
        Map<RaftPeerId, Long> indexes = new HashMap<>();
        for (CommitInfoProto each : division.getCommitInfos()) {
            indexes.put(RaftPeerId.valueOf(each.getServer().getId()), each.getCommitIndex());
        }
        RaftConfiguration configuration = division.getRaftConf();
        return Stream.concat(
                        configuration.getAllPeers().stream(),
                        configuration.getAllPeers(RaftPeerRole.LISTENER).stream())
                .mapToLong(peer -> indexes.getOrDefault(peer.getId(), -1L))
                .min()
                .orElse(-1);
    }

    @Override
    public long bytes() {
        long forgotten = record.content().map(ShardRecord.Content::index).orElse(-1L);
        return machine.map(each -> each.bytesAfter(forgotten)).orElse(0L);
    }

    @Override
    public long appended() {
        return appended.get();
    }

    @Override
    public Optional<String> failure() {
        return failure;
    }

    @Override
    public void close() {
        isClosing = true;
        machine.ifPresent(each -> {
            each.stop();
            groups.remove(group, this);
        });
        machine = Optional.empty();
    }
}
