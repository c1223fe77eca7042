package org.crabro.client.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes of operations, and other bytes. */
class SpooledOperationTest {
    private static final List<FeedOperation> OPERATIONS =
            List.of(
                    FeedOperation.put("id:a:b:g=ä x:1", Map.of("f", "ä\"\n")),
                    FeedOperation.put("id:a:b::1", Map.of()).withCondition("b.f == 1"),
                    FeedOperation.update("id:a:b::1", Map.of("f", Map.of("increment", 1)))
                            .creating(),
                    FeedOperation.remove("id:a:b:n=18446744073709551615:z"),
                    FeedOperation.remove("id:a:b::1").withCondition(""),
                    FeedOperation.parse("{\"put\":\"id:a:b::1\",\"fields\":{}}"),
                    FeedOperation.parse("{\"remove\":\"id:a:b::1\",\"condition\":\"true\"}"));

    @Test
    void areReadAsTheyWere() throws Exception {
        for (FeedOperation each : OPERATIONS) {
            assertThat(SpooledOperation.decode(each.id().toString(), SpooledOperation.encode(each)))
                    .isEqualTo(each);
        }
    }

    @Test
    void areRejectedWhereTheyAreCutOrLonger() {
        for (FeedOperation each : OPERATIONS) {
            byte[] whole = SpooledOperation.encode(each);
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> SpooledOperation.decode("id:a:b::1", cut))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("is broken");
            }
            assertThatThrownBy(() ->
                            SpooledOperation.decode(
                                    "id:a:b::1", Arrays.copyOf(whole, whole.length + 1)))
                    .hasMessageContaining("bytes follow it");
        }
    }

    @Test
    void areRejectedOrReadWhereBitsChanged() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int round = 0; round < 10_000; round++) {
            byte[] changed =
                    SpooledOperation.encode(OPERATIONS.get(random.nextInt(OPERATIONS.size())));
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                FeedOperation operation = SpooledOperation.decode("id:a:b::1", changed);
                assertThat(operation.method()).isIn("POST", "PUT", "DELETE");
            } catch (IOException e) {
                assertThat(e).as("seed %d", seed).hasMessageContaining("is broken");
            }
        }
    }

    @Test
    void areRejectedWithAnIdThatIsNone() {
        assertThatThrownBy(() ->
                        SpooledOperation.decode(
                                "no id",
                                SpooledOperation.encode(FeedOperation.remove("id:a:b::1"))))
                .hasMessageContaining("'no id', is broken");
        assertThatThrownBy(() ->
                        SpooledOperation.decode("id:a:b::1", "X\0\0\0\0\0\0\0\0\0".getBytes(UTF_8)))
                .hasMessageContaining("its kind is unknown");
    }
}
