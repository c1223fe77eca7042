package org.crabro.client.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.crabro.client.capacity.CapacityPlan.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityModelTest {
    private static final double GIB = 1 << 30;

    /** Costs with which the expected numbers can be computed by hand. */
    private static final MeasuredCosts ROUND =
            new MeasuredCosts(
                    new MeasuredCosts.Query(0.001, 0.01),
                    new MeasuredCosts.Scan(10e9, 1e9, 0.5e9),
                    new MeasuredCosts.Store(1, 1, 4 * GIB, GIB, 0.8));

    private static HostShape host(int cores, double memoryGib, double diskGb, double readMb) {
        return new HostShape(cores, memoryGib * GIB, diskGb * 1e9, readMb * 1e6, 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # users | docs  | bytes | qps   | copies | cores | disk GB | read MB/s | hosts | limit
                    1       | 1     | 1     | 1     | 1      | 1     | 100     | 1000      | 1     | copies
                    1       | 1     | 1     | 1     | 3      | 1     | 100     | 1000      | 3     | copies
                    1000    | 1000  | 80000 | 0.01  | 1      | 99    | 100     | 1000      | 1     | copies
                    1000    | 1000  | 80001 | 0.01  | 1      | 99    | 100     | 1000      | 2     | disk space
                    1000    | 1000  | 80000 | 0.01  | 2      | 99    | 100     | 1000      | 2     | copies
                    1       | 1     | 1     | 1001  | 1      | 1     | 100     | 1000      | 2     | processor
                    1       | 1     | 1     | 9000  | 1      | 2     | 100     | 1000      | 5     | processor
                    1000000 | 1000  | 1000  | 1     | 1      | 99    | 100000  | 500       | 1     | copies
                    1000000 | 1000  | 1000  | 100000| 1      | 99    | 100000  | 500       | 60    | disk reads
                    5000000 | 1000  | 1     | 1     | 1      | 99    | 100000  | 500       | 5     | memory for documents
                    """)
    void countsHostsByTheResourceThatBinds(
            long users,
            long docs,
            long bytes,
            double qps,
            int copies,
            int cores,
            double disk,
            double read,
            long hosts,
            String limit) {
        // With 5 GiB of memory and a heap of a quarter, the cache has 2.75 GiB.
        CapacityPlan plan =
                new CapacityModel(
                                new CapacityNeed(users, docs, bytes, qps, 1, copies),
                                host(cores, 16, disk, read),
                                ROUND)
                        .plan();

        assertThat(plan.binding().resource()).isEqualTo(limit);
        assertThat(plan.hosts()).isEqualTo(hosts);
    }

    /** A server that reads 500 MB/s scans 500,000 documents of 1,000 bytes in a second. */
    @Test
    void agreesWithTheExampleOfTheDesign() {
        var host = new HostShape(16, 6 * GIB, 4e12, 500e6, 1);

        CapacityPlan small = plan(new CapacityNeed(1_000_000, 1_000, 1_000, 400, 1, 1), host);
        CapacityPlan large = plan(new CapacityNeed(20_000, 50_000, 1_000, 1, 1, 1), host);

        assertThat(small.hosts()).isEqualTo(1);
        assertThat(small.binding()).isEqualTo(new Limit("copies", 1));
        assertThat(small.queries().maxPerSecond()).isCloseTo(500, within(5.0));
        assertThat(small.queries().coldSeconds()).isCloseTo(0.014, within(0.000_1));
        assertThat(large.queries().coldSeconds()).isCloseTo(0.112, within(0.001));
    }

    @Test
    void cachesTheDocumentsOfActiveUsers() {
        HostShape host = host(16, 16, 1_000, 1_000);

        CapacityPlan all = plan(new CapacityNeed(100_000, 1_000, 1_000, 10, 1, 1), host);
        CapacityPlan few = plan(new CapacityNeed(100_000, 1_000, 1_000, 10, 0.01, 1), host);

        assertThat(all.queries().cachedShare()).isCloseTo(0.11, within(0.01));
        assertThat(few.queries().cachedShare()).isEqualTo(1);
        assertThat(few.each().readShare()).isZero();
    }

    @Test
    void rejectsHostsWithoutMemoryForAServer() {
        assertThatThrownBy(() -> plan(new CapacityNeed(1, 1, 1, 1, 1, 1), host(1, 1, 100, 100)))
                .hasMessage("a server needs 1.8 GiB of memory, and a host has 1.0 GiB");
    }

    @Test
    void rejectsMoreHostsThanItComputes() {
        assertThatThrownBy(() ->
                        plan(
                                new CapacityNeed(
                                        1_000_000_000_000L, 1_000_000_000_000L, 1, 1, 1, 1),
                                host(1, 16, 100, 100)))
                .hasMessage("disk space: more than 1,000,000 hosts");
    }

    private static CapacityPlan plan(CapacityNeed need, HostShape host) {
        return new CapacityModel(need, host, MeasuredCosts.CURRENT).plan();
    }
}
