package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.crabro.server.cluster.SharedRecord.Outcome;
import org.junit.jupiter.api.Test;

/** Random histories: each acknowledged change stays, and all servers agree. */
class SharedRecordTest {
    private static final int SERVERS = 3;
    private static final int STEPS = 400;

    /** One server, which adds a tenant in each change. */
    private final class Server implements SharedRecord.Leading {
        private final SharedRecord record;
        private long term;
        private long revision;
        private boolean isWriting;

        Server(SimulatedConfigLog.Server log) {
            record = new SharedRecord(log, ClusterRecord.of("c"), this);
            revision = record.record().revision();
        }

        @Override
        public void begins(long led) {
            term = led;
        }

        @Override
        public void ends() {
            term = 0;
        }

        @Override
        public void changed(ClusterRecord next) {
            assertThat(next.revision()).as("seed %d", seed).isEqualTo(revision + 1);
            revision = next.revision();
        }

        void write(String tenant) {
            if (term == 0 || isWriting) {
                return;
            }
            ClusterRecord before = record.record();
            var tenants = new TreeSet<>(before.packages().tenants());
            tenants.add(tenant);
            CompletableFuture<Outcome> outcome =
                    record.propose(
                            term,
                            before.with(before.packages().with(tenants))
                                    .withRevision(before.revision() + 1));
            isWriting = !outcome.isDone();
            var _ =
                    outcome.thenAccept(result -> {
                        isWriting = false;
                        switch (result) {
                            case WRITTEN -> written.add(tenant);
                            case REFUSED -> refused.add(tenant);
                            case UNKNOWN -> {}
                        }
                    });
        }
    }

    private long seed;
    private final Set<String> written = new HashSet<>();
    private final Set<String> refused = new HashSet<>();

    @Test
    void losesNoAcknowledgedChange() {
        long first = Long.getLong("crabro.seed", 1);
        int histories = Integer.getInteger("crabro.histories", 500);
        long total = 0;
        for (seed = first; seed < first + histories; seed++) {
            written.clear();
            refused.clear();
            total += run(new Random(seed));
        }
        assertThat(total).isGreaterThan(histories);
    }

    private long run(Random random) {
        var log = new SimulatedConfigLog(SERVERS, random);
        List<Server> servers = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            servers.add(new Server(log.server(i)));
            log.server(i).start(servers.get(i).record);
        }
        for (int step = 0; step < STEPS; step++) {
            int number = random.nextInt(SERVERS);
            switch (random.nextInt(60)) {
                case 0 -> {
                    servers.set(number, new Server(log.server(number)));
                    log.restart(number, servers.get(number).record);
                }
                case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 -> servers.get(number).write("t" + step);
                default -> log.step();
            }
        }
        log.settle();

        Set<String> last = servers.getFirst().record.record().packages().tenants();
        assertThat(servers)
                .as("seed %d", seed)
                .allSatisfy(each ->
                        assertThat(each.record.record())
                                .isEqualTo(servers.getFirst().record.record()));
        assertThat(last)
                .as("seed %d", seed)
                .containsAll(written)
                .doesNotContainAnyElementsOf(refused.isEmpty() ? Set.of("") : refused);
        assertThat(servers.getFirst().record.record().revision())
                .as("seed %d", seed)
                .isEqualTo(last.size());
        return written.size();
    }

    /** Entries of a leader that lies: the ones that no server makes. */
    @Test
    void ignoresRecordsThatAreNotMadeFromTheOneBefore() {
        var server = new Server(new SimulatedConfigLog(1, new Random(1)).server(0));
        SharedRecord record = server.record;
        DeployedPackages first =
                DeployedPackages.NONE
                        .with(
                                4,
                                new DeployedPackages.Waiting("default", 0, 0, "0".repeat(64)),
                                Set.of())
                        .activated(4, "default.default.default");
        ClusterRecord honest = ClusterRecord.of("c").with(first).withRevision(1);
        record.committed(1, 1, entry(honest));
        assertThat(record.record()).isEqualTo(honest);

        List<ClusterRecord> lies =
                List.of(
                        honest,
                        honest.withRevision(3),
                        honest.withRevision(Long.MAX_VALUE),
                        honest.withRevision(0),
                        ClusterRecord.of("x").with(first).withRevision(2),
                        honest.with(DeployedPackages.NONE).withRevision(2),
                        honest.with(
                                        new DeployedPackages(
                                                4,
                                                first.tenants(),
                                                Optional.of(
                                                        new DeployedPackages.Active(
                                                                3, "a.b.c", "")),
                                                first.sessions()))
                                .withRevision(2),
                        honest.with(
                                        new DeployedPackages(
                                                4,
                                                first.tenants(),
                                                Optional.of(
                                                        new DeployedPackages.Active(
                                                                Long.MAX_VALUE, "a.b.c", "")),
                                                first.sessions()))
                                .withRevision(2));
        for (int i = 0; i < lies.size(); i++) {
            record.committed(2 + i, 1, entry(lies.get(i)));
            assertThat(record.record()).as("%d", i).isEqualTo(honest);
        }

        ClusterRecord next = honest.with(first.deactivated()).withRevision(2);
        record.committed(20, 1, entry(next));
        assertThat(record.record()).isEqualTo(next);
    }

    private static byte[] entry(ClusterRecord record) {
        return ClusterJson.write(new SharedRecord.Entry(1, Optional.of(record)));
    }
}
