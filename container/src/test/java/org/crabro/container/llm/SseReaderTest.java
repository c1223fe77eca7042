package org.crabro.container.llm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import org.crabro.component.LanguageModelException;
import org.junit.jupiter.api.Test;

class SseReaderTest {
    @Test
    void readsTheDataOfEvents() throws Exception {
        assertThat(read("data: a\n\ndata:b\n\n", 100)).containsExactly("a", "b");
        assertThat(read("event: x\r\ndata: é\r\ndata: two\r\n\r\n", 100)).containsExactly("é\ntwo");
        assertThat(read(": comment\n\n\nid: 3\n\ndata:  spaced\n\n", 100))
                .containsExactly(" spaced");
        assertThat(read("data: no end", 100)).containsExactly("no end");
        assertThat(read("", 100)).isEmpty();
    }

    @Test
    void rejectsEventsThatAreTooLong() {
        assertThatThrownBy(() -> read("data: 12345678901\n\n", 10))
                .isInstanceOf(LanguageModelException.class)
                .hasMessageContaining("more than 10 bytes");
        assertThatThrownBy(() -> read("data: 123\ndata: 456\ndata: 789\n\n", 9))
                .isInstanceOf(LanguageModelException.class);
    }

    private static List<String> read(String text, int max) throws Exception {
        var reader = new SseReader(new ByteArrayInputStream(text.getBytes(UTF_8)), max);
        var all = new ArrayList<String>();
        for (String data = reader.next(); data != null; data = reader.next()) {
            all.add(data);
        }
        return all;
    }
}
