package org.crabro.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunsTest {
    @ParameterizedTest
    @CsvSource({
        "東京, true",
        "2024年, true",
        "ひらがな, true",
        "カタカナ, true",
        "ｶﾀｶﾅ, true",
        "ㄅㄆ, true",
        "𠮷, true",
        "서울, false",
        "house, false",
        "дом, false",
        "กรุงเทพ, false",
        "'', false"
    })
    void distinguishesRunsFromWords(String token, boolean isRun) {
        assertThat(Tokenizer.isRun(token)).isEqualTo(isRun);
    }
}
