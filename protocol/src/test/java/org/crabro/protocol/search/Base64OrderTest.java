package org.crabro.protocol.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Base64OrderTest {
    private static final int ROUNDS = 20_000;

    /** Few different bytes, so that many texts have equal beginnings. */
    private static final byte[] BYTES = {0, 1, 105, 127, -128, -1};

    @Test
    void comparesAsTheUnsignedBytesThatAreEncoded() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] one = bytes(random);
            byte[] other = bytes(random);

            int order =
                    Base64Order.compare(
                            Base64.getEncoder().encodeToString(one),
                            Base64.getMimeEncoder(4, new byte[] {'\n'}).encodeToString(other));

            assertThat(Integer.signum(order))
                    .as("%s, %s, seed %d", Arrays.toString(one), Arrays.toString(other), seed)
                    .isEqualTo(Integer.signum(Arrays.compareUnsigned(one, other)));
        }
    }

    private static byte[] bytes(Random random) {
        var bytes = new byte[random.nextInt(6)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = BYTES[random.nextInt(BYTES.length)];
        }
        return bytes;
    }
}
