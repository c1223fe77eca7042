package org.crabro.container.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.crabro.container.document.WriteReply;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.junit.jupiter.api.Test;

class GroupDispatchTest {
    private static final Partitions PARTITIONS = new Partitions(6);
    private static final LocationKey ANNA = new LocationKey.Group("anna");

    private final List<RemoveGroupRequest> asked = new ArrayList<>();
    private final GroupDispatch dispatch =
            new GroupDispatch(
                    request -> {
                        asked.add(request);
                        return new FeedReply.Stored(1, new PartitionPosition(0, 1));
                    },
                    () -> new ClusterView(PARTITIONS, 7));

    @Test
    void asksTheOwnerOfTheGroupsPartition() {
        WriteReply reply =
                dispatch.remove(
                        Principal.EVERYONE, Deadline.after(Duration.ofSeconds(9)), "note", ANNA);

        assertThat(reply).isInstanceOf(WriteReply.Answered.class);
        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst().partition())
                .isEqualTo(PARTITIONS.of(DocumentId.locationOfGroup("anna")));
        assertThat(asked.getFirst().header().stateVersion()).isEqualTo(7);
    }

    @Test
    void asksNobodyForWhoMayNotOrIsLate() {
        var bert = new Principal("bert", new Principal.Groups.Only(Set.of("bert")));

        assertThat(dispatch.remove(bert, Deadline.after(Duration.ofSeconds(9)), "note", ANNA))
                .isEqualTo(new WriteReply.Forbidden("'bert' may not touch group 'anna'"));
        assertThat(dispatch.remove(Principal.EVERYONE, Deadline.after(Duration.ZERO), "note", ANNA))
                .isEqualTo(new WriteReply.Answered(new FeedReply.TimedOut()));
        assertThat(asked).isEmpty();
    }
}
