package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class LogRingTest {
    private final LogRing ring = new LogRing("h", 7);

    @Test
    void writesSevenColumns() {
        ring.add(
                new LogRing.Line(
                        Instant.ofEpochSecond(1_700_000_000, 1_234_567),
                        42,
                        "org.crabro.A",
                        "warning",
                        "a\tb\\c\nd"));

        assertThat(ring.text(0, Long.MAX_VALUE))
                .isEqualTo(
                        "1700000000.001234\th\t7/42\tcrabro\torg.crabro.A\twarning\t"
                                + "a\\tb\\\\c\\nd\n");
    }

    @Test
    void dropsTheOldestLinesBeyondTheirNumber() {
        for (int i = 0; i < LogRing.LINES_MAX + 2; i++) {
            add(i, "m" + i);
        }

        assertThat(ring.text(0, Long.MAX_VALUE).lines())
                .hasSize(LogRing.LINES_MAX)
                .first()
                .asString()
                .endsWith("\tm2");
    }

    @Test
    void dropsTheOldestLinesBeyondTheirSize() {
        int count = LogRing.CHARACTERS_MAX / LogRing.MESSAGE_MAX;
        for (int i = 0; i <= count; i++) {
            add(i, "x".repeat(LogRing.MESSAGE_MAX));
        }

        assertThat(ring.text(0, 0)).isEmpty();
        assertThat(ring.text(1, Long.MAX_VALUE).lines()).hasSize(count);
    }

    @Test
    void cutsLongMessages() {
        add(0, "x".repeat(LogRing.MESSAGE_MAX + 5));

        assertThat(ring.text(0, 0)).endsWith("x... (5 characters more)\n");
    }

    private void add(long millis, String message) {
        ring.add(new LogRing.Line(Instant.ofEpochMilli(millis), 1, "c", "info", message));
    }
}
