package org.crabro.content.replication.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.crabro.content.replication.log.OperationSessions.Stored;
import org.crabro.content.replication.log.OperationSessions.Verdict;
import org.crabro.protocol.feed.OperationId;
import org.junit.jupiter.api.Test;

class OperationSessionsTest {
    private static final Stored STORED = new Stored(1_000, 70_000);

    private final OperationSessions sessions = new OperationSessions();

    @Test
    void anOperationIsCarriedOutOnce() {
        assertThat(sessions.check(first(1, 5, 5))).isEqualTo(new Verdict.New());

        sessions.note(first(1, 5, 5), STORED);

        assertThat(sessions.check(retry(1, 5, 5))).isEqualTo(new Verdict.Done(STORED));
        assertThat(sessions.check(first(1, 6, 5))).isEqualTo(new Verdict.New());
        assertThat(sessions.check(first(2, 5, 5))).isEqualTo(new Verdict.New());
    }

    @Test
    void operationsBelowTheLowestWithoutAReplyAreForgotten() {
        sessions.note(first(1, 5, 5), STORED);
        sessions.note(first(1, 7, 6), STORED);

        assertThat(sessions.check(retry(1, 5, 5))).isEqualTo(new Verdict.Forgotten());
        assertThat(sessions.check(retry(1, 6, 6))).isEqualTo(new Verdict.New());
        assertThat(sessions.check(retry(1, 7, 6))).isEqualTo(new Verdict.Done(STORED));
    }

    @Test
    void retriesOfUnknownSessionsAreNotCarriedOut() {
        assertThat(sessions.check(retry(1, 5, 5))).isEqualTo(new Verdict.Forgotten());
    }

    @Test
    void outcomesAndSessionsAreBounded() {
        for (int i = 0; i <= OperationSessions.OUTCOMES_MAX; i++) {
            sessions.note(first(1, i, 0), STORED);
        }
        assertThat(sessions.check(retry(1, 0, 0))).isEqualTo(new Verdict.Forgotten());
        assertThat(sessions.check(retry(1, 1, 0))).isEqualTo(new Verdict.Done(STORED));

        for (int i = 2; i <= OperationSessions.SESSIONS_MAX; i++) {
            sessions.note(first(i, 1, 1), STORED);
        }
        sessions.note(first(1, OperationSessions.OUTCOMES_MAX + 1, 0), STORED);
        sessions.note(first(9_999, 1, 1), STORED);

        assertThat(sessions.check(retry(1, 9, 0))).isEqualTo(new Verdict.Done(STORED));
        assertThat(sessions.check(retry(2, 1, 1))).isEqualTo(new Verdict.Forgotten());
        assertThat(sessions.check(retry(3, 1, 1))).isEqualTo(new Verdict.Done(STORED));
    }

    @Test
    void readsWhatItWrites() {
        sessions.note(first(1, 5, 4), STORED);
        sessions.note(first(2, 7, 7), new Stored(2, 3));

        OperationSessions read = OperationSessions.decode(ByteBuffer.wrap(sessions.encode()));

        assertThat(read.check(retry(1, 5, 4))).isEqualTo(new Verdict.Done(STORED));
        assertThat(read.check(retry(1, 3, 3))).isEqualTo(new Verdict.Forgotten());
        assertThat(read.check(retry(2, 7, 7))).isEqualTo(new Verdict.Done(new Stored(2, 3)));
        assertThat(read.encode()).isEqualTo(sessions.encode());
    }

    private static OperationId first(long session, long number, long lowest) {
        return new OperationId(session, number, lowest, false);
    }

    private static OperationId retry(long session, long number, long lowest) {
        return first(session, number, lowest).again();
    }
}
