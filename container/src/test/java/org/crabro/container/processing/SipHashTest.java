package org.crabro.container.processing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SipHashTest {
    /** The authors' vectors: of the bytes 0, 1, 2 and so on. */
    @ParameterizedTest
    @CsvSource({
        "0, 726fdb47dd0e0e31",
        "1, 74f839c593dc67fd",
        "8, 93f5f5799a932462",
        "15, a129ca6149be45e5"
    })
    void givesTheNumbersOfItsAuthors(int count, String hash) {
        var bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) i;
        }

        assertThat(Long.toHexString(SipHash.of(bytes))).isEqualTo(hash);
    }
}
