package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.crabro.content.replication.log.ConsensusLog;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A group with one replica. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RatisLogTest {
    private static final ShardGroup GROUP = new ShardGroup("music", 0);

    /** The first election begins soon, but no pause of a busy machine ends a term. */
    private static final RatisTimes TIMES =
            new RatisTimes(Duration.ofMillis(100), Duration.ofMinutes(1), Duration.ofMillis(500));

    private final FaultyLogFiles files = new FaultyLogFiles(new Random(1));
    private final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();

    /** Notes what happens. */
    private class Noting implements ConsensusLog.Listener, ReplicaEvents {
        final CompletableFuture<Long> term = new CompletableFuture<>();
        private final List<String> committed = new ArrayList<>();
        private long last;

        @Override
        public synchronized void committed(long index, long of, byte[] entry) {
            committed.add(new String(entry, StandardCharsets.UTF_8));
            last = index;
        }

        @Override
        public void leads(long led) {
            term.complete(led);
        }

        @Override
        public void follows() {
            events.add("follows");
        }

        @Override
        public void failed(ShardGroup group, String reason) {
            events.add(reason);
        }

        @Override
        public void behind(ShardGroup group) {
            events.add("behind");
        }

        @Override
        public void removed(ShardGroup group) {
            events.add("removed");
        }

        synchronized List<String> entries() {
            return List.copyOf(committed);
        }

        synchronized long last() {
            return last;
        }
    }

    private RatisGroups open(Path directory, Noting noting, int port) throws IOException {
        return RatisGroups.open(
                new RatisSettings(
                        new ReplicaAddress("one", "127.0.0.1", port),
                        directory.resolve("raft"),
                        files,
                        RatisSettings.Peers.LOCAL,
                        TIMES,
                        0),
                noting);
    }

    @Test
    void commitsEntriesInOrderAndAgainAfterARestartFromTheRecord(@TempDir Path directory)
            throws Exception {
        var first = new Noting();
        ReplicaAddress self;
        try (RatisGroups groups = open(directory, first, 0)) {
            self = groups.self();
            ConsensusLog log = groups.log(GROUP, List.of(self));
            assertThat(log.append(bytes("too early"))).isFalse();
            log.start(first);
            first.term.get(60, TimeUnit.SECONDS);

            for (int i = 0; i < 100; i++) {
                assertThat(log.append(bytes("entry " + i))).isTrue();
            }
            await(() -> first.entries().size() == 100);

            assertThat(first.entries()).startsWith("entry 0", "entry 1").endsWith("entry 99");
            assertThat(log.appended()).isEqualTo(100);
            assertThat(read(log)).contains(first.last());
            log.forget(first.last() - 2, bytes("98 are forgotten"));
            log.forget(first.last() - 3, bytes("earlier"));
            log.close();
            assertThat(log.append(bytes("too late"))).isFalse();
            assertThat(read(log)).isEmpty();
        }

        var second = new Noting();
        try (RatisGroups groups = open(directory, second, self.port())) {
            ConsensusLog log = groups.log(GROUP, List.of(self));
            assertThat(log.record().map(each -> new String(each, StandardCharsets.UTF_8)))
                    .contains("98 are forgotten");
            log.start(second);
            assertThat(second.term.get(60, TimeUnit.SECONDS)).isGreaterThan(first.term.get());
            await(() -> second.entries().size() == 2);
            assertThat(second.entries()).containsExactly("entry 98", "entry 99");
            assertThat(second.last()).isEqualTo(first.last());
            // The last entry of a file stays: a copy of the record needs its term.
            log.forget(second.last(), bytes("100 are forgotten"));
            assertThat(groups.division(GROUP).getRaftLog().getStartIndex())
                    .isLessThanOrEqualTo(second.last());
            assertThat(log.failure()).isEmpty();
            log.close();
        }
        assertThat(events).isEmpty();
    }

    @Test
    void anEntryThatIsTooLargeForTheLogIsRefusedBeforeItEndsTheTerm(@TempDir Path directory)
            throws Exception {
        var noting = new Noting();
        try (RatisGroups groups = open(directory, noting, 0)) {
            ConsensusLog log = groups.log(GROUP, List.of(groups.self()));
            log.start(noting);
            noting.term.get(60, TimeUnit.SECONDS);

            assertThat(log.append(new byte[RatisLog.ENTRY_BYTES_MAX])).isTrue();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> log.append(new byte[RatisLog.ENTRY_BYTES_MAX + 1]))
                    .withMessage("an entry of 9437185 bytes, at most 9437184");

            await(() -> noting.entries().size() == 1);
            assertThat(log.bytes()).isGreaterThanOrEqualTo(RatisLog.ENTRY_BYTES_MAX);
            log.close();
        }
        assertThat(events).isEmpty();
    }

    @Test
    void aServerThatEndsBeforeItsLogsIsAFailure(@TempDir Path directory) throws Exception {
        var noting = new Noting();
        RatisGroups groups = open(directory, noting, 0);
        ConsensusLog log = groups.log(GROUP, List.of(groups.self()));
        log.start(noting);
        noting.term.get(60, TimeUnit.SECONDS);

        groups.close();

        await(() -> log.failure().isPresent());
        assertThat(log.failure()).contains("the server of the replica was closed");
        assertThat(events).contains("the server of the replica was closed");
        assertThat(log.append(bytes("too late"))).isFalse();
    }

    @Test
    void anEntryThatCannotBeAppliedIsAFailure(@TempDir Path directory) throws Exception {
        var noting =
                new Noting() {
                    @Override
                    public synchronized void committed(long index, long of, byte[] entry) {
                        throw new IllegalStateException("no room");
                    }
                };
        try (RatisGroups groups = open(directory, noting, 0)) {
            ConsensusLog log = groups.log(GROUP, List.of(groups.self()));
            log.start(noting);
            noting.term.get(60, TimeUnit.SECONDS);

            assertThat(log.append(bytes("an entry"))).isTrue();

            await(() -> log.failure().isPresent());
            assertThat(log.failure().orElseThrow())
                    .matches("entry \\d+ could not be applied: .*IllegalStateException: no room");
            log.close();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the index that is confirmed to a reader; empty if it is refused. */
    private static Optional<Long> read(ConsensusLog log) throws Exception {
        var read = new CompletableFuture<Optional<Long>>();
        log.readIndex(
                new ConsensusLog.Reader() {
                    @Override
                    public void confirmed(long index) {
                        read.complete(Optional.of(index));
                    }

                    @Override
                    public void refused() {
                        read.complete(Optional.empty());
                    }
                });
        return read.get(60, TimeUnit.SECONDS);
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(2))
                .until(condition);
    }
}
