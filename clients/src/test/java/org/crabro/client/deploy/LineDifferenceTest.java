package org.crabro.client.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineDifferenceTest {
    @Test
    void showsChangedLinesAndThoseNextToThem() {
        String before = IntStream.range(0, 20).mapToObj(i -> "line " + i).collect(lines());
        String after = before.replace("line 5\n", "").replace("line 15\n", "line 15\nmore\n");

        assertThat(LineDifference.lines(before, after))
                .containsExactly(
                        " line 3",
                        " line 4",
                        "-line 5",
                        " line 6",
                        " line 7",
                        " ...",
                        " line 14",
                        " line 15",
                        "+more",
                        " line 16",
                        " line 17");
        assertThat(LineDifference.lines(before, before)).isEmpty();
        assertThat(LineDifference.lines("", "a\n")).containsExactly("+a");
        assertThat(LineDifference.lines("a\n", "")).containsExactly("-a");
    }

    @Test
    void hasTheFewestChanges() {
        long seed = Long.getLong("crabro.seed", System.nanoTime());
        var random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<String> before = lines(random);
            List<String> after = lines(random);

            List<String> difference =
                    LineDifference.lines(String.join("\n", before), String.join("\n", after));

            assertThat(difference.stream().filter(line -> !line.startsWith(" ")).count())
                    .as("%s %s, seed %d", before, after, seed)
                    .isEqualTo(before.size() + after.size() - 2L * common(before, after));
        }
    }

    @Test
    void endsForTextsWithoutAnEqualLine() {
        String before = IntStream.range(0, 20_000).mapToObj(i -> "a" + i).collect(lines());
        String after = IntStream.range(0, 20_000).mapToObj(i -> "b" + i).collect(lines());

        assertThat(LineDifference.lines(before, after)).hasSize(40_000);
    }

    private static java.util.stream.Collector<CharSequence, ?, String> lines() {
        return Collectors.joining("\n", "", "\n");
    }

    private static List<String> lines(Random random) {
        List<String> lines = new ArrayList<>();
        int count = random.nextInt(8);
        for (int i = 0; i < count; i++) {
            lines.add(Character.toString('a' + random.nextInt(3)));
        }
        return lines;
    }

    /** Returns the length of the longest common subsequence. */
    private static int common(List<String> a, List<String> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return 0;
        }
        List<String> tailA = a.subList(1, a.size());
        List<String> tailB = b.subList(1, b.size());
        return a.getFirst().equals(b.getFirst())
                ? 1 + common(tailA, tailB)
                : Math.max(common(a, tailB), common(tailA, b));
    }
}
