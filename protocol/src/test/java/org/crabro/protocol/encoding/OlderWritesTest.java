package org.crabro.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.crabro.protocol.encoding.OlderWrites.Kind;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The golden messages were written by the release before version 3 of the formats. */
class OlderWritesTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final int ROUNDS = 1_000;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);
    private final RandomMessages messages = new RandomMessages(random);

    @ParameterizedTest
    @EnumSource
    void readsAndWritesTheBytesOfOlderReleases(Kind kind) throws Exception {
        byte[] golden = MessageEncodingTest.golden("older_" + name(kind) + "_request");

        WriteRequest request = OlderWrites.request(kind, golden, NOW);

        assertThat(request.writes()).map(Kind::of).containsExactly(kind);
        assertThat(request.ids()).hasSize(1);
        assertThat(OlderWrites.encode(request, NOW)).isEqualTo(golden);
        byte[] reply =
                MessageEncodingTest.golden(
                        kind == Kind.FEED_BATCH ? "older_feed_batch_reply" : "older_feed_reply");
        List<WriteReply> replies = OlderWrites.replies(kind, reply);
        assertThat(replies).first().isInstanceOf(WriteReply.Stored.class);
        assertThat(OlderWrites.encode(kind, replies)).isEqualTo(reply);
    }

    @Test
    void givesBackEachWrite() {
        for (int round = 0; round < ROUNDS; round++) {
            WriteRequest many = messages.writeRequest();
            Write write = many.writes().getFirst();
            var one = new WriteRequest(many.header(), write, many.ids().stream().findFirst());

            WriteRequest read =
                    OlderWrites.request(Kind.of(write), OlderWrites.encode(one, NOW), NOW);

            assertThat(read).as("round %d, seed %d", round, seed).isEqualTo(one);
        }
    }

    @ParameterizedTest
    @EnumSource
    void rejectsShorterAndOtherMessages(Kind kind) throws Exception {
        byte[] whole = MessageEncodingTest.golden("older_" + name(kind) + "_request");
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(WireFormatException.class)
                    .as("%d of %d bytes", length, whole.length)
                    .isThrownBy(() -> OlderWrites.request(kind, part, NOW));
        }
        byte[] other =
                MessageEncoding.encode(
                        new WriteRequest(
                                messages.writeRequest().header(),
                                messages.writeRequest().writes().getFirst(),
                                Optional.empty()),
                        NOW);
        assertThatExceptionOfType(WireFormatException.class)
                .isThrownBy(() -> OlderWrites.request(kind, other, NOW));
    }

    @ParameterizedTest
    @EnumSource
    void readsOrRejectsDamagedMessages(Kind kind) throws Exception {
        byte[] whole = MessageEncodingTest.golden("older_" + name(kind) + "_request");
        for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(OlderWrites.request(kind, damaged, NOW)).isNotNull();
            } catch (WireFormatException e) {
                assertThat(e).hasMessageStartingWith("at byte " + e.offset() + ": expected ");
            } catch (RuntimeException e) {
                throw new AssertionError("round " + round + ", seed " + seed, e);
            }
        }
    }

    private static String name(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
