package org.crabro.protocol.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;

class WriteRequestTest {
    private static final RequestHeader HEADER =
            new RequestHeader(Principal.EVERYONE, 0, new Deadline(0));
    private static final Write.Row ROW =
            new Write.Row(0, DocumentId.parse("id:n:music::1"), new byte[] {1});
    private static final Write.RemoveGroup REMOVAL =
            new Write.RemoveGroup(0, "music", new LocationKey.Group("anna"));
    private static final OperationId ID = new OperationId(1, 2, 2, false);

    @Test
    void rejectsAListWithoutWrites() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WriteRequest(HEADER, List.of()))
                .withMessage("no writes");
    }

    @Test
    void rejectsIdsOfSomeWrites() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WriteRequest(HEADER, List.of(ROW, ROW), List.of(ID)))
                .withMessage("1 ids of 2 writes");
    }

    @Test
    void rejectsTheRemovalOfAGroupTogetherWithOtherWrites() {
        assertThat(new WriteRequest(HEADER, REMOVAL, Optional.of(ID)).ids()).containsExactly(ID);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WriteRequest(HEADER, List.of(ROW, REMOVAL)))
                .withMessage("the removal of a group together with other writes");
    }

    @Test
    void copiesTheBytesOfARow() {
        Write.Row copy = ROW.copy();

        assertThat(copy).isEqualTo(ROW);
        assertThat(copy.bytes()).isNotSameAs(ROW.bytes());
    }
}
