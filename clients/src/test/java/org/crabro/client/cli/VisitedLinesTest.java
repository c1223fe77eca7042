package org.crabro.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.crabro.client.feed.GroupLines;
import org.crabro.document.LocationKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VisitedLinesTest {
    private static final Optional<GroupLines> ANNA =
            Optional.of(new GroupLines(new LocationKey.Group("anna")));

    private static VisitedLines lines(String text, Optional<GroupLines> group) {
        return new VisitedLines(new ByteArrayInputStream(text.getBytes(UTF_8)), group);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"put\":\"id:a:note:g=anna:1\",\"fields\":{\"text\":\"id:a:note:g=bob:1\"}}",
                "{\"id\":\"id:a:note:g=anna:1\",\"fields\":{}}",
                "{\"remove\":\"id:a:note:g=anna:..\"}",
                "{\"fields\":{\"put\":\"id:a:note:g=bob:1\"},\"put\":\"id:a:note:g=anna:x:y\"}"
            })
    void acceptsOperationsOnDocumentsOfTheGroup(String line) throws IOException {
        try (VisitedLines lines = lines(line + "\r\n", ANNA)) {
            assertThat(new String(lines.next().orElseThrow(), UTF_8)).isEqualTo(line + "\n");
            assertThat(lines.next()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {"put":"id:a:note:g=bob:1","fields":{}} | 'id:a:note:g=bob:1' is not in the group to import
                    {"put":"id:a:note::1","fields":{}} | is not in the group to import
                    {"put":"id:a:note:n=1:1","fields":{}} | is not in the group to import
                    {"remove":"id:a:note:g=bob:1"} | is not in the group to import
                    {"put":"id:a:note:g=anna/../bob:1","fields":{}} | is not in the group to import
                    {"put":"id:a:note:g=anna:1","put":"id:a:note:g=bob:1","fields":{}} | is not in the group to import
                    {"put":"id:a:note:g=bob:1","put":"id:a:note:g=anna:1","fields":{}} | is not in the group to import
                    {"put":"id:a:note:g=anna:1","id":"id:a:note:g=bob:1","fields":{}} | is not in the group to import
                    {"put":7,"fields":{}} | expected the id of a document in 'put'
                    {"put":"../bob","fields":{}} | unparseable document id
                    {"fields":{}} | there is no id of a document
                    [1] | expected an operation as a JSON object
                    {"put":"id:a:note:g=anna:1"} {"put":"id:a:note:g=bob:1"} | expected the end of the line
                    {"put":"id:a:note:g=anna:1" | not JSON
                    """)
    void refusesALineOutsideOfTheGroup(String line, String message) throws IOException {
        try (VisitedLines lines = lines("{\"id\":\"id:a:note:g=anna:0\"}\n" + line + "\n", ANNA)) {
            assertThat(lines.next()).isPresent();
            assertThatThrownBy(lines::next)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("line 2: ")
                    .hasMessageContaining(message);
        }
    }

    @Test
    void acceptsEveryGroupWithoutOne() throws IOException {
        try (VisitedLines lines = lines("{\"put\":\"id:a:note:g=bob:1\"}", Optional.empty())) {
            assertThat(lines.next()).isPresent();
        }
    }

    @Test
    void refusesALineThatIsTooLong() throws IOException {
        var endless =
                new InputStream() {
                    @Override
                    public int read() {
                        return 'x';
                    }
                };
        try (var lines = new VisitedLines(endless, Optional.empty())) {
            assertThatThrownBy(lines::next)
                    .isInstanceOf(IOException.class)
                    .hasMessage("line 1 has more than 67,108,864 bytes, which is the limit");
        }
    }
}
