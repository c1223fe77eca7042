package org.crabro.content.search.execution;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of the waiting searches runs next, by start-time fair queueing on two levels. The
 * client that has used the least time is first, and of its searches the one that has used the least
 * time. A client cannot save up unused time: after a pause it starts at the time of the others.
 *
 * <p>It makes pure decisions: it has no clock, no thread and no lock.
 */
final class FairQueue {
    private final ScanLimits limits;
    private final Map<String, Client> clients = new HashMap<>();

    /** The time that the client chosen last had used before, in nanoseconds. */
    private long clock;

    private long arrivals;
    private int waiting;
    private int suspended;

    FairQueue(ScanLimits limits) {
        this.limits = limits;
    }

    /** A search that waits or has waited. */
    static final class Entry {
        private final String client;

        /** The time used, in nanoseconds: the search with the least is first. */
        private long used;

        private long arrival;
        private boolean isBegun;

        Entry(String client) {
            this.client = client;
        }
    }

    private static final class Client {
        private final PriorityQueue<Entry> fresh = queue();
        private final PriorityQueue<Entry> begun = queue();
        private long used;
        private long clock;

        /** The number of chosen searches that have not reported their end. */
        private int running;

        private static PriorityQueue<Entry> queue() {
            return new PriorityQueue<>(
                    Comparator.<Entry>comparingLong(entry -> entry.used)
                            .thenComparingLong(entry -> entry.arrival));
        }

        private int waiting() {
            return fresh.size() + begun.size();
        }
    }

    /** Returns why a new search of a client may not wait; null if it may. */
    @Nullable String refusal(String client) {
        Client queued = clients.get(client);
        int own = queued == null ? 0 : queued.waiting();
        if (waiting >= limits.waiting()) {
            return "%d searches wait already, at most %d".formatted(waiting, limits.waiting());
        }
        return own < limits.waitingOfClient()
                ? null
                : "%d searches of this client wait already, at most %d"
                        .formatted(own, limits.waitingOfClient());
    }

    /** Adds a search that has not begun. */
    void add(Entry entry) {
        Client client = waitingClient(entry);
        entry.used = client.clock;
        entry.arrival = arrivals++;
        client.fresh.add(entry);
        waiting++;
    }

    /**
     * Adds a search that has run and waits for its next turn.
     *
     * @param nanos the time that it has run since it was chosen, or since others wait
     * @param wasChosen whether {@link #next} returned it
     */
    void suspend(Entry entry, long nanos, boolean wasChosen) {
        long used = Math.max(1, nanos);
        client(entry).used += used;
        Client client = waitingClient(entry);
        entry.used = Math.max(entry.used, client.clock) + used;
        entry.arrival = arrivals++;
        entry.isBegun = true;
        if (wasChosen) {
            client.running--;
        }
        client.begun.add(entry);
        waiting++;
        suspended++;
    }

    /**
     * Removes a search that {@link #next} returned and that has ended.
     *
     * @param nanos the time that it has run
     */
    void end(Entry entry, long nanos) {
        Client client = client(entry);
        client.used += Math.max(1, nanos);
        client.running--;
        forget(entry.client, client);
    }

    /** Removes a search that waits no more, and returns whether it waited. */
    boolean remove(Entry entry) {
        Client client = clients.get(entry.client);
        if (client == null) {
            return false;
        }
        if (client.begun.remove(entry)) {
            suspended--;
        } else if (!client.fresh.remove(entry)) {
            return false;
        }
        waiting--;
        forget(entry.client, client);
        return true;
    }

    /** Chooses the next search and removes it from the queue; null if none can run. */
    @Nullable Entry next() {
        Client next = null;
        Entry first = null;
        for (Client client : clients.values()) {
            Entry entry = first(client);
            if (entry != null
                    && (next == null || first == null || isBefore(client, entry, next, first))) {
                next = client;
                first = entry;
            }
        }
        if (next == null || first == null) {
            return null;
        }
        if (first.isBegun) {
            next.begun.remove();
            suspended--;
        } else {
            next.fresh.remove();
        }
        waiting--;
        next.running++;
        next.clock = Math.max(next.clock, first.used);
        clock = Math.max(clock, next.used);
        return first;
    }

    private static boolean isBefore(Client a, Entry ofA, Client b, Entry ofB) {
        if (a.used != b.used) {
            return a.used < b.used;
        }
        return a.running == b.running ? ofA.arrival < ofB.arrival : a.running < b.running;
    }

    /** Returns the first of a client's searches that can run. */
    private @Nullable Entry first(Client client) {
        Entry begun = client.begun.peek();
        boolean mayBegin =
                client.begun.size() < limits.suspendedOfClient() && suspended < limits.suspended();
        Entry fresh = mayBegin ? client.fresh.peek() : null;
        if (fresh == null || begun == null) {
            return fresh == null ? begun : fresh;
        }
        return fresh.used < begun.used
                        || (fresh.used == begun.used && fresh.arrival < begun.arrival)
                ? fresh
                : begun;
    }

    private Client client(Entry entry) {
        Client client = clients.get(entry.client);
        if (client == null) {
            client = new Client();
            client.used = clock;
            clients.put(entry.client, client);
        }
        return client;
    }

    /** Returns the client of a search that begins to wait, without credit for unused time. */
    private Client waitingClient(Entry entry) {
        Client client = client(entry);
        if (client.waiting() == 0) {
            client.used = Math.max(client.used, clock);
        }
        return client;
    }

    private void forget(String name, Client client) {
        if (client.waiting() == 0 && client.running <= 0) {
            clients.remove(name);
        }
    }

    /** Returns how many searches wait. */
    int waiting() {
        return waiting;
    }

    /** Returns how many clients have searches that run or wait. */
    int clients() {
        return clients.size();
    }
}
