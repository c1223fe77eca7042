package org.crabro.container.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.container.document.ReadReply;
import org.crabro.container.document.WriteResult;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.junit.jupiter.api.Test;

class DocumentDispatchTest {
    private static final DocumentId ANNA = DocumentId.parse("id:ns:mail:g=anna:1");
    private static final Deadline LATER = Deadline.after(Duration.ofMinutes(1));

    private static final WriteCondition CONDITION = WriteCondition.of("mail.size > 3");
    private static final ConditionalOperation REMOVAL =
            ConditionalOperation.always(new DocumentOperation.Remove(ANNA));

    private final RecordingNodes nodes = new RecordingNodes();
    private final DocumentDispatch dispatch =
            new DocumentDispatch(nodes, () -> new ClusterView(new Partitions(8), 17));

    @Test
    void asksThePartitionOfTheLocation() {
        DocumentId numbered = DocumentId.parse("id:ns:mail:n=258:1");

        ReadReply reply = dispatch.read(Principal.EVERYONE, LATER, numbered, new ReadHold());

        assertThat(reply).isEqualTo(new ReadReply.Answered(new GetReply.Missing()));
        assertThat(nodes.gets)
                .singleElement()
                .satisfies(request -> {
                    assertThat(request.partition()).isEqualTo(2);
                    assertThat(request.id()).isEqualTo(numbered);
                    assertThat(request.header().deadline()).isEqualTo(LATER);
                    assertThat(request.header().stateVersion()).isEqualTo(17);
                    assertThat(request.header().principal()).isEqualTo(Principal.EVERYONE);
                });
    }

    @Test
    void writesAndReadsOfAGroupMeetInOnePartition() {
        var put = new DocumentOperation.Put(new Document(ANNA, Map.of()));
        int partition = new Partitions(8).of(DocumentId.locationOfGroup("anna"));

        WriteResult reply =
                dispatch.write(
                        Principal.EVERYONE, LATER, new ConditionalOperation(put, CONDITION, true));
        dispatch.write(Principal.EVERYONE, LATER, REMOVAL);
        dispatch.read(Principal.EVERYONE, LATER, ANNA, new ReadHold());

        assertThat(reply)
                .isEqualTo(
                        new WriteResult.Answered(
                                new WriteReply.Stored(1, new PartitionPosition(partition, 1))));
        assertThat(nodes.writes)
                .map(request -> request.writes().getFirst())
                .containsExactly(
                        new Write.Operation(
                                partition, new ConditionalOperation(put, CONDITION, true)),
                        new Write.Operation(partition, REMOVAL));
        assertThat(nodes.gets).extracting(GetRequest::partition).containsOnly(partition);
    }

    @Test
    void sendsARowWithItsConditionToWhoeverMayWriteIt() {
        var anna = new Principal("anna", new Principal.Groups.Only(Set.of("anna")));
        var ben = new Principal("ben", new Principal.Groups.Only(Set.of("ben")));
        int partition = dispatch.partition(ANNA);
        var write = new Write.Row(partition, ANNA, new byte[] {1}, CONDITION, true);

        assertThat(dispatch.write(anna, LATER, write))
                .isEqualTo(
                        new WriteResult.Answered(
                                new WriteReply.Stored(1, new PartitionPosition(partition, 1))));
        assertThat(dispatch.write(ben, LATER, write))
                .isEqualTo(new WriteResult.Forbidden("'ben' may not touch group 'anna'"));
        assertThat(dispatch.write(anna, new Deadline(System.nanoTime() - 1), write))
                .isEqualTo(new WriteResult.Answered(new WriteReply.TimedOut()));
        assertThat(nodes.writes)
                .singleElement()
                .satisfies(request -> {
                    assertThat(request.writes()).containsExactly(write);
                    assertThat(request.header().stateVersion()).isEqualTo(17);
                });
    }

    @Test
    void letsNobodyTouchTheGroupsOfOthers() {
        var ben = new Principal("ben", new Principal.Groups.Only(Set.of("ben")));
        var anna = new Principal("anna", new Principal.Groups.Only(Set.of("anna")));

        assertThat(dispatch.read(ben, LATER, ANNA, new ReadHold()))
                .isEqualTo(new ReadReply.Forbidden("'ben' may not touch group 'anna'"));
        assertThat(dispatch.write(ben, LATER, REMOVAL))
                .isEqualTo(new WriteResult.Forbidden("'ben' may not touch group 'anna'"));
        assertThat(dispatch.read(anna, LATER, DocumentId.parse("id:ns:mail::1"), new ReadHold()))
                .isInstanceOf(ReadReply.Forbidden.class);
        assertThat(nodes.gets).isEmpty();
        assertThat(nodes.writes).isEmpty();
        assertThat(dispatch.read(anna, LATER, ANNA, new ReadHold()))
                .isInstanceOf(ReadReply.Answered.class);
    }

    @Test
    void sendsTogetherWhatItsSenderMayWrite() {
        var anna = new Principal("anna", new Principal.Groups.Only(Set.of("anna")));
        DocumentId ben = DocumentId.parse("id:ns:mail:g=ben:1");
        var own = new Write.Row(dispatch.partition(ANNA), ANNA, new byte[] {1});
        var foreign = new Write.Row(dispatch.partition(ben), ben, new byte[] {2});

        List<WriteResult> replies = dispatch.write(anna, LATER, List.of(foreign, own, own));

        WriteResult stored =
                new WriteResult.Answered(
                        new WriteReply.Stored(1, new PartitionPosition(own.partition(), 1)));
        assertThat(replies)
                .containsExactly(
                        new WriteResult.Forbidden("'anna' may not touch group 'ben'"),
                        stored,
                        stored);
        assertThat(nodes.writes)
                .singleElement()
                .satisfies(batch -> {
                    assertThat(batch.writes()).containsExactly(own, own);
                    assertThat(batch.header().stateVersion()).isEqualTo(17);
                });
    }

    @Test
    void asksNobodyWhenTimeHasRunOut() {
        var passed = new Deadline(System.nanoTime() - 1);

        assertThat(dispatch.read(Principal.EVERYONE, passed, ANNA, new ReadHold()))
                .isEqualTo(new ReadReply.Answered(new GetReply.TimedOut()));
        assertThat(dispatch.write(Principal.EVERYONE, passed, REMOVAL))
                .isEqualTo(new WriteResult.Answered(new WriteReply.TimedOut()));
        assertThat(nodes.gets).isEmpty();
        assertThat(nodes.writes).isEmpty();
    }
}
