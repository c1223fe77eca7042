package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.crabro.content.replication.log.ConsensusLog;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.replica.ShardRecord;
import org.junit.jupiter.api.Test;

/** What is reported when Ratis ends a group. */
class GroupMachineTest {
    private final List<Runnable> tasks = new ArrayList<>();
    private final List<String> events = new ArrayList<>();

    @Test
    void aReplicaThatTheOthersRemovedHasNotFailed() throws Exception {
        GroupMachine machine = machine();

        machine.close();
        assertThat(events).isEmpty();
        machine.notifyServerShutdown(RoleInfoProto.getDefaultInstance(), false);
        tasks.forEach(Runnable::run);

        assertThat(events).containsExactly("removed");
    }

    @Test
    void aReplicaThatRatisEndsHasFailed() throws Exception {
        GroupMachine machine = machine();

        machine.close();
        tasks.forEach(Runnable::run);

        assertThat(events).containsExactly("the server of the replica was closed");
    }

    private GroupMachine machine() throws Exception {
        return new GroupMachine(
                ShardRecord.open(new FaultyLogFiles(new Random(1)), "shard"),
                new ConsensusLog.Listener() {
                    @Override
                    public void committed(long index, long term, byte[] entry) {
                        throw new IllegalStateException("nothing is committed");
                    }

                    @Override
                    public void leads(long term) {
                        throw new IllegalStateException("it does not lead");
                    }

                    @Override
                    public void follows() {
                        throw new IllegalStateException("it did not lead");
                    }
                },
                new GroupMachine.Events() {
                    @Override
                    public void failed(String reason) {
                        events.add(reason);
                    }

                    @Override
                    public void behind() {
                        events.add("behind");
                    }

                    @Override
                    public void removed() {
                        events.add("removed");
                    }
                },
                tasks::add,
                Duration.ofMillis(10));
    }
}
