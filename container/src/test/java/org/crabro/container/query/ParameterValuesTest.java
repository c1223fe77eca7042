package org.crabro.container.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.RequestMemory;
import org.junit.jupiter.api.Test;

class ParameterValuesTest {
    private final RequestMemory memory = new RequestMemory(1 << 20);

    @Test
    void acceptsASmallRequestWhenOthersHaveAllMemory() {
        try (MemoryShare large = memory.open();
                MemoryShare other = memory.open();
                MemoryShare small = memory.open()) {
            large.charge(memory.mostOfOne());
            other.charge(memory.most() - memory.mostOfOne());

            small.run(() -> {
                var values = new ParameterValues();
                values.put("yql", "select * from note where true");
                values.put("hits", "10");
                assertThat(values.values()).hasSize(2);
            });
            assertThat(small.bytes()).isZero();
        }
    }

    @Test
    void refusesALargeRequestWhenOthersHaveAllMemory() {
        try (MemoryShare large = memory.open();
                MemoryShare other = memory.open();
                MemoryShare second = memory.open()) {
            large.charge(memory.mostOfOne());
            other.charge(memory.most() - memory.mostOfOne());
            second.waitUntil(System.nanoTime());

            second.run(() -> {
                var values = new ParameterValues();
                assertThatExceptionOfType(MemoryRefusedException.class)
                        .isThrownBy(() -> {
                            for (int i = 0; i < 1_000; i++) {
                                values.put("p" + i, "");
                            }
                        });
            });
        }
    }
}
