package org.crabro.ranking.onnx.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.ranking.onnx.threads.SimulatedMachine.Load;
import org.crabro.ranking.onnx.threads.SimulatedMachine.Shape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the policy with fixed numbers of threads, on a {@link SimulatedMachine}. */
class CorePolicySimulationTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_26);
    private static final int RUNS = 1_000;

    private static final Shape BERT_BASE = new Shape(266e6, 0.03, 0.000_95);
    private static final Shape MINI_LM = new Shape(20e6, 0.05, 0.002);

    /** Fastest with 4 threads. */
    private static final Shape SMALL = new Shape(900e3, 0.05, 0.05);

    /** Slower with each thread. */
    private static final Shape TINY = new Shape(100e3, 0.1, 1);

    static Stream<Arguments> machines() {
        return Stream.of(
                Arguments.of("BERT-base", 32, BERT_BASE),
                Arguments.of("MiniLM", 32, MINI_LM),
                Arguments.of("small", 32, SMALL),
                Arguments.of("tiny", 32, TINY),
                Arguments.of("BERT-base", 8, BERT_BASE),
                Arguments.of("MiniLM", 12, MINI_LM));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void aLoneClientIsAboutAsFastAsWithTheBestFixedNumber(String name, int cores, Shape shape) {
        double best =
                settings(cores)
                        .mapToDouble(threads -> fixed(cores, shape, threads, 1).p50())
                        .min()
                        .orElseThrow();

        assertThat(adaptive(cores, shape, 1).p50())
                .as("%s, %d cores, seed %d", name, cores, SEED)
                .isLessThanOrEqualTo(1.1 * best);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void manyClientsAreServedAsWithOneThreadEach(String name, int cores, Shape shape) {
        for (int clients : new int[] {cores, cores * 3 / 2, 2 * cores, 4 * cores}) {
            Load one = fixed(cores, shape, 1, clients);

            Load adaptive = adaptive(cores, shape, clients);

            String machine = "%s, %d cores, %d clients".formatted(name, cores, clients);
            assertThat(adaptive.throughput())
                    .as(machine)
                    .isGreaterThanOrEqualTo(0.95 * one.throughput());
            assertThat(adaptive.p95()).as(machine).isLessThanOrEqualTo(1.1 * one.p95());
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void noFixedNumberIsMuchFasterForAnyNumberOfClients(String name, int cores, Shape shape) {
        for (int clients = 1; clients <= 2 * cores; clients *= 2) {
            int count = clients;
            double best =
                    settings(cores)
                            .mapToDouble(threads -> fixed(cores, shape, threads, count).p95())
                            .min()
                            .orElseThrow();

            assertThat(adaptive(cores, shape, clients).p95())
                    .as("%s, %d cores, %d clients", name, cores, clients)
                    .isLessThanOrEqualTo(1.25 * best);
        }
    }

    private static IntStream settings(int cores) {
        return IntStream.concat(
                IntStream.iterate(1, each -> each < cores, each -> 2 * each), IntStream.of(cores));
    }

    private static Load fixed(int cores, Shape shape, int threads, int clients) {
        return new SimulatedMachine(cores, shape, SEED).fixed(threads, clients, RUNS);
    }

    private static Load adaptive(int cores, Shape shape, int clients) {
        return new SimulatedMachine(cores, shape, SEED).adaptive(clients, RUNS);
    }
}
