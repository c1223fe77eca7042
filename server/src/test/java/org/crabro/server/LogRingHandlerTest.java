package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.crabro.container.admin.LogRing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogRingHandlerTest {
    @ParameterizedTest
    @CsvSource({
        "SEVERE, error",
        "WARNING, warning",
        "INFO, info",
        "CONFIG, config",
        "FINE, debug",
        "FINER, spam",
        "FINEST, spam"
    })
    void callsLevelsAsClientsKnowThem(String level, String word) {
        assertThat(LogRingHandler.word(Level.parse(level))).isEqualTo(word);
    }

    @Test
    void formatsRecordsWithParametersAndCauses() {
        var line = new LogRecord(Level.WARNING, "lost {0}");
        line.setParameters(new Object[] {"it"});
        line.setLoggerName("a.B");
        line.setInstant(Instant.ofEpochSecond(5));
        line.setLongThreadID(3);
        line.setThrown(new IllegalStateException("why"));
        var ring = new LogRing("h", 7);

        new LogRingHandler(ring).publish(line);

        assertThat(ring.text(0, Long.MAX_VALUE))
                .startsWith(
                        "5.000000\th\t7/3\tcrabro\ta.B\twarning\tlost it\\n"
                                + "java.lang.IllegalStateException: why\\n");
    }
}
