package org.crabro.perf.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class StressCommandTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @Test
    void everyRaceHolds() throws Exception {
        int status = new StressCommand().run(List.of("quick"), out);

        assertThat(status).as(text()).isZero();
        assertThat(text()).contains("7 races held, 0 did not");
    }

    @Test
    void refusesWhatItDoesNotKnow() throws Exception {
        assertThat(new StressCommand().run(List.of("slow"), out)).isEqualTo(2);
        assertThat(text()).contains("'stress' takes 'quick' or nothing.");
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
