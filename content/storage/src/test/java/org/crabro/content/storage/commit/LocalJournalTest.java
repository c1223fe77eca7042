package org.crabro.content.storage.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.crabro.content.storage.commit.Proposal.Outcome;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.journal.SegmentedLog;
import org.crabro.content.storage.store.Notes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LocalJournalTest {
    private static final int WRITERS = 8;
    private static final int EACH = 500;

    @Test
    void appliesInTheOrderOfPositionsBeforeItAnswers() throws Exception {
        // Guarded by itself: the applier adds positions before the journal replies.
        List<Long> applied = new ArrayList<>();
        try (LocalJournal journal =
                        start((_, position, _) -> {
                            synchronized (applied) {
                                applied.add(position);
                            }
                        });
                ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            Callable<Boolean> writer =
                    () -> {
                        boolean isSeen = true;
                        for (int i = 0; i < EACH; i++) {
                            var outcome = (Outcome.Applied) write(journal);
                            synchronized (applied) {
                                isSeen &= applied.size() >= outcome.position();
                            }
                        }
                        return isSeen;
                    };
            List<Future<Boolean>> seen = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                seen.add(writers.submit(writer));
            }
            for (Future<Boolean> each : seen) {
                assertThat(each.get()).isTrue();
            }

            assertThat(journal.applied()).isEqualTo(WRITERS * EACH);
            assertThat(applied)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, WRITERS * EACH).boxed().toList());
        }
    }

    @Test
    void acknowledgesNothingOnceARowCouldNotBeApplied() throws Exception {
        try (LocalJournal journal =
                        start((_, position, _) -> {
                            if (position == 100) {
                                throw new IllegalStateException("row 100");
                            }
                        });
                ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            var stored = new AtomicInteger();
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                done.add(
                        writers.submit(() -> {
                            for (int row = 0; row < EACH; row++) {
                                if (write(journal) instanceof Outcome.Applied) {
                                    stored.incrementAndGet();
                                }
                            }
                        }));
            }
            for (Future<?> each : done) {
                each.get();
            }

            assertThat(stored).hasValueLessThan(100);
            assertThat(journal.applied()).isEqualTo(99);
            assertThat(write(journal)).isInstanceOf(Outcome.Failed.class);
        }
    }

    @Test
    void reportsTheCauseOfItsFailure() throws IOException {
        try (LocalJournal journal =
                start((_, _, _) -> {
                    throw new OutOfMemoryError("no native memory");
                })) {
            assertThat(journal.failure()).isEmpty();

            assertThat(write(journal)).isInstanceOf(Outcome.Failed.class);

            assertThat(journal.failure())
                    .contains(
                            "the journal's thread ended: java.lang.OutOfMemoryError: no native"
                                    + " memory");
        }
    }

    /** If memory is exhausted, logging and replying to the writer fail as well. */
    @Test
    void reportsAFailureThatCannotBeLogged() throws IOException {
        LocalJournal journal =
                start((_, _, _) -> {
                    throw new Unspeakable();
                });
        propose(journal, 0);

        journal.close();

        assertThat(journal.failure().orElseThrow()).endsWith(Unspeakable.class.getName());
    }

    private static final class Unspeakable extends OutOfMemoryError {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw this;
        }
    }

    @Test
    void makesDurableTogetherWhatIsProposedTogether() throws Exception {
        try (LocalJournal journal = start((_, _, _) -> {})) {
            write(journal);
            long forces = journal.forces();
            for (int again = 1; again <= 50; again++) {
                List<Proposal> proposals =
                        journal.together(() ->
                                IntStream.range(0, 16)
                                        .mapToObj(partition -> propose(journal, partition))
                                        .toList());

                assertThat(proposals)
                        .allMatch(each -> each.await(Notes.soon()) instanceof Outcome.Applied);
                assertThat(journal.forces() - forces).isEqualTo(again);
            }
        }
    }

    @Test
    void answersWhileOthersOfTheBatchAreApplied() throws Exception {
        var isAnswered = new CountDownLatch(1);
        try (LocalJournal journal =
                start((partition, _, _) -> {
                    if (partition == 1) {
                        awaitUninterrupted(isAnswered);
                    }
                })) {
            List<Proposal> both =
                    journal.together(() -> List.of(propose(journal, 0), propose(journal, 1)));

            assertThat(both.getFirst().await(Notes.soon())).isInstanceOf(Outcome.Applied.class);
            isAnswered.countDown();
            assertThat(both.getLast().await(Notes.soon())).isInstanceOf(Outcome.Applied.class);
            assertThat(journal.forces()).isEqualTo(1);
        }
    }

    @Test
    void saysOnceThatAllIsOver() throws Exception {
        var over = new AtomicInteger();
        try (LocalJournal journal =
                start((partition, _, _) -> {
                    if (partition == 1) {
                        throw new IllegalStateException("rows of partition 1");
                    }
                })) {
            List<Proposal> three =
                    journal.together(() ->
                            IntStream.range(0, 3)
                                    .mapToObj(partition ->
                                            journal.propose(
                                                            RowProposal.of(
                                                                    0,
                                                                    partition,
                                                                    List.of(new byte[100])),
                                                            over::incrementAndGet)
                                                    .orElseThrow())
                                    .toList());

            assertThat(three.get(0).await(Notes.soon())).isInstanceOf(Outcome.Applied.class);
            assertThat(three.get(1).await(Notes.soon())).isInstanceOf(Outcome.Failed.class);
            assertThat(three.get(2).await(Notes.soon())).isInstanceOf(Outcome.Failed.class);
        }
        assertThat(over).hasValue(3);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    private static Proposal propose(LocalJournal journal, int partition) {
        return journal.propose(RowProposal.of(0, partition, List.of(new byte[100])), () -> {})
                .orElseThrow();
    }

    private static Outcome write(LocalJournal journal) {
        return propose(journal, 3).await(Notes.soon());
    }

    private static LocalJournal start(Journal.Applier applier) throws IOException {
        SegmentedLog log =
                SegmentedLog.open(new MemoryLogFiles(), "journal", 64 << 10, 1, (_, _) -> {});
        return LocalJournal.start(log, JournalSettings.DEFAULT, applier);
    }
}
