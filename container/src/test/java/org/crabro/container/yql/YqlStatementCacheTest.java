package org.crabro.container.yql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.protocol.query.QueryText;
import org.junit.jupiter.api.Test;

class YqlStatementCacheTest {
    private static final String TEXT =
            "select * from s where title contains @q limit @n | all(group(a) each(output(count())))";

    private final YqlStatementCache cache = new YqlStatementCache();
    private final List<String> parsed = new ArrayList<>();

    @Test
    void aTextIsParsedOnceForTheParametersOfManyRequests() {
        for (String word : List.of("blue", "red")) {
            for (String limit : List.of("3", "4")) {
                YqlQuery query =
                        YqlParser.parse(TEXT, new RequestDouble(Map.of("q", word, "n", limit)));
                assertThat(QueryText.of(query.tree())).isEqualTo("title:" + word);
                assertThat(query.window().limit())
                        .isEqualTo(OptionalInt.of(Integer.parseInt(limit)));
                assertThat(query.groupings()).hasSize(1);
            }
        }
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(
                        () -> YqlParser.parse(TEXT, new RequestDouble(Map.of("q", "a", "n", "-"))))
                .withMessageContaining("expected a whole number from 0 on for limit, got '-'");
        assertThat(ask(TEXT)).isSameAs(ask(TEXT));
        assertThat(parsed).containsExactly(TEXT);
    }

    @Test
    void textsInTheSamePlaceReplaceEachOther() {
        // Both have the hash code 2112.
        for (int round = 0; round < 2; round++) {
            for (String text : List.of("Aa", "BB")) {
                assertThat(ask(text).text()).isEqualTo(text);
                assertThat(ask(text).text()).isEqualTo(text);
            }
        }
        assertThat(parsed).containsExactly("Aa", "BB", "Aa", "BB");
    }

    @Test
    void doesNotCacheALongText() {
        String text = "a".repeat(801);
        ask(text);
        ask(text);
        assertThat(parsed).containsExactly(text, text);
    }

    private YqlStatement ask(String text) {
        return cache.statement(
                text,
                each -> {
                    parsed.add(each);
                    return new YqlStatement(
                            each,
                            new YqlQuery.Select(List.of(), List.of()),
                            Optional.empty(),
                            List.of(),
                            new YqlStatement.Numbers(
                                    Optional.empty(), Optional.empty(), Optional.empty()),
                            OptionalInt.empty());
                });
    }
}
