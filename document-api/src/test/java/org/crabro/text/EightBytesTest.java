package org.crabro.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class EightBytesTest {
    @Test
    void hasTheFirstByteLowest() {
        byte[] bytes = {9, 1, 2, 3, 4, 5, 6, 7, -8};

        assertThat(EightBytes.of(bytes, 1)).isEqualTo(0xf807_0605_0403_0201L);
    }

    @Test
    void writesWhatItReads() {
        byte[] bytes = new byte[10];

        EightBytes.put(bytes, 1, 0xf807_0605_0403_0201L);

        assertThat(bytes).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, -8, 0);
    }

    @Test
    void refusesPlacesThatAreNotThere() {
        byte[] bytes = new byte[8];

        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> EightBytes.of(bytes, 1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> EightBytes.put(bytes, -1, 0));
    }

    @Test
    void findsTheFirstByteWithItsHighestBit() {
        for (int i = 0; i < Long.BYTES; i++) {
            long first = 0x80L << (Byte.SIZE * i);

            assertThat(EightBytes.firstHigh(first)).isEqualTo(i);
            assertThat(EightBytes.firstHigh(-first | ~EightBytes.HIGH)).isEqualTo(i);
        }
        assertThat(EightBytes.firstHigh(0)).isEqualTo(Long.BYTES);
        assertThat(EightBytes.firstHigh(~EightBytes.HIGH)).isEqualTo(Long.BYTES);
    }
}
