package org.crabro.perf.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoakVerdictTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void holdsWhereEverythingStaysAsItWas() {
        assertThat(verdict(samples(1_000, 1_000))).isTrue();
        assertThat(text()).doesNotContain("NOT FLAT").contains("flat");
    }

    @Test
    void doesNotHoldWhereTheDiskFillsUp() {
        assertThat(verdict(samples(1_000, 1_400))).isFalse();
        assertThat(text().lines().filter(line -> line.endsWith("NOT FLAT")))
                .singleElement()
                .asString()
                .startsWith("disk, MiB")
                .contains("1000.00")
                .contains("1400.00");
    }

    @Test
    void doesNotHoldWhereNothingWasSeen() {
        assertThat(verdict(List.of())).isFalse();
    }

    /** Returns samples with a disk of so many MiB in the first third, and in the last. */
    private static List<SoakSample> samples(int first, int last) {
        List<SoakSample> samples = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            double mib = i < 3 ? first : last;
            samples.add(new SoakSample(i, mib * (1 << 20), 1e7, 1e8, 1e6, 3, 500, 50, 1, 9, 4, 20));
        }
        return samples;
    }

    private boolean verdict(List<SoakSample> samples) {
        return SoakVerdict.print(samples, new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
