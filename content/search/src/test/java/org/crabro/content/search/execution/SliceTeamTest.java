package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SliceTeamTest {
    /** Notes the slices it got. */
    private static final class Noting implements SliceTeam.Worker {
        private final List<Integer> slices = new ArrayList<>();

        @Override
        public void work(int slice) {
            slices.add(slice);
        }
    }

    @Test
    void givesEachSliceToOneThread() {
        try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
            var team = new SliceTeam<>(1_000, Noting::new, () -> false);

            team.run(pool, 2, slowly(), slowly());

            assertThat(team.workers().stream().flatMap(worker -> worker.slices.stream()))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 1_000).boxed().toList());
            assertThat(team.isStopped()).isFalse();
        }
    }

    @Test
    void doesNotWaitForHelpersThatNeverCame() {
        var waiting = new ArrayDeque<Runnable>();
        var team = new SliceTeam<>(10, Noting::new, () -> false);

        team.run(waiting::add, 2, slowly(), slowly());
        waiting.forEach(Runnable::run);

        assertThat(team.workers()).hasSize(1);
        assertThat(team.workers().getFirst().slices).hasSize(10);
    }

    @Test
    void endsWhereAsManyTeamsAsThreadsLookForHelp() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            var bothLead = new CountDownLatch(2);
            List<Future<Integer>> leads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                leads.add(
                        pool.submit(() -> {
                            bothLead.countDown();
                            bothLead.await();
                            var team = new SliceTeam<>(50, Noting::new, () -> false);
                            team.run(pool, 4, slowly(), slowly());
                            return team.workers().stream()
                                    .mapToInt(worker -> worker.slices.size())
                                    .sum();
                        }));
            }

            assertThat(leads.get(0).get() + leads.get(1).get()).isEqualTo(100);
        }
    }

    @Test
    void throwsTheFailureOfAHelperInItsLeader() {
        try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
            var helping = new CountDownLatch(1);
            Thread leader = Thread.currentThread();
            var team =
                    new SliceTeam<SliceTeam.Worker>(
                            3,
                            () ->
                                    slice -> {
                                        boolean isLeader = Thread.currentThread().equals(leader);
                                        if (isLeader && slice > 0) {
                                            awaitQuietly(helping);
                                        } else if (!isLeader) {
                                            helping.countDown();
                                            throw new IllegalStateException("a bad block");
                                        }
                                    },
                            () -> false);

            assertThatIllegalStateException()
                    .isThrownBy(() -> team.run(pool, 1, slowly(), slowly()))
                    .withMessage("a bad block");
        }
    }

    @Test
    void startsNoSliceAfterTheDeadline() {
        var taken = new ConcurrentLinkedQueue<Integer>();
        var team = new SliceTeam<SliceTeam.Worker>(10, () -> taken::add, () -> taken.size() >= 3);

        team.run(_ -> {}, 1, slowly(), slowly());

        assertThat(taken).containsExactly(0, 1, 2);
        assertThat(team.isStopped()).isTrue();
        assertThat(Collections.max(taken)).isEqualTo(2);
    }

    @Test
    void asksForNoHelpWithWhatIsDoneSoon() {
        var asked = new ArrayDeque<Runnable>();
        var clock = new AtomicLong();
        var quick = new SliceTeam<>(11, Noting::new, () -> false);
        var slow = new SliceTeam<>(11, Noting::new, () -> false);

        quick.run(asked::add, 2, () -> clock.addAndGet(SliceTeam.HELP_NANOS / 10 - 1), slowly());
        assertThat(asked).isEmpty();
        slow.run(asked::add, 2, () -> clock.addAndGet(SliceTeam.HELP_NANOS / 10), slowly());
        assertThat(asked).hasSize(2);
    }

    @Test
    void oneSliceThatTakesLongDoesNotTellOfOthers() {
        var asked = new ArrayDeque<Runnable>();
        var clock = new AtomicLong();
        SliceTeam.Worker worker =
                slice -> clock.addAndGet(slice == 0 ? SliceTeam.TELLING_NANOS - 1_000 : 10);
        var team = new SliceTeam<>(100, () -> worker, () -> false);

        team.run(asked::add, 1, clock::get, slowly());

        assertThat(asked).isEmpty();
    }

    @Test
    void asksForHelpWhereLaterSlicesTakeLong() {
        var asked = new ArrayDeque<Integer>();
        var clock = new AtomicLong();
        var done = new ArrayDeque<Integer>();
        SliceTeam.Worker worker =
                slice -> {
                    done.add(slice);
                    clock.addAndGet(slice < 10 ? 10 : SliceTeam.TELLING_NANOS);
                };
        var team = new SliceTeam<>(200, () -> worker, () -> false);

        team.run(_ -> asked.add(done.size()), 1, clock::get, slowly());

        assertThat(asked).containsExactly(11);
        assertThat(done).hasSize(200);
    }

    @Test
    void asksForNoHelpSinceItHadToWait() {
        var asked = new ArrayDeque<Runnable>();
        var waited = new SliceTeam<>(11, Noting::new, () -> false);
        var worked = new SliceTeam<>(11, Noting::new, () -> false);

        waited.run(asked::add, 2, slowly(), () -> SliceTeam.HELP_NANOS / 10 - 1);
        assertThat(asked).isEmpty();
        worked.run(asked::add, 2, slowly(), () -> SliceTeam.HELP_NANOS / 10);
        assertThat(asked).hasSize(2);
    }

    /** A clock for which all work takes a long time. */
    private static LongSupplier slowly() {
        var clock = new AtomicLong();
        return () -> clock.addAndGet(SliceTeam.HELP_NANOS);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
