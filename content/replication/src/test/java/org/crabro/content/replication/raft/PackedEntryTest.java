package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PackedEntryTest {
    /** An entry that repeats one byte. */
    private static byte[] entry(int bytes) {
        var entry = new byte[bytes];
        Arrays.fill(entry, (byte) 'a');
        return entry;
    }

    @Test
    void hasTheseBytes() {
        String bytes = "04" + "d0070000" + "1f61" + "0100" + "ff".repeat(7) + "be" + "506161616161";

        assertThat(PackedEntry.unpack(HexFormat.of().parseHex(bytes))).isEqualTo(entry(2_000));
        assertThat(HexFormat.of().formatHex(PackedEntry.pack(entry(2_000))))
                .startsWith("04" + "d0070000");
    }

    @Test
    void readsWhatItWritesAtEachLength() {
        for (int bytes : new int[] {0, 1, 1_023, 1_024, 70_000, 3 << 20}) {
            byte[] entry = entry(bytes);

            byte[] packed = PackedEntry.pack(entry);

            assertThat(packed.length < entry.length)
                    .as("%d bytes", entry.length)
                    .isEqualTo(entry.length >= PackedEntry.PACKED_MIN);
            assertThat(PackedEntry.unpack(packed)).isEqualTo(entry);
        }
    }

    @Test
    void leavesBytesThatDoNotGetShorter() {
        var entry = new byte[10_000];
        new Random(1).nextBytes(entry);

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
                .withMessage("at byte 1: an entry of 2130708431 bytes, expected 1024 to 67108864");
    }
}
