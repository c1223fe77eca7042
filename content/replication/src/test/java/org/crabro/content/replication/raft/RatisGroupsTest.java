package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.crabro.content.replication.log.ConsensusLog;
import org.crabro.content.replication.raft.patch.RatisPatches;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.Freshness;
import org.crabro.content.storage.store.Notes;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RatisGroupsTest {
    private static final int TRANSFERS = 1_000;
    private static final int ATTEMPTS = 20;

    @Test
    void aWriteIsOnAllReplicasAndSurvivesARestartOfAll(@TempDir Path directory) throws Exception {
        DocumentId id = Notes.plain(1);
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            WriteReply reply = write(nodes, id, "one");

            assertThat(reply).isInstanceOf(WriteReply.Stored.class);
            awaitText(nodes, id, "one");
            for (RaftNodes.Node each : nodes.all()) {
                each.stop();
            }
            for (RaftNodes.Node each : nodes.all()) {
                each.start();
            }
            awaitText(nodes, id, "one");
            RaftNodes.Node next = awaitLeader(nodes);
            assertThat(next.store().orElseThrow().awaitCurrent(List.of(0), soon()))
                    .isEqualTo(Freshness.CURRENT);
            assertThat(nodes.failures()).isEmpty();
        }
    }

    /** The leader offered it later entries until another one led. */
    @Test
    void aReplicaThatStartsWithOlderDataCatchesUp(@TempDir Path directory) throws Exception {
        DocumentId id = Notes.plain(1);
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node leader = awaitLeader(nodes);
            assertThat(write(nodes, id, "one")).isInstanceOf(WriteReply.Stored.class);
            RaftNodes.Node old =
                    nodes.all().stream().filter(each -> each != leader).findFirst().orElseThrow();
            old.stop();
            Path copy = directory.resolve("copy");
            copy(old.home(), copy);
            old.start();
            for (int i = 0; i < 5; i++) {
                assertThat(write(nodes, id, "two " + i)).isInstanceOf(WriteReply.Stored.class);
            }
            awaitText(nodes, id, "two 4");

            old.stop();
            delete(old.home());
            copy(copy, old.home());
            old.start();

            awaitText(nodes, id, "two 4");
            assertThat(nodes.failures()).isEmpty();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    @Test
    void aReplicaThatIsDownIsNotAskedToLead(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node leader = awaitLeader(nodes);
            String peer = stopFollower(nodes, leader);

            assertThatIOException()
                    .isThrownBy(() ->
                            leader.groups()
                                    .orElseThrow()
                                    .transfer(RaftNodes.group(0), peer, Duration.ofSeconds(10)))
                    .withMessageContaining("cannot lead");
            awaitWrite(nodes);
        }
    }

    @Test
    void aFollowerThatIsDownCostsFewAttempts(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            String _ = stopFollower(nodes, awaitLeader(nodes));
            awaitWrite(nodes);
            RatisGroups groups = awaitLeader(nodes).groups().orElseThrow();

            long begin = System.nanoTime();
            long before = groups.attempts(RaftNodes.group(0));
            long wanted = before + 2L * ATTEMPTS;
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> groups.attempts(RaftNodes.group(0)) >= wanted);

            long attempts = groups.attempts(RaftNodes.group(0)) - before;
            long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
            assertThat(attempts).as("in %d ms", millis).isLessThan(ATTEMPTS + millis);
        }
    }

    /** See {@code FailedTransfer}: one of some hundred transfers fails before it is sent. */
    @Test
    void acceptsWritesAfterTransfersThatFail(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node leader = awaitLeader(nodes);
            String peer = stopFollower(nodes, leader);

            RatisGroups groups = leader.groups().orElseThrow();
            for (int i = 0; i < TRANSFERS; i++) {
                assertThatIOException()
                        .isThrownBy(() ->
                                groups.transferTo(RaftNodes.group(0), peer, Duration.ofMillis(1)));
            }

            awaitWrite(nodes);
        }
    }

    @Test
    void handsOverWhatItLeads(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node leader = awaitLeader(nodes);
            Awaitility.await()
                    .untilAsserted(() -> {
                        leader.groups().orElseThrow().handOver();

                        assertThat(nodes.leader(0)).isPresent().get().isNotSameAs(leader);
                    });
        }
    }

    @Test
    void leadsNothingAnyMoreWhenItStops(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node stopping = awaitLeader(nodes);
            Awaitility.await()
                    .untilAsserted(() -> {
                        stopping.groups().orElseThrow().stopLeading();
                        assertThat(nodes.leader(0)).isPresent().get().isNotSameAs(stopping);
                    });
            RaftNodes.Node leader = awaitLeader(nodes);

            assertThatIOException()
                    .isThrownBy(() ->
                            leader.groups()
                                    .orElseThrow()
                                    .transfer(
                                            RaftNodes.group(0),
                                            stopping.address().peer(),
                                            Duration.ofSeconds(1)));
        }
    }

    /** See {@code CacheEviction}: with its thread, a group that ends may wait for ever. */
    @Test
    void worksWithoutTheThreadThatDropsCachedEntries(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 1, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node only = awaitLeader(nodes);
            String thread =
                    only.address().peer()
                            + "@"
                            + RaftNodes.group(0).id()
                            + "-cacheEviction-AwaitToRun";
            assertThat(threads()).contains(thread);

            RatisPatches.lookUp()
                    .cacheEviction()
                    .end(only.groups().orElseThrow().division(RaftNodes.group(0)));

            assertThat(threads()).doesNotContain(thread);
            assertThat(write(nodes, Notes.plain(1), "one")).isInstanceOf(WriteReply.Stored.class);
        }
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }

    /** The leader keeps no entries for a replica that is down for long. */
    @Test
    void aReplicaThatIsFarBehindIsInstalled(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT, 0)) {
            RaftNodes.Node leader = awaitLeader(nodes);
            DocumentId id = Notes.plain(1);
            write(nodes, id, "one");
            awaitText(nodes, id, "one");
            RaftNodes.Node behind =
                    nodes.all().stream().filter(each -> each != leader).findFirst().orElseThrow();
            behind.stop();
            // Ratis deletes whole files of 8 MB.
            for (int i = 0; i < 20; i++) {
                write(nodes, Notes.plain(i), letters(i));
            }
            write(nodes, id, "two");
            for (RaftNodes.Node each : nodes.all()) {
                if (each != behind) {
                    each.store().orElseThrow().flush();
                }
            }

            behind.start();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !nodes.behind().isEmpty());
            behind.closeStore();
            behind.install(0, awaitLeader(nodes));
            behind.openStore(nodes.voters());

            awaitText(nodes, id, "two");
            write(nodes, id, "three");
            awaitText(nodes, id, "three");
            assertThat(nodes.failures()).isEmpty();
        }
    }

    /** Returns a MiB of text that LZ4 does not make shorter. */
    private static String letters(int seed) {
        return new Random(seed)
                .ints(1 << 20, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @Test
    void nodesWithCertificatesOfOneAuthorityFormAGroupAndOthersDoNot(@TempDir Path directory)
            throws Exception {
        RatisTls one = ReplicaCertificates.make(directory, "one");
        RatisTls other = ReplicaCertificates.make(directory, "other");
        var events = new Ignored();
        try (RatisGroups a = open(directory, "127.0.0.1-a", Optional.of(one), events);
                RatisGroups b = open(directory, "127.0.0.1-b", Optional.of(one), events);
                RatisGroups stranger = open(directory, "127.0.0.1-c", Optional.of(other), events)) {
            List<ReplicaAddress> voters = List.of(a.self(), b.self(), stranger.self());
            ShardGroup group = RaftNodes.group(0);
            var listener = new Ignored();
            for (RatisGroups each : List.of(a, b, stranger)) {
                each.log(group, voters).start(listener);
            }

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> isLeader(a, group) || isLeader(b, group));

            assertThat(isLeader(stranger, group)).isFalse();
            assertThat(stranger.status(group).orElseThrow().committed()).isEqualTo(-1);
        }
    }

    private static boolean isLeader(RatisGroups groups, ShardGroup group) {
        return groups.status(group).map(ReplicaStatus::isLeader).orElse(false);
    }

    private static RatisGroups open(
            Path directory, String name, Optional<RatisTls> tls, ReplicaEvents events)
            throws IOException {
        return RatisGroups.open(
                new RatisSettings(
                        new ReplicaAddress(name, "127.0.0.1", 0),
                        directory.resolve(name),
                        new FaultyLogFiles(new Random(1)),
                        RatisSettings.Peers.of(tls),
                        RaftNodes.TIMES,
                        0),
                events);
    }

    /** What happens is of no interest. */
    private static final class Ignored implements ReplicaEvents, ConsensusLog.Listener {
        @Override
        public void failed(ShardGroup group, String reason) {
            // The servers end before their logs.
        }

        @Override
        public void behind(ShardGroup group) {
            throw new IllegalStateException(group.toString());
        }

        @Override
        public void removed(ShardGroup group) {
            throw new IllegalStateException(group.toString());
        }

        @Override
        public void committed(long index, long term, byte[] entry) {
            throw new IllegalStateException("entry " + index);
        }

        @Override
        public void leads(long term) {
            // Nothing is appended.
        }

        @Override
        public void follows() {
            // Nothing is appended.
        }
    }

    private static RaftNodes.Node awaitLeader(RaftNodes nodes) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> nodes.leader(0), Optional::isPresent)
                .orElseThrow();
    }

    /** Writes to the leader. On a busy machine another replica may lead meanwhile. */
    private static WriteReply write(RaftNodes nodes, DocumentId id, String text) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(
                        () -> tryToWrite(awaitLeader(nodes), id, text),
                        reply -> !(reply instanceof WriteReply.WrongOwner));
    }

    /** Stops a node that does not lead, and returns its peer. */
    private static String stopFollower(RaftNodes nodes, RaftNodes.Node leader) throws IOException {
        RaftNodes.Node down =
                nodes.all().stream().filter(each -> each != leader).findFirst().orElseThrow();
        String peer = down.address().peer();
        down.stop();
        return peer;
    }

    /** Writes to the leader. On a busy machine another replica may lead meanwhile. */
    private static void awaitWrite(RaftNodes nodes) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> tryToWrite(awaitLeader(nodes), Notes.plain(1), "one"),
                        WriteReply.Stored.class::isInstance);
    }

    private static WriteReply tryToWrite(RaftNodes.Node node, DocumentId id, String text)
            throws IOException {
        DocumentStore store = node.store().orElseThrow();
        store.keep(Notes.TYPE, SearchedTexts.NONE);
        return store.write(Notes.write(id, text), Optional.empty(), soon());
    }

    private static void awaitText(RaftNodes nodes, DocumentId id, String text) {
        for (RaftNodes.Node each : nodes.all()) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> Notes.text(each.store().orElseThrow(), id).equals(text));
        }
    }

    private static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(30));
    }
}
