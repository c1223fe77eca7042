package org.crabro.content.storage.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResidentChunksTest {
    private final ResidentChunks resident = new ResidentChunks();

    @Test
    void hasWhatWasAddedAtTheSameMoment() {
        resident.add(0b0011, 7);
        resident.add(0b0100, 7);

        assertThat(resident.has(0b0111, 7)).isTrue();
        assertThat(resident.has(0b0101, 7)).isTrue();
        assertThat(resident.has(0b1001, 7)).isFalse();
    }

    @Test
    void dropsWhatWasAddedAtAnotherMoment() {
        resident.add(0b0011, 7);

        assertThat(resident.has(0b0001, 8)).isFalse();
        resident.add(0b0100, 8);
        assertThat(resident.has(0b0100, 8)).isTrue();
        assertThat(resident.has(0b0001, 8)).isFalse();
    }

    @Test
    void storesNothingIfResidencyCountsOnce() {
        resident.add(0b0001, -1);

        assertThat(resident.has(0b0001, -1)).isFalse();
    }
}
