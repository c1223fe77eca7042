package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServer;
import org.awaitility.Awaitility;
import org.crabro.content.replication.raft.patch.ElectionTimer;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.replica.ReplicaSource;
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

/** Replicas that come and go while the stores of their nodes are open. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShardReplicasTest {
    private static final DocumentId FIRST = Notes.plain(1);
    private static final DocumentId SECOND = Notes.plain(2);

    @Test
    void aReplicaMovesToAnotherNode(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node leader = awaitLeader(nodes);
            write(leader, FIRST, "one");
            RaftNodes.Node joined = nodes.join("n3");
            ShardReplicas copies = replicas(joined);
            assertThat(copies.isHere(0)).isFalse();
            assertThat(joined.store().orElseThrow().awaitCurrent(List.of(0), soon()))
                    .isEqualTo(Freshness.ELSEWHERE);
            RaftNodes.Node left = other(nodes, leader, joined);

            try (ReplicaSource source = replicas(leader).export(0)) {
                write(leader, SECOND, "two");
                copies.stage(0, source);
                copies.install(0, source);
                assertThat(copies.isHere(0)).isTrue();
                replaceOneBy(nodes, leader, joined, Duration.ofSeconds(20));
            }
            awaitSettled(leader, joined.address());
            assertThat(remove(left)).isTrue();

            awaitText(joined, FIRST, "one");
            awaitText(joined, SECOND, "two");
            assertThat(Notes.text(left.store().orElseThrow(), FIRST)).isEmpty();
            assertThat(left.groups().orElseThrow().status(RaftNodes.group(0))).isEmpty();
            String name = left.address().peer().replaceFirst("-.*", "");
            assertThat(logFiles(directory.resolve(name).resolve("raft")))
                    .as("its vote")
                    .containsExactly("raft-meta");
            // It does not vote: its former voters would count its vote.
            left.stop();
            left.start();
            assertThat(replicas(left).isHere(0)).isFalse();
            joined.stop();
            joined.start();
            awaitText(joined, SECOND, "two");
            write(awaitLeader(nodes), FIRST, "three");
            awaitText(joined, FIRST, "three");
            assertThat(Notes.text(left.store().orElseThrow(), FIRST)).isEmpty();

            copy(awaitLeader(nodes), left);
            awaitText(left, SECOND, "two");
            assertThat(nodes.failures().stream().filter(each -> !each.endsWith(": removed")))
                    .isEmpty();
        }
    }

    @Test
    void aReplicaThatIsAMemberAgainIsNotRemoved(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node leader = awaitLeader(nodes);
            write(leader, FIRST, "one");
            RaftNodes.Node left = other(nodes, leader);
            List<ReplicaAddress> others = new ArrayList<>(nodes.voters());
            others.remove(left.address());
            change(leader, GroupMembers.of(others));
            change(leader, GroupMembers.of(nodes.voters()));

            assertThat(remove(left)).isFalse();

            assertThat(replicas(left).isHere(0)).isTrue();
            write(leader, SECOND, "two");
            awaitText(left, SECOND, "two");
        }
    }

    private static List<String> logFiles(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .map(each -> each.getFileName().toString())
                    .toList();
        }
    }

    /** Removes a replica unless the newest configuration that it knows has it. */
    private static boolean remove(RaftNodes.Node node) throws IOException {
        String peer = node.address().peer();
        return replicas(node).remove(0, newest -> !newest.members().has(peer));
    }

    @Test
    void aReplicaWhoseCopiesHaveAllEntriesTakesPart(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node leader = awaitLeader(nodes);
            write(leader, FIRST, "one");
            RaftNodes.Node joined = nodes.join("n3");
            copy(leader, joined);

            replaceOneBy(nodes, leader, joined, Duration.ofSeconds(20));

            awaitSettled(leader, joined.address());
            awaitText(joined, FIRST, "one");
        }
    }

    @Test
    void aNodeListensFromTheBeginning(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes =
                RaftNodes.startWithListener(directory, 1, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node leader = awaitLeader(nodes);
            RaftNodes.Node listener = other(nodes, leader);

            write(leader, FIRST, "one");

            awaitText(listener, FIRST, "one");
            assertThat(role(listener)).isEqualTo(ReplicaStatus.Role.LISTENS);
            assertThat(listener.store().orElseThrow().awaitCurrent(List.of(0), soon()))
                    .as("it answers no reads")
                    .isEqualTo(Freshness.ELSEWHERE);
            awaitCurrent(listener);
            listener.stop();
            write(leader, SECOND, "two");
            listener.start();
            awaitCurrent(listener);
            assertThat(Notes.text(listener.store().orElseThrow(), SECOND)).isEqualTo("two");
            assertThat(role(listener)).isEqualTo(ReplicaStatus.Role.LISTENS);
            leader.groups().orElseThrow().handOver();
            assertThat(leader.leads(0)).as("a listener cannot lead").isTrue();
        }
    }

    @Test
    void aListenerIsAddedAndTradesPlacesWithAVoter(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node leader = awaitLeader(nodes);
            write(leader, FIRST, "one");
            RaftNodes.Node joined = nodes.join("n3");
            copy(leader, joined);

            change(leader, new GroupMembers(nodes.voters(), List.of(joined.address())));

            awaitRole(joined, ReplicaStatus.Role.LISTENS);
            assertThat(ElectionTimer.threads(division(joined)))
                    .as("it might wait for ever when it becomes a voter")
                    .isEmpty();
            write(leader, SECOND, "two");
            awaitText(joined, FIRST, "one");
            awaitText(joined, SECOND, "two");
            RaftNodes.Node left = other(nodes, leader, joined);
            RaftNodes.Node third = other(nodes, leader, joined, left);

            List<ReplicaAddress> voters =
                    List.of(leader.address(), third.address(), joined.address());
            change(leader, new GroupMembers(voters, List.of(left.address())));

            awaitRole(joined, ReplicaStatus.Role.VOTES);
            awaitElectionTimer(joined);
            awaitRole(left, ReplicaStatus.Role.LISTENS);
            // The two others are the majority, and one of them was a listener.
            third.stop();
            write(leader, FIRST, "three");
            awaitText(left, FIRST, "three");
            left.stop();
            left.start();
            assertThat(role(left)).isEqualTo(ReplicaStatus.Role.LISTENS);
            awaitText(left, FIRST, "three");
            third.start();
            leader.stop();
            write(awaitLeader(nodes), SECOND, "four");
            awaitText(left, SECOND, "four");
            assertThat(left.leads(0)).isFalse();
        }
    }

    /** Without a timer, a voter would never be elected. */
    private static void awaitElectionTimer(RaftNodes.Node node) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !ElectionTimer.threads(division(node)).isEmpty());
    }

    private static RaftServer.Division division(RaftNodes.Node node) throws IOException {
        return node.groups().orElseThrow().division(RaftNodes.group(0));
    }

    private static ReplicaStatus status(RaftNodes.Node node) {
        return node.groups().orElseThrow().status(RaftNodes.group(0)).orElseThrow();
    }

    private static ReplicaStatus.Role role(RaftNodes.Node node) {
        return status(node).role();
    }

    private static void change(RaftNodes.Node leader, GroupMembers members) throws IOException {
        leader.groups().orElseThrow().change(RaftNodes.group(0), members, Duration.ofSeconds(20));
    }

    /** Waits until a node has a role; starts its replica again if it should have another one. */
    private static void awaitRole(RaftNodes.Node node, ReplicaStatus.Role role) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> {
                    if (status(node).isMisplaced(node.address().peer())) {
                        replicas(node).start(0);
                    }
                    ReplicaStatus status = status(node);
                    assertThat(status.isSettled() && status.role() == role)
                            .as("%s is settled as %s: %s", node.address(), role, status)
                            .isTrue();
                });
    }

    private static void awaitCurrent(RaftNodes.Node node) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> node.groups().orElseThrow().isCurrent(RaftNodes.group(0)));
    }

    /** The leader has the next entry, and does not have the term of the entry before. */
    @Test
    void copiesWhoseNextEntryCannotBeSentAreBehind(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node former = awaitLeader(nodes);
            write(former, FIRST, "one");
            RaftNodes.Node joined = nodes.join("n3");
            copy(former, joined);
            RaftNodes.Node leader = nextLeader(nodes, former);
            write(leader, SECOND, "two");
            awaitCommitted(leader);
            leader.store().orElseThrow().flush();
            RaftServer.Division division = division(leader);
            RaftServer.Division behind = division(joined);
            assertThat(division.getRaftLog().getStartIndex())
                    .isEqualTo(behind.getInfo().getLastAppliedIndex() + 1);

            try {
                replaceOneBy(nodes, leader, joined, Duration.ofSeconds(1));
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("no reply");
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(nodes.behind()).isNotEmpty());
            copy(leader, joined);

            awaitText(joined, SECOND, "two");
            awaitSettled(leader, joined.address());
        }
    }

    private static RaftNodes.Node nextLeader(RaftNodes nodes, RaftNodes.Node former) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            former.groups().orElseThrow().handOver();
                            return nodes.leader(0).filter(each -> !each.equals(former));
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until a leader knows that all replicas have the entries of its term. */
    private static void awaitCommitted(RaftNodes.Node leader) throws IOException {
        RaftServer.Division division = division(leader);
        long last = division.getRaftLog().getLastCommittedIndex();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(division.getCommitInfos())
                                .hasSize(3)
                                .allMatch(each -> each.getCommitIndex() >= last));
    }

    private static void replaceOneBy(
            RaftNodes nodes, RaftNodes.Node leader, RaftNodes.Node joined, Duration patience)
            throws IOException {
        List<ReplicaAddress> voters = new ArrayList<>(nodes.voters());
        voters.remove(other(nodes, leader, joined).address());
        voters.add(joined.address());
        leader.groups().orElseThrow().change(RaftNodes.group(0), voters, patience);
    }

    /** Gives a node a copy of the replica of another one. */
    private static void copy(RaftNodes.Node from, RaftNodes.Node to) throws IOException {
        try (ReplicaSource source = replicas(from).export(0)) {
            replicas(to).stage(0, source);
            replicas(to).install(0, source);
        }
    }

    private static ShardReplicas replicas(RaftNodes.Node node) {
        return new ShardReplicas(
                node.groups().orElseThrow(),
                RaftNodes.CLUSTER,
                node.store().orElseThrow(),
                node.exports());
    }

    private static RaftNodes.Node other(RaftNodes nodes, RaftNodes.Node... than) {
        return nodes.all().stream()
                .filter(each -> !List.of(than).contains(each))
                .findFirst()
                .orElseThrow();
    }

    private static void awaitSettled(RaftNodes.Node leader, ReplicaAddress voter) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> {
                    ReplicaStatus status =
                            leader.groups().orElseThrow().status(RaftNodes.group(0)).orElseThrow();
                    return status.isSettled() && status.voters().contains(voter);
                });
    }

    private static RaftNodes.Node awaitLeader(RaftNodes nodes) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> nodes.leader(0), Optional::isPresent)
                .orElseThrow();
    }

    private static void write(RaftNodes.Node node, DocumentId id, String text) throws IOException {
        DocumentStore store = node.store().orElseThrow();
        store.keep(Notes.TYPE, SearchedTexts.NONE);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(
                        () -> store.write(Notes.write(id, text), Optional.empty(), soon()),
                        WriteReply.Stored.class::isInstance);
    }

    private static void awaitText(RaftNodes.Node node, DocumentId id, String text) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> Notes.text(node.store().orElseThrow(), id).equals(text));
    }

    private static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(30));
    }
}
