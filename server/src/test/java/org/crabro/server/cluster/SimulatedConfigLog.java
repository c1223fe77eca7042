package org.crabro.server.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.crabro.content.replication.log.ConsensusLog;

/**
 * The log of several config servers in one thread. A test chooses the order of its events: entries
 * are committed, servers apply them, leaders change, and servers learn of it late.
 */
final class SimulatedConfigLog {
    private final Random random;
    private final List<Server> servers = new ArrayList<>();

    /** The entries that are committed, then those that may get lost. */
    private final List<LogEntry> entries = new ArrayList<>();

    private int committed;
    private long term;
    private int leader = -1;

    /** An entry with its bytes, the only element. */
    private record LogEntry(long term, List<byte[]> bytes) {}

    /** An event of a leader that its server has not learned of. */
    private sealed interface News {
        record Leads(long term) implements News {}

        record Follows() implements News {}
    }

    /** The log as one server sees it. */
    final class Server implements ConsensusLog {
        private final int number;
        private final Deque<News> news = new ArrayDeque<>();
        private Optional<Listener> listener = Optional.empty();
        private Optional<byte[]> forgotten = Optional.empty();
        private int forgottenIndex;
        private int applied;
        private boolean mayLead;

        Server(int number) {
            this.number = number;
        }

        @Override
        public Optional<byte[]> record() {
            return forgotten;
        }

        @Override
        public void start(Listener started) {
            listener = Optional.of(started);
        }

        @Override
        public boolean append(byte[] entry) {
            if (leader == number) {
                entries.add(new LogEntry(term, List.of(entry)));
                return true;
            }
            // A leader that does not know yet that it leads no more: the entry gets lost.
            return mayLead;
        }

        @Override
        public void readIndex(Reader reader) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void forget(long index, byte[] record) {
            forgotten = Optional.of(record);
            forgottenIndex = (int) index;
        }

        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public long appended() {
            return 0;
        }

        @Override
        public Optional<String> failure() {
            return Optional.empty();
        }

        @Override
        public void close() {
            listener = Optional.empty();
        }

        private void apply() {
            if (applied < committed) {
                LogEntry next = entries.get(applied);
                applied++;
                listener.orElseThrow().committed(applied, next.term(), next.bytes().getFirst());
            }
        }

        private void learn() {
            switch (news.poll()) {
                case News.Leads(var led) -> {
                    mayLead = true;
                    listener.orElseThrow().leads(led);
                }
                case News.Follows() -> {
                    mayLead = false;
                    listener.orElseThrow().follows();
                }
                case null -> {}
            }
        }
    }

    SimulatedConfigLog(int count, Random random) {
        this.random = random;
        for (int i = 0; i < count; i++) {
            servers.add(new Server(i));
        }
    }

    Server server(int number) {
        return servers.get(number);
    }

    /** Lets one event happen. */
    void step() {
        Server server = servers.get(random.nextInt(servers.size()));
        switch (random.nextInt(12)) {
            case 0 -> elect(server.number);
            case 1, 2, 3 -> server.learn();
            case 4, 5, 6 -> committed = Math.min(committed + 1, entries.size());
            default -> server.apply();
        }
    }

    private void elect(int next) {
        if (random.nextInt(4) > 0 && leader >= 0) {
            return;
        }
        // The new leader has what is committed, and perhaps more.
        int retained = committed + random.nextInt(entries.size() - committed + 1);
        entries.subList(retained, entries.size()).clear();
        if (leader >= 0) {
            servers.get(leader).news.add(new News.Follows());
        }
        term++;
        leader = next;
        servers.get(next).news.add(new News.Leads(term));
    }

    /** Ends a server and starts it again, with what it has on disk. */
    void restart(int number, ConsensusLog.Listener started) {
        Server server = servers.get(number);
        server.news.clear();
        server.mayLead = false;
        server.applied = server.forgottenIndex;
        server.start(started);
        if (leader == number) {
            leader = -1;
        }
    }

    /** Commits all entries, and lets all servers apply and learn everything. */
    void settle() {
        boolean isDone = false;
        while (!isDone) {
            committed = entries.size();
            isDone = true;
            for (Server server : servers) {
                while (!server.news.isEmpty()) {
                    server.learn();
                    isDone = false;
                }
                while (server.applied < committed) {
                    server.apply();
                    isDone = false;
                }
            }
        }
    }
}
