package org.crabro.protocol.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.encoding.WireFormatException;
import org.crabro.protocol.feed.GetReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageAssemblyTest {
    private static final byte[] MESSAGE =
            MessageEncoding.encode(new GetReply.Failed("a reply of several chunks"));

    @ParameterizedTest
    @ValueSource(ints = {6, 7, 10, 35, 100})
    void assemblesChunksOfAnySize(int chunkBytes) {
        var assembly = new MessageAssembly();

        for (int from = 0; from < MESSAGE.length; from += chunkBytes) {
            assembly.add(
                    Arrays.copyOfRange(MESSAGE, from, Math.min(MESSAGE.length, from + chunkBytes)));
            assertThat(assembly.length()).isEqualTo(MESSAGE.length);
        }

        assertThat(assembly.message()).isEqualTo(MESSAGE);
    }

    @Test
    void rejectsMessagesWithoutTheirEnd() {
        var assembly = new MessageAssembly();
        assembly.add(Arrays.copyOf(MESSAGE, 10));

        assertThatExceptionOfType(WireFormatException.class)
                .isThrownBy(assembly::message)
                .withMessage("at byte 10: expected a message of 36 bytes but found its end");
        assertThatExceptionOfType(WireFormatException.class)
                .isThrownBy(() -> new MessageAssembly().message());
    }

    @Test
    void rejectsMoreBytesThanTheMessageHas() {
        var assembly = new MessageAssembly();
        assembly.add(Arrays.copyOf(MESSAGE, 10));

        assertThatExceptionOfType(WireFormatException.class)
                .isThrownBy(() -> assembly.add(new byte[27]))
                .withMessage(
                        "at byte 10: expected the 26 bytes that are missing but found 27 bytes");
    }

    @Test
    void rejectsStartsOfNoMessage() {
        byte[] tooLong = {1, 4, -1, -1, -1, 127};
        byte[] otherVersion = {9, 4, 0, 0, 0, 0};

        assertThatExceptionOfType(WireFormatException.class)
                .isThrownBy(() -> new MessageAssembly().add(new byte[5]));
        assertThatExceptionOfType(WireFormatException.class)
                .isThrownBy(() -> new MessageAssembly().add(tooLong))
                .withMessage(
                        "at byte 2: expected a body of 0 to 268435450 bytes but found 2147483647");
        assertThatExceptionOfType(WireFormatException.class)
                .isThrownBy(() -> new MessageAssembly().add(otherVersion))
                .withMessage("at byte 0: expected version 1 but found 9");
    }

    @Test
    void isLimitedToTheBytesOfTheBudget() {
        var budget = new ByteBudget(100);

        assertThat(budget.tryTake(60)).isTrue();
        assertThat(budget.tryTake(41)).isFalse();
        assertThat(budget.tryTake(40)).isTrue();
        budget.release(60);
        assertThat(budget.taken()).isEqualTo(40);
        assertThat(budget.tryTake(60)).isTrue();
    }
}
