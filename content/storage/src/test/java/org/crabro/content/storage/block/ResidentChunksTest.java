package org.crabro.content.storage.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResidentChunksTest {
    private final ResidentChunks found = new ResidentChunks();

    @Test
    void hasWhatWasFoundAtTheSameMoment() {
        found.add(0b0011, 7);
        found.add(0b0100, 7);

        assertThat(found.has(0b0111, 7)).isTrue();
        assertThat(found.has(0b0101, 7)).isTrue();
        assertThat(found.has(0b1001, 7)).isFalse();
    }

    @Test
    void forgetsWhatWasFoundAtAnotherMoment() {
        found.add(0b0011, 7);

        assertThat(found.has(0b0001, 8)).isFalse();
        found.add(0b0100, 8);
        assertThat(found.has(0b0100, 8)).isTrue();
        assertThat(found.has(0b0001, 8)).isFalse();
    }

    @Test
    void keepsNothingWhereWhatIsFoundCountsOnce() {
        found.add(0b0001, -1);

        assertThat(found.has(0b0001, -1)).isFalse();
    }
}
