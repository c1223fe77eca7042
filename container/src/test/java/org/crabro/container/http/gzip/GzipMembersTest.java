package org.crabro.container.http.gzip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Unpacks what {@code GZIPOutputStream} packs, and bytes that were changed. */
class GzipMembersTest {
    private static final byte[] TEXT = "a text that comes again, ".repeat(100).getBytes(UTF_8);

    /** Bytes of the header of a member without optional parts. */
    private static final int HEADER = 10;

    @Test
    void unpacksPiecesOfAnySize() throws Exception {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            var content = new byte[random.nextInt(100_000)];
            if (random.nextBoolean()) {
                random.nextBytes(content);
            }
            byte[] packed = gzip(content);

            assertThat(unpacked(packed, 1 + random.nextInt(packed.length), random.nextInt(1, 5000)))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(content);
        }
    }

    @Test
    void unpacksSeveralMembers() throws Exception {
        byte[] two = joined(gzip("one ".getBytes(UTF_8)), gzip(new byte[0]), gzip(TEXT));

        for (int piece : new int[] {1, 7, two.length}) {
            assertThat(new String(unpacked(two, piece, 64), UTF_8))
                    .isEqualTo("one " + new String(TEXT, UTF_8));
        }
    }

    @Test
    void unpacksNothing() throws Exception {
        assertThat(unpacked(new byte[0], 1, 1)).isEmpty();
        assertThat(unpacked(gzip(new byte[0]), 1, 1)).isEmpty();
    }

    @Test
    void skipsTheOptionalPartsOfAHeader() throws Exception {
        byte[] plain = gzip(TEXT);
        for (int flags = 0; flags < 0x20; flags++) {
            var header = new ByteArrayOutputStream();
            header.write(plain, 0, HEADER);
            byte[] fixed = header.toByteArray();
            fixed[3] = (byte) flags;
            header.reset();
            header.writeBytes(fixed);
            if ((flags & 4) != 0) {
                header.writeBytes(new byte[] {3, 0, 'a', 0, 'b'});
            }
            if ((flags & 8) != 0) {
                header.writeBytes("name\0".getBytes(UTF_8));
            }
            if ((flags & 16) != 0) {
                header.writeBytes("\0".getBytes(UTF_8));
            }
            if ((flags & 2) != 0) {
                var crc = new CRC32();
                crc.update(header.toByteArray());
                header.write(((int) crc.getValue()) & 0xff);
                header.write(((int) crc.getValue() >> 8) & 0xff);
            }
            byte[] data = Arrays.copyOfRange(plain, HEADER, plain.length);

            assertThat(unpacked(joined(header.toByteArray(), data), 3, 50))
                    .as("flags %d", flags)
                    .isEqualTo(TEXT);
        }
    }

    @Test
    void rejectsAWrongChecksumOfAHeader() throws Exception {
        byte[] plain = gzip(TEXT);
        plain[3] = 2;
        byte[] wrong =
                joined(
                        Arrays.copyOf(plain, HEADER),
                        new byte[] {1, 2},
                        Arrays.copyOfRange(plain, HEADER, plain.length));

        assertThatThrownBy(() -> unpacked(wrong, 5, 50))
                .isInstanceOf(NotGzipException.class)
                .hasMessage("the checksum of its header is wrong");
    }

    @Test
    void rejectsWhatEndsEarlyAtEachByte() throws Exception {
        byte[] packed = gzip(TEXT);
        for (int length = 1; length < packed.length; length++) {
            byte[] cut = Arrays.copyOf(packed, length);
            assertThatThrownBy(() -> unpacked(cut, 16, 100))
                    .as("%d bytes", length)
                    .isInstanceOf(NotGzipException.class)
                    .hasMessage("it ends early");
        }
    }

    @Test
    void rejectsBytesThatFollow() throws Exception {
        for (String more : new String[] {"x", "\0", "\u001fx", "{\"more\":1}"}) {
            byte[] longer = joined(gzip(TEXT), more.getBytes(UTF_8));
            assertThatThrownBy(() -> unpacked(longer, 16, 100))
                    .isInstanceOf(NotGzipException.class)
                    .hasMessage("expected the header of gzip");
        }
    }

    @Test
    void rejectsOtherBytes() {
        for (String text : new String[] {"{}", "PK\3\4", "\u001f\u001f"}) {
            assertThatThrownBy(() -> unpacked(text.getBytes(UTF_8), 16, 100))
                    .isInstanceOf(NotGzipException.class)
                    .hasMessage("expected the header of gzip");
        }
    }

    @Test
    void rejectsEachChangedBitThatHasAMeaning() throws Exception {
        byte[] packed = gzip(TEXT);
        int withoutMeaning = 0;
        for (int place = 0; place < packed.length; place++) {
            // The time, the level and the system mean nothing here.
            if (place >= 4 && place < HEADER) {
                continue;
            }
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] changed = packed.clone();
                changed[place] ^= (byte) (1 << bit);
                try {
                    assertThat(unpacked(changed, 16, 100)).isEqualTo(TEXT);
                    withoutMeaning++;
                } catch (NotGzipException _) {
                    // Expected.
                }
            }
        }

        // A hint that the data are a text, and the bits of the last byte after the last code.
        assertThat(withoutMeaning).isBetween(1, Byte.SIZE);
    }

    @Test
    void unpacksNoMoreThanOnePieceAhead() throws Exception {
        byte[] bomb = gzip(new byte[50 << 20]);
        var from = ByteBuffer.wrap(bomb);
        var into = new byte[1000];
        try (var members = new GzipMembers()) {
            assertThat(members.unpack(from, into)).isLessThanOrEqualTo(into.length);
            assertThat(from.remaining()).isGreaterThan(bomb.length / 2);
        }
    }

    /** Unpacks bytes that arrive in pieces, each in a buffer that is overwritten afterwards. */
    private static byte[] unpacked(byte[] packed, int piece, int room) throws NotGzipException {
        var all = new ByteArrayOutputStream();
        var into = new byte[room];
        var arrived = ByteBuffer.allocateDirect(piece);
        try (var members = new GzipMembers()) {
            for (int from = 0; from < packed.length; from += piece) {
                int length = Math.min(piece, packed.length - from);
                arrived.clear().put(packed, from, length).flip();
                for (int count = members.unpack(arrived, into);
                        count > 0;
                        count = members.unpack(arrived, into)) {
                    all.write(into, 0, count);
                }
                assertThat(arrived.hasRemaining()).isFalse();
            }
            members.end();
        }
        return all.toByteArray();
    }

    private static byte[] gzip(byte[] content) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(content);
        }
        return packed.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
