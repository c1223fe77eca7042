package org.crabro.content.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.crabro.content.replication.ShardEntry.EntryRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardEntryTest {
    private static final ShardEntry ROWS =
            new ShardEntry(
                    3,
                    -2,
                    7,
                    List.of(
                            EntryRow.of(65_535, new byte[] {1, 2, 3}),
                            EntryRow.of(0, new byte[0])));

    @Test
    void hasTheseBytes() {
        assertThat(HexFormat.of().formatHex(ROWS.encode()))
                .isEqualTo(
                        "02"
                                + "0300000000000000"
                                + "feffffffffffffff"
                                + "0700000000000000"
                                + "02000000"
                                + "ffff03000000010203"
                                + "000000000000");
        assertThat(HexFormat.of().formatHex(ShardEntry.begin(1, 2, 3).encode()))
                .isEqualTo(
                        "01"
                                + "0100000000000000"
                                + "0200000000000000"
                                + "0300000000000000"
                                + "00000000");
    }

    @Test
    void readsWhatItWrites() {
        ShardEntry read = ShardEntry.decode(ROWS.encode());

        assertThat(read.term()).isEqualTo(3);
        assertThat(read.origin()).isEqualTo(-2);
        assertThat(read.sequence()).isEqualTo(7);
        assertThat(read.isBegin()).isFalse();
        assertThat(read.rows()).extracting(EntryRow::partition).containsExactly(65_535, 0);
        assertThat(read.rows().getFirst().row()).containsExactly(1, 2, 3);
        assertThat(read.encode()).isEqualTo(ROWS.encode());
        assertThat(ShardEntry.decode(ShardEntry.begin(1, 2, 3).encode()).isBegin()).isTrue();
    }

    @Test
    void rejectsEveryEntryThatEndsEarly() {
        byte[] whole = ROWS.encode();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ShardEntry.decode(cut))
                    .withMessageMatching("at byte \\d+: .*");
        }
    }

    @Test
    void rejectsBytesAfterTheLastRow() {
        byte[] longer = Arrays.copyOf(ROWS.encode(), ROWS.encode().length + 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardEntry.decode(longer))
                .withMessage("at byte 44: 1 bytes after the last row");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0  | 09 | at byte 0: kind 9, expected 1 or 2
                    0  | 01 | at byte 25: 2 rows in an entry of kind 1
                    28 | ff | at byte 25: -16777214 rows in an entry of kind 2
                    34 | 7f | at byte 31: a row of 2130706435 bytes, and 9 are left
                    """)
    void rejectsOtherBytes(int offset, String changed, String message) {
        byte[] bytes = ROWS.encode();
        bytes[offset] = (byte) Integer.parseInt(changed, 16);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardEntry.decode(bytes))
                .withMessage(message);
    }
}
