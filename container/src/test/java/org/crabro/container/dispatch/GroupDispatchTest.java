package org.crabro.container.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.crabro.container.document.WriteResult;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.junit.jupiter.api.Test;

class GroupDispatchTest {
    private static final Partitions PARTITIONS = new Partitions(6);
    private static final LocationKey ANNA = new LocationKey.Group("anna");

    private final RecordingNodes nodes = new RecordingNodes();
    private final GroupDispatch dispatch =
            new GroupDispatch(nodes, () -> new ClusterView(PARTITIONS, 7));

    @Test
    void asksTheOwnerOfTheGroupsPartition() {
        WriteResult reply =
                dispatch.remove(
                        Principal.EVERYONE, Deadline.after(Duration.ofSeconds(9)), "note", ANNA);

        assertThat(reply).isInstanceOf(WriteResult.Answered.class);
        int partition = PARTITIONS.of(DocumentId.locationOfGroup("anna"));
        assertThat(nodes.writes)
                .singleElement()
                .satisfies(request -> {
                    assertThat(request.writes())
                            .containsExactly(new Write.RemoveGroup(partition, "note", ANNA));
                    assertThat(request.header().stateVersion()).isEqualTo(7);
                });
    }

    @Test
    void asksNobodyForWhoMayNotOrIsLate() {
        var bert = new Principal("bert", new Principal.Groups.Only(Set.of("bert")));

        assertThat(dispatch.remove(bert, Deadline.after(Duration.ofSeconds(9)), "note", ANNA))
                .isEqualTo(new WriteResult.Forbidden("'bert' may not touch group 'anna'"));
        assertThat(dispatch.remove(Principal.EVERYONE, Deadline.after(Duration.ZERO), "note", ANNA))
                .isEqualTo(new WriteResult.Answered(new WriteReply.TimedOut()));
        assertThat(nodes.writes).isEmpty();
    }
}
