package org.crabro.client.chats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlackTextTest {
    private static final SlackText TEXT =
            new SlackText(Map.of("U1", "Ann $1 Müller"), Map.of("C1", "general"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "hi <@U1>! ~ hi @Ann $1 Müller!",
                "<@U9|ben> and <@U9> ~ @ben and @U9",
                "in <#C1> or <#C1|old>, <#C9> ~ in #general or #old, #C9",
                "<!here> <!subteam^S1|@sea> ~ @here @sea",
                "<https://x.example/a> ~ https://x.example/a",
                "<https://x.example/a|this page> ~ this page (https://x.example/a)",
                "<https://x.example|x.example> ~ https://x.example",
                "<mailto:a@x.example|a@x.example> ~ a@x.example",
                "1 &lt; 2 &amp;&amp; 3 &gt; 2 ~ 1 < 2 && 3 > 2",
                "&amp;lt; ~ &lt;",
                "a < b, <>, <|x>, <@ ~ a < b, <>, <|x>, <@",
            })
    void showsWhatPeopleRead(String given, String expected) {
        assertThat(TEXT.plain(given)).isEqualTo(expected);
    }

    @Test
    void readsManyMarksThatNeverEnd() {
        String marks = "<@".repeat(1_000_000);

        assertThat(TEXT.plain(marks)).isEqualTo(marks);
        assertThat(TEXT.plain("<" + "a".repeat(1_000_000))).hasSize(1_000_001);
    }
}
