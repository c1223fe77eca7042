package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.junit.jupiter.api.Test;

class LeadershipTest {
    private static final RaftPeerId SELF = RaftPeerId.valueOf("a");

    private static final RaftConfiguration THREE = voters(List.of("a", "b", "c"), List.of());

    private final Leadership leadership =
            new Leadership(
                    fake(
                            LeaderState.class,
                            (name, _) -> {
                                throw new UnsupportedOperationException(name);
                            }));
    private final Follower b = new Follower("b");
    private final Follower c = new Follower("c");
    private final List<String> told = new ArrayList<>();

    /** What a fake interface answers to a method. */
    private interface Answers {
        Object to(String method, Object[] arguments);
    }

    @SuppressWarnings("ReferenceEquality")
    private static <T> T fake(Class<T> type, Answers answers) {
        return type.cast(
                Proxy.newProxyInstance(
                        LeadershipTest.class.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "equals" -> self == arguments[0];
                                    case "hashCode" -> System.identityHashCode(self);
                                    default -> answers.to(method.getName(), arguments);
                                }));
    }

    /** The sender of messages to a follower; the message with the number of the call is next. */
    private static final class Follower {
        private final RaftPeerId id;
        private final LogAppender sender;
        private long call;
        private int heartbeats;

        Follower(String name) {
            this.id = RaftPeerId.valueOf(name);
            this.sender = fake(LogAppender.class, (method, _) -> answer(method));
        }

        private Object answer(String method) {
            return switch (method) {
                case "getFollowerId" -> id;
                case "getCallId" -> call;
                case "getCallIdComparator" -> Comparator.<Long>naturalOrder();
                case "triggerHeartbeat" -> {
                    heartbeats++;
                    yield call;
                }
                default -> throw new UnsupportedOperationException(method);
            };
        }
    }

    private static RaftConfiguration voters(List<String> now, List<String> before) {
        return fake(
                RaftConfiguration.class,
                (method, _) ->
                        switch (method) {
                            case "getCurrentPeers" -> peers(now);
                            case "getPreviousPeers" -> peers(before);
                            default -> throw new UnsupportedOperationException(method);
                        });
    }

    private static List<RaftPeer> peers(List<String> names) {
        return names.stream().map(each -> RaftPeer.newBuilder().setId(each).build()).toList();
    }

    private void ask(String reader) {
        leadership.confirm(
                new Leadership.Waiting() {
                    @Override
                    public void confirmed() {
                        told.add(reader + " confirmed");
                    }

                    @Override
                    public void refused() {
                        told.add(reader + " refused");
                    }
                });
    }

    private void answered(Follower by, long call, boolean isSuccess, RaftConfiguration voters) {
        leadership.answered(
                by.sender,
                AppendEntriesReplyProto.newBuilder()
                        .setServerReply(
                                RaftRpcReplyProto.newBuilder()
                                        .setCallId(call)
                                        .setSuccess(isSuccess))
                        .build(),
                voters,
                SELF);
    }

    private void addBoth() {
        leadership.add(b.sender);
        leadership.add(c.sender);
    }

    @Test
    void anAnswerToAnEarlierMessageConfirmsNobody() {
        addBoth();
        b.call = 7;
        ask("one");

        answered(b, 6, true, THREE);
        assertThat(told).isEmpty();

        answered(b, 7, true, THREE);
        assertThat(told).containsExactly("one confirmed");
    }

    @Test
    void anEarlierConfirmationConfirmsNobody() {
        addBoth();
        ask("one");
        answered(c, 0, true, THREE);
        c.call = 1;
        ask("two");

        assertThat(told).containsExactly("one confirmed");

        answered(c, 1, true, THREE);
        assertThat(told).containsExactly("one confirmed", "two confirmed");
    }

    @Test
    void readersThatAskDuringARoundShareTheNext() {
        addBoth();
        ask("one");
        b.call = 1;
        ask("two");
        ask("three");
        assertThat(b.heartbeats).isEqualTo(1);

        answered(b, 0, true, THREE);
        assertThat(told).containsExactly("one confirmed");
        assertThat(b.heartbeats).isEqualTo(2);

        answered(b, 0, true, THREE);
        assertThat(told).containsExactly("one confirmed");

        answered(b, 1, true, THREE);
        assertThat(told).containsExactly("one confirmed", "two confirmed", "three confirmed");
    }

    @Test
    void aRefusalOfAFollowerConfirmsNobody() {
        addBoth();
        ask("one");

        answered(b, 0, false, THREE);

        assertThat(told).isEmpty();
    }

    @Test
    void duringAChangeOfVotersBothMajoritiesAreNeeded() {
        addBoth();
        RaftConfiguration changing = voters(List.of("a", "b", "c"), List.of("a", "c", "d"));
        ask("one");

        answered(b, 0, true, changing);
        assertThat(told).isEmpty();

        answered(c, 0, true, changing);
        assertThat(told).containsExactly("one confirmed");
    }

    @Test
    void theEndRefusesAllReadersAndLaterOnes() {
        addBoth();
        ask("one");
        ask("two");

        leadership.end();
        ask("three");
        answered(b, 9, true, THREE);

        assertThat(told).containsExactlyInAnyOrder("one refused", "two refused", "three refused");
    }

    @Test
    void aReplicaWithoutOthersIsAlone() {
        assertThat(Leadership.isAlone(voters(List.of("a"), List.of()), SELF)).isTrue();
        assertThat(Leadership.isAlone(THREE, SELF)).isFalse();
        assertThat(Leadership.isAlone(voters(List.of("a"), List.of("a", "b", "c")), SELF))
                .isFalse();
    }
}
