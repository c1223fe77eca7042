package org.crabro.content.search.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.RequestMemory;
import org.junit.jupiter.api.Test;

class GroupBudgetTest {
    private static final long MIB = 1 << 20;

    private final GroupMemory shared = new GroupMemory(10 * MIB);

    @Test
    void drawsInChunksAndGivesAllBack() {
        try (var budget = new GroupBudget(8 * MIB, shared)) {
            budget.take(1);
            assertThat(shared.used()).isEqualTo(MIB);
            budget.take(MIB);
            assertThat(shared.used()).isEqualTo(2 * MIB);
        }

        assertThat(shared.used()).isZero();
    }

    @Test
    void refusesMoreThanAQueryMayHave() {
        try (var budget = new GroupBudget(2 * MIB, shared)) {
            assertThatExceptionOfType(QueryRejectedException.class)
                    .isThrownBy(() -> budget.take(2 * MIB + 1))
                    .withMessageContaining("maxGroupingBytes");
        }
    }

    /**
     * The answer of the search has the groups, so their memory is not released before it is sent.
     */
    @Test
    void chargesTheRequestUntilItsEnd() {
        var memory = new RequestMemory(8 * MIB);
        try (MemoryShare request = memory.open();
                MemoryShare other = memory.open()) {
            request.run(() -> {
                try (var budget = new GroupBudget(8 * MIB, shared)) {
                    budget.take(5 * MIB);
                }
            });
            assertThat(request.bytes()).isEqualTo(5 * MIB);
            other.waitUntil(System.nanoTime());
            other.run(() -> {
                try (var budget = new GroupBudget(8 * MIB, shared)) {
                    assertThatExceptionOfType(MemoryRefusedException.class)
                            .isThrownBy(() -> budget.take(2 * MIB))
                            .withMessageContaining("requests.memory");
                }
            });
        }

        assertThat(memory.used()).isZero();
        assertThat(shared.used()).isZero();
    }

    @Test
    void refusesWhatOtherQueriesHave() {
        try (var one = new GroupBudget(8 * MIB, shared);
                var other = new GroupBudget(8 * MIB, shared)) {
            one.take(8 * MIB);

            assertThatExceptionOfType(GroupMemoryFullException.class)
                    .isThrownBy(() -> other.take(3 * MIB))
                    .withMessageContaining("10485760 bytes")
                    .withMessageContaining("groupBytes");
            assertThat(shared.used()).isEqualTo(8 * MIB);
        }

        assertThat(shared.used()).isZero();
    }
}
