package org.crabro.content.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.crabro.content.replication.ShardEntry.EntryRow;
import org.junit.jupiter.api.Test;

class PackedEntryTest {
    /** An entry whose row repeats one byte. */
    private static byte[] entry(int rowBytes) {
        var row = new byte[rowBytes];
        Arrays.fill(row, (byte) 'a');
        return new ShardEntry(3, -2, 7, List.of(), List.of(EntryRow.of(5, row, Optional.empty())))
                .encode();
    }

    @Test
    void hasTheseBytes() {
        byte[] packed = PackedEntry.pack(entry(2_000));

        assertThat(HexFormat.of().formatHex(packed))
                .as("the length is %s", HexFormat.of().toHexDigits(entry(2_000).length))
                .startsWith("04" + "f4070000");
        assertThat(PackedEntry.unpack(packed)).isEqualTo(entry(2_000));
    }

    @Test
    void readsWhatItWritesAtEachLength() {
        for (int rowBytes : new int[] {0, 1, 900, 1_023, 1_024, 70_000, 3 << 20}) {
            byte[] entry = entry(rowBytes);

            byte[] packed = PackedEntry.pack(entry);

            assertThat(packed.length < entry.length)
                    .as("%d bytes", entry.length)
                    .isEqualTo(entry.length >= PackedEntry.PACKED_MIN);
            assertThat(PackedEntry.unpack(packed)).isEqualTo(entry);
        }
    }

    @Test
    void leavesBytesThatDoNotGetShorter() {
        var row = new byte[10_000];
        new Random(1).nextBytes(row);
        byte[] entry =
                new ShardEntry(3, -2, 7, List.of(), List.of(EntryRow.of(5, row, Optional.empty())))
                        .encode();

        assertThat(PackedEntry.pack(entry)).isSameAs(entry);
        assertThat(PackedEntry.unpack(entry)).isSameAs(entry);
    }

    @Test
    void rejectsEveryEntryThatEndsEarlyOrGoesOn() {
        byte[] whole = PackedEntry.pack(entry(2_000));
        for (int length = 5; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> PackedEntry.unpack(cut))
                    .withMessageStartingWith("at byte 5: ");
        }
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PackedEntry.unpack(longer))
                .withMessageStartingWith("at byte 5: ");
    }

    @Test
    void rejectsOtherLengths() {
        byte[] packed = PackedEntry.pack(entry(2_000));
        packed[1]--;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PackedEntry.unpack(packed))
                .withMessageStartingWith("at byte 5: ");
        packed[4] = 127;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PackedEntry.unpack(packed))
                .withMessage("at byte 1: an entry of 2130708467 bytes, expected 1024 to 67108864");
    }
}
