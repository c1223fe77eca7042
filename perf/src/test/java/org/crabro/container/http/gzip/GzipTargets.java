package org.crabro.container.http.gzip;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.crabro.perf.fuzz.FuzzTarget;

/** Compressed bodies, in pieces of a size that the input determines. */
public final class GzipTargets {
    private static final int ROOM = 256;

    private GzipTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes("gzip-bodies", GzipTargets::gzip, NotGzipException.class));
    }

    /**
     * The input compressed unpacks to itself. If the input is accepted, the JDK unpacks it to the
     * same bytes.
     */
    private static void gzip(byte[] input) throws IOException, NotGzipException {
        var compressed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(compressed)) {
            out.write(input);
        }
        same(unpacked(compressed.toByteArray()), input);
        byte[] unpacked = unpacked(input);
        if (input.length > 0) {
            try (var jdk = new GZIPInputStream(new ByteArrayInputStream(input))) {
                same(unpacked, jdk.readAllBytes());
            }
        }
    }

    private static byte[] unpacked(byte[] packed) throws NotGzipException {
        int piece = packed.length == 0 ? 1 : 1 + Byte.toUnsignedInt(packed[packed.length / 2]);
        var all = new ByteArrayOutputStream();
        var into = new byte[ROOM];
        try (var members = new GzipMembers()) {
            for (int from = 0; from < packed.length; from += piece) {
                ByteBuffer part =
                        ByteBuffer.wrap(packed, from, Math.min(piece, packed.length - from));
                for (int count = members.unpack(part, into);
                        count > 0;
                        count = members.unpack(part, into)) {
                    all.write(into, 0, count);
                }
            }
            members.end();
        }
        return all.toByteArray();
    }

    private static void same(byte[] unpacked, byte[] expected) {
        if (!Arrays.equals(unpacked, expected)) {
            throw new AssertionError("unpacked to " + Arrays.toString(unpacked));
        }
    }
}
