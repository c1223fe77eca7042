package org.crabro.client.chats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chats in, messages out. */
class ChatTextTest {
    private final List<String> losses = new ArrayList<>();

    private List<String> read(String text) {
        var chat = new ChatText(text, (field, change) -> losses.add(field + ": " + change));
        List<String> all = new ArrayList<>();
        for (Optional<Map<String, Object>> next = chat.next();
                next.isPresent();
                next = chat.next()) {
            all.add(next.get().toString());
        }
        return all;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "31.12.23, 22:05 - Ann: hi             | {date=2023-12-31T22:05:00Z, sender=Ann, text=hi}",
                "[31.12.23, 22:05:07] Ann: hi          | {date=2023-12-31T22:05:07Z, sender=Ann, text=hi}",
                "12/31/23, 10:05 PM - Ann: hi          | {date=2023-12-31T22:05:00Z, sender=Ann, text=hi}",
                "[12/31/23, 12:05:30\u202fAM] Ann: a: b | {date=2023-12-31T00:05:30Z, sender=Ann, text=a: b}",
                "2023-12-31, 22:05 - Ann: hi           | {date=2023-12-31T22:05:00Z, sender=Ann, text=hi}",
                "31/12/2023, 22:05 - Ann joined        | {date=2023-12-31T22:05:00Z, text=Ann joined}",
                "[31.12.23, 22:05:07] Ann: \u200eimage omitted | {date=2023-12-31T22:05:07Z, sender=Ann, text=image omitted}",
            })
    void readsTheFormsOfAllPhones(String line, String message) {
        assertThat(ChatText.isChat(line)).isTrue();
        assertThat(read(line)).containsExactly(message);
        assertThat(losses).isEmpty();
    }

    @Test
    void continuesMessagesOverLines() {
        assertThat(read("31.12.23, 22:05 - Ann: one\n\ntwo: 2\r\n31.12.23, 22:06 - Ben: x\n"))
                .containsExactly(
                        "{date=2023-12-31T22:05:00Z, sender=Ann, text=one\n\ntwo: 2}",
                        "{date=2023-12-31T22:06:00Z, sender=Ben, text=x}");
    }

    @Test
    void reportsDatesWhoseOrderIsUnsure() {
        assertThat(read("1/2/23, 22:05 - Ann: x"))
                .containsExactly("{date=2023-02-01T22:05:00Z, sender=Ann, text=x}");
        assertThat(losses)
                .containsExactly(
                        "date: read as day, month, year, although no date of the file shows it");
        losses.clear();
        assertThat(read("1/2/23, 22:05 - Ann: x\n1/31/23, 22:05 - Ann: y").getFirst())
                .startsWith("{date=2023-01-02T");
        assertThat(losses).isEmpty();
        assertThat(read("before\n99.99.23, 22:05 - Ann: x\n99.99.23, 99:99 - Ann: x"))
                .containsExactly("{sender=Ann, text=x}", "{sender=Ann, text=x}");
        assertThat(losses).contains("date: left out because it is no date");
    }

    @ParameterizedTest
    @CsvSource({
        "A note about 31.12.23",
        "'1.2.23, 10:00 - Ann: x\nA note\nof\nseveral lines'",
        "''"
    })
    void recognizesOtherTexts(String text) {
        assertThat(ChatText.isChat(text)).isFalse();
    }

    @Test
    void readsHugeTextsInLinearTime() {
        String line = "31.12.23, 22:05 - Ann: ";
        assertThat(read(line + "x".repeat(8 << 20))).hasSize(1);
        assertThat(read(line + "\n".repeat(1_000_000))).hasSize(1);
        assertThat(read(line + "\n1.".repeat(1_000_000))).hasSize(1);
        assertThat(read((line + "x\n").repeat(100_000))).hasSize(100_000);
    }
}
