package org.crabro.client.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YqlCompletionTest {
    private static final SchemaNames NAMES =
            new SchemaNames(
                    Map.of(
                            "music",
                            new SchemaNames.Type(
                                    List.of(
                                            new SchemaNames.Field("title", "string"),
                                            new SchemaNames.Field("time", "long")),
                                    List.of("default"),
                                    Map.of(
                                            "words",
                                            Map.of("query(q)", "tensor<float>(x[3])"),
                                            "near",
                                            Map.of())),
                            "note",
                            new SchemaNames.Type(
                                    List.of(new SchemaNames.Field("text", "string")),
                                    List.of(),
                                    Map.of("default", Map.of()))));

    private final YqlCompletion completion = new YqlCompletion(NAMES);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    sel                                         | sel    | select
                    select t                                    | t      | text time title
                    select title, t                             | t      | text time title
                    select title f                              | f      | from
                    select * from m                             | m      | music
                    select * from music w                       | w      | where
                    select * from music where t                 | t      | text time title true
                    select * from music where user              | user   | userInput( userQuery()
                    select * from music where title c           | c      | contains
                    select * from music where title contains ph | ph     | phrase(
                    select * from music where title contains "blue" a | a | and
                    select * from music where (ti               | ti     | time title
                    select * from music where true order b      | b      | by
                    select * from music where true order by ti  | ti     | time title
                    select * from music where true order by time d | d   | desc
                    \\he                                        | \\he   | \\help
                    \\describe n                                | n      | note
                    \\set ranking=n                             | n      | near
                    \\set ranking=                              | ~~     | default near words
                    \\set input.                                | ~~     | query(q)=
                    \\set hi                                    | hi     | hits=
                    \\explain select * from mu                  | mu     | music
                    """)
    void completes(String entered, String word, String candidates) {
        YqlCompletion.Completions completions = completion.at(entered);

        assertThat(completions.word()).isEqualTo(word);
        assertThat(String.join(" ", completions.candidates())).isEqualTo(candidates);
    }

    /** Every completion begins with the word before the cursor, wherever it is. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    select title, time from music where title contains "blue" and !(time > 3) order by time desc limit 3;
                    \\explain select * from sources * where rank(userInput(@words), {targetHits: 3}nearestNeighbor(e, q));
                    \\set input.query(q)=[1,2,3]
                    """)
    void completesAnywhere(String statement) {
        for (int cursor = 0; cursor <= statement.length(); cursor++) {
            String entered = statement.substring(0, cursor);

            YqlCompletion.Completions completions = completion.at(entered);

            assertThat(entered).endsWith(completions.word());
            assertThat(completions.candidates())
                    .allMatch(each -> each.startsWith(completions.word()));
        }
    }
}
