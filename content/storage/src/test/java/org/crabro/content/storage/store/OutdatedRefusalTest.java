package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.Proposal;
import org.crabro.content.storage.commit.Proposal.Outcome;
import org.crabro.content.storage.commit.RowProposal;
import org.crabro.content.storage.commit.ShardJournals;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A refusal follows from what was read. It is the reply if that was not outdated. */
class OutdatedRefusalTest {
    private static final WriteReply REFUSED = new WriteReply.ConditionNotMet(true);
    private static final WriteReply ELSEWHERE = new WriteReply.WrongOwner(0);

    /**
     * While a replica that follows makes a row, it may become the leader, or the other way. The
     * term -1 is {@link Journal#NO_TERM}.
     */
    @ParameterizedTest
    @CsvSource({
        " 1, true,   1, true",
        " 1, true,   2, false",
        " 1, true,  -1, false",
        " 1, false,  1, false",
        "-1, true,  -1, false",
        "-1, true,   1, false",
        "-1, false, -1, false",
    })
    void isTheReplyOfOneTermOnly(long before, boolean isConfirmed, long after, boolean isReply)
            throws Exception {
        var journal = new Scripted(before, isConfirmed, after);
        try (DocumentStore store =
                DocumentStore.open(
                        new FaultyLogFiles(new Random(1)),
                        StoreOptions.of(
                                        Notes.PARTITIONS.count(),
                                        RecentSettings.DEFAULT,
                                        InstantSource.system())
                                .with(journal))) {
            WriteReply reply =
                    store.write(
                            Notes.PARTITIONS.of(Notes.plain(1).location()),
                            Notes.plain(1),
                            true,
                            () -> {
                                journal.isMade = true;
                                return RowMaking.Made.nothing(REFUSED);
                            },
                            Optional.empty(),
                            Deadline.after(Duration.ofSeconds(60)));

            assertThat(reply).isEqualTo(isReply ? REFUSED : ELSEWHERE);
        }
    }

    /** Its term changes while a row is made. */
    private static final class Scripted implements ShardJournals, MemoryJournal {
        private final long before;
        private final boolean isConfirmed;
        private final long after;
        private boolean isMade;

        Scripted(long before, boolean isConfirmed, long after) {
            this.before = before;
            this.isConfirmed = isConfirmed;
            this.after = after;
        }

        @Override
        public int count() {
            return 1;
        }

        @Override
        public Journal start(int shard, Applier applier) {
            return this;
        }

        @Override
        public long term() {
            return isMade ? after : before;
        }

        @Override
        public Proposal current() {
            var current = new Proposal();
            boolean _ =
                    current.complete(
                            isConfirmed ? new Outcome.Applied(0) : new Outcome.NotWritten());
            return current;
        }

        @Override
        public Optional<Proposal> propose(RowProposal rows, Runnable whenDone) {
            throw new AssertionError("there are no rows");
        }

        @Override
        public long applied() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
