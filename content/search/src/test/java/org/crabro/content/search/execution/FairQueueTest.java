package org.crabro.content.search.execution;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FairQueueTest {
    private static final int QUANTUM = 5;

    private final FairQueue order = new FairQueue(limits(100, 100));

    @Test
    void aClientWithManySearchesDoesNotHoldUpAnother() {
        for (int i = 0; i < 50; i++) {
            order.add(new FairQueue.Entry("many"));
        }
        FairQueue.Entry first = order.next();
        var other = new FairQueue.Entry("other");
        order.add(other);

        assertThat(first).isNotNull();
        assertThat(order.next()).isSameAs(other);
    }

    @Test
    void aNewSearchGoesBeforeALongOneOfTheSameClient() {
        var longOne = new FairQueue.Entry("one");
        order.add(longOne);
        assertThat(order.next()).isSameAs(longOne);
        var shortOne = new FairQueue.Entry("one");
        order.add(shortOne);
        order.suspend(longOne, QUANTUM, true);

        assertThat(order.next()).isSameAs(shortOne);
        order.end(shortOne, 1);
        assertThat(order.next()).isSameAs(longOne);
        order.end(longOne, 1);
        assertThat(order.next()).isNull();
        assertThat(order.clients()).isZero();
    }

    @Test
    void timeThatWasNotUsedIsNotSavedUp() {
        var busy = new FairQueue.Entry("busy");
        order.add(busy);
        for (int i = 0; i < 100; i++) {
            assertThat(order.next()).isSameAs(busy);
            order.suspend(busy, QUANTUM, true);
        }
        List<String> turns = new ArrayList<>();
        var late = new FairQueue.Entry("late");
        order.add(late);
        for (int i = 0; i < 10; i++) {
            FairQueue.Entry next = requireNonNull(order.next());
            turns.add(late.equals(next) ? "late" : "busy");
            order.suspend(next, QUANTUM, true);
        }

        assertThat(turns).startsWith("late").filteredOn("late"::equals).hasSizeBetween(5, 6);
    }

    @Test
    void boundsWhatWaits() {
        var bounded = new FairQueue(new ScanLimits(1, 1, 1, 3, 2, Duration.ofNanos(QUANTUM)));
        bounded.add(new FairQueue.Entry("a"));
        assertThat(bounded.refusal("a")).isNull();
        var second = new FairQueue.Entry("a");
        bounded.add(second);

        assertThat(bounded.refusal("a"))
                .isEqualTo("2 searches of this client wait already, at most 2");
        assertThat(bounded.refusal("b")).isNull();
        bounded.add(new FairQueue.Entry("b"));
        assertThat(bounded.refusal("b")).isEqualTo("3 searches wait already, at most 3");

        assertThat(bounded.remove(second)).isTrue();
        assertThat(bounded.remove(second)).isFalse();
        assertThat(bounded.refusal("a")).isNull();
    }

    @Test
    void boundsWhatHasBegun() {
        var bounded = new FairQueue(limits(2, 1));
        var a = new FairQueue.Entry("a");
        bounded.add(a);
        assertThat(bounded.next()).isSameAs(a);
        bounded.suspend(a, QUANTUM, true);
        bounded.add(new FairQueue.Entry("a"));

        assertThat(bounded.next()).as("the second may not begin").isSameAs(a);
        bounded.suspend(a, QUANTUM, true);
        var b = new FairQueue.Entry("b");
        bounded.add(b);
        assertThat(bounded.next()).isSameAs(b);
    }

    /**
     * While two clients have searches that wait, both get the same time, whatever other clients do.
     * They may differ by the slices that run at the same time.
     */
    @Test
    void sharesTimeInRandomHistories() {
        long first = Long.getLong("crabro.seed", 1);
        for (long seed = first; seed < first + 300; seed++) {
            new History(seed).run();
        }
    }

    private static final class History {
        private static final int CLIENTS = 4;

        private final long seed;
        private final Random random;
        private final int slots;
        private final FairQueue order;
        private final List<FairQueue.Entry> running = new ArrayList<>();
        private final Map<FairQueue.Entry, Integer> clients = new HashMap<>();
        private final Map<FairQueue.Entry, Integer> left = new HashMap<>();
        private final int[] waiting = new int[CLIENTS];
        private final long[] served = new long[CLIENTS];
        private final long[][] base = new long[CLIENTS][CLIENTS];

        History(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.slots = 1 + random.nextInt(4);
            this.order = new FairQueue(limits(1_000, 1_000));
        }

        void run() {
            for (int step = 0; step < 500; step++) {
                if (running.isEmpty() || random.nextInt(3) == 0) {
                    arrive();
                } else {
                    finish();
                }
                fill();
                check();
            }
            while (!running.isEmpty()) {
                finish();
                fill();
            }
            assertThat(order.waiting()).as("seed %d", seed).isZero();
            assertThat(order.clients()).as("seed %d", seed).isZero();
        }

        private void arrive() {
            int client = random.nextInt(CLIENTS);
            for (int i = random.nextInt(client == 0 ? 10 : 2); i >= 0; i--) {
                var entry = new FairQueue.Entry("client" + client);
                clients.put(entry, client);
                left.put(entry, random.nextInt(client == 0 ? 50 : 10));
                order.add(entry);
                waiting[client]++;
            }
        }

        private void finish() {
            FairQueue.Entry entry = running.remove(random.nextInt(running.size()));
            int used = 1 + random.nextInt(QUANTUM);
            int client = requireNonNull(clients.get(entry));
            served[client] += used;
            int remainder = left.merge(entry, -used, Integer::sum);
            if (remainder > 0) {
                order.suspend(entry, used, true);
                waiting[client]++;
            } else {
                order.end(entry, used);
            }
        }

        private void fill() {
            while (running.size() < slots) {
                FairQueue.Entry next = order.next();
                if (next == null) {
                    return;
                }
                waiting[requireNonNull(clients.get(next))]--;
                running.add(next);
            }
        }

        private void check() {
            for (int a = 0; a < CLIENTS; a++) {
                for (int b = 0; b < CLIENTS; b++) {
                    if (waiting[a] == 0 || waiting[b] == 0) {
                        base[a][b] = served[a];
                    }
                }
            }
            for (int a = 0; a < CLIENTS; a++) {
                for (int b = 0; b < CLIENTS; b++) {
                    long more = served[a] - base[a][b] - (served[b] - base[b][a]);
                    assertThat(more)
                            .as("seed %d, %d before %d with %d slots", seed, a, b, slots)
                            .isLessThanOrEqualTo(2L * (slots + 1) * QUANTUM);
                }
            }
        }
    }

    private static ScanLimits limits(int suspended, int ofClient) {
        return new ScanLimits(1, suspended, ofClient, 100_000, 100_000, Duration.ofNanos(QUANTUM));
    }
}
