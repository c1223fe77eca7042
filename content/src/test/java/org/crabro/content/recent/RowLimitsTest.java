package org.crabro.content.recent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.FeedReply;
import org.junit.jupiter.api.Test;

class RowLimitsTest {
    private static final DocumentId MAIL = DocumentId.parse("id:ns:mail::1");
    private static final DocumentId NOTE = DocumentId.parse("id:ns:note::1");

    private final RowLimits limits = new RowLimits(1_000, 16 * 5_000, false);

    @Test
    void refusesWhatIsLargerThanUsual() {
        assertThat(limits.refusal(MAIL, 1_000)).isEmpty();
        assertThat(limits.refusal(MAIL, 1_001))
                .contains(
                        new FeedReply.Rejected(
                                "id:ns:mail::1 has 1001 bytes, more than the maximum of 1000"));
    }

    @Test
    void asksTheTypesOwnLimitWhileItHasOne() {
        limits.set(Map.of("mail", 3_000));
        assertThat(limits.refusal(MAIL, 3_000)).isEmpty();
        assertThat(limits.refusal(MAIL, 3_001)).isPresent();
        assertThat(limits.refusal(NOTE, 1_001)).isPresent();

        limits.set(Map.of());
        assertThat(limits.refusal(MAIL, 1_001)).isPresent();
    }

    @Test
    void takesNothingThatTheHeapHasNoRoomFor() {
        limits.set(Map.of("mail", 9_000));

        assertThat(limits.refusal(MAIL, 5_000)).isEmpty();
        assertThat(limits.refusal(MAIL, 5_001))
                .contains(
                        new FeedReply.Rejected(
                                "id:ns:mail::1 has 5001 bytes, more than the maximum of 5000:"
                                        + " a sixteenth of the heap"));
    }

    @Test
    void takesNothingThatAnEntryOfReplicasHasNoRoomFor() {
        var replicated = new RowLimits(64 << 20, 16L << 30, true);

        assertThat(replicated.refusal(MAIL, 8 << 20)).isEmpty();
        assertThat(replicated.refusal(MAIL, (8 << 20) + 1))
                .contains(
                        new FeedReply.TooLarge(
                                "id:ns:mail::1 has 8388609 bytes, more than the maximum of"
                                        + " 8388608: the limit with replicas"));
    }
}
