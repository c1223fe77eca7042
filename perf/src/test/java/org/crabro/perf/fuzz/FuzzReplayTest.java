package org.crabro.perf.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every parser accepts an input or rejects it as documented: the stored inputs of its fuzz target,
 * and random changes of them. The time limit only ends endless loops.
 */
class FuzzReplayTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int MUTATIONS = Integer.getInteger("crabro.mutations", 200);
    private static final int SLOW = 10;
    private static final int SHOWN_BYTES = 2_000;

    @ParameterizedTest(name = "{0}")
    @MethodSource("targets")
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void acceptsOrRejectsEveryInput(String name, FuzzTarget target) throws Exception {
        List<byte[]> inputs = new ArrayList<>(FuzzCorpus.read(name));
        inputs.addAll(target.seeds());
        for (byte[] input : inputs) {
            run(target, input, "kept input");
        }
        var mutator = new InputMutator(inputs, new Random(SEED));
        int mutations = target.isSlow() ? MUTATIONS / SLOW : MUTATIONS;
        for (int i = 0; i < mutations; i++) {
            run(target, mutator.next(), "mutation " + i + " of seed " + SEED);
        }
    }

    private static void run(FuzzTarget target, byte[] input, String what) {
        try {
            target.accepts(input);
        } catch (Throwable e) {
            String line = FuzzCorpus.line(input);
            String shown =
                    line.length() > SHOWN_BYTES ? line.substring(0, SHOWN_BYTES) + "..." : line;
            throw new AssertionError(
                    "%s, %s of %d bytes: %s".formatted(target.name(), what, input.length, shown),
                    e);
        }
    }

    private static Stream<Arguments> targets() {
        return FuzzTargets.all().stream().map(each -> Arguments.of(each.name(), each));
    }
}
