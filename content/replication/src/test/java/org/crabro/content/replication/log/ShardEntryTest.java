package org.crabro.content.replication.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.crabro.content.replication.log.ShardEntry.EntryRow;
import org.crabro.content.storage.store.Notes;
import org.crabro.protocol.encoding.DocumentTypeEncoding;
import org.crabro.protocol.feed.OperationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardEntryTest {
    private static final OperationId RETRY = new OperationId(-1, 8, 5, true);
    private static final ShardEntry ROWS =
            new ShardEntry(
                    3,
                    -2,
                    7,
                    List.of(),
                    List.of(
                            EntryRow.of(65_535, new byte[] {1, 2, 3}, Optional.empty()),
                            EntryRow.of(0, new byte[0], Optional.of(RETRY))));

    @Test
    void hasItsTypesBeforeItsRows() {
        var entry = new ShardEntry(3, -2, 7, List.of(Notes.TYPE, Notes.LATER_TYPE), ROWS.rows());

        byte[] bytes = entry.encode();

        ShardEntry decoded = ShardEntry.decode(bytes);
        assertThat(decoded.types()).containsExactly(Notes.TYPE, Notes.LATER_TYPE);
        assertThat(decoded.rows()).hasSize(2);
        String first = HexFormat.of().formatHex(DocumentTypeEncoding.encode(Notes.TYPE));
        assertThat(HexFormat.of().formatHex(bytes))
                .startsWith("030300000000000000" + "feffffffffffffff" + "0700000000000000")
                .contains("02000000" + "02000000" + littleEndian(first.length() / 2) + first);
    }

    private static String littleEndian(int value) {
        return HexFormat.of().toHexDigits(Integer.reverseBytes(value));
    }

    @Test
    void hasTheseBytes() {
        assertThat(HexFormat.of().formatHex(ROWS.encode()))
                .isEqualTo(
                        "02"
                                + "0300000000000000"
                                + "feffffffffffffff"
                                + "0700000000000000"
                                + "02000000"
                                + "ffff0003000000010203"
                                + "00000200000000"
                                + "ffffffffffffffff"
                                + "0800000000000000"
                                + "0500000000000000");
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
        assertThat(read.rows())
                .extracting(EntryRow::operation)
                .containsExactly(Optional.empty(), Optional.of(RETRY));
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
                .withMessage("at byte 70: 1 bytes after the last row");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0  | 09 | at byte 0: kind 9, expected 1 to 3
                    0  | 01 | at byte 25: 2 rows in an entry of kind 1
                    28 | ff | at byte 25: -16777214 rows in an entry of kind 2
                    35 | 7f | at byte 32: a row of 2130706435 bytes, and 34 are left
                    31 | 03 | at byte 31: a row of kind 3, expected 0 to 2
                    """)
    void rejectsOtherBytes(int offset, String changed, String message) {
        byte[] bytes = ROWS.encode();
        bytes[offset] = (byte) Integer.parseInt(changed, 16);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardEntry.decode(bytes))
                .withMessage(message);
    }
}
