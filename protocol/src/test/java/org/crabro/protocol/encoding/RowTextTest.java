package org.crabro.protocol.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "wörds", "日本語", "\uD83D\uDE00", "a \uFFFD of its own"})
    void readsEveryText(String text) {
        assertThat(RowEncoding.text(MemorySegment.ofArray(text.getBytes(UTF_8)))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "61c3", "c080", "eda080", "f4908080", "61efbfbdff"})
    void rejectsOtherBytes(String hex) {
        MemorySegment bytes = MemorySegment.ofArray(HexFormat.of().parseHex(hex));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowEncoding.text(bytes))
                .withMessage("a row holds text that is not UTF-8");
    }
}
