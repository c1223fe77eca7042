package org.crabro.container.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.crabro.protocol.query.QueryText;
import org.crabro.ranking.significance.SignificanceModels;
import org.crabro.ranking.significance.SignificanceReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignificanceSearcherTest {
    private static final String GROUP = "&streaming.groupname=g";

    private final SearchServer server = new SearchServer();

    @BeforeEach
    void start() throws Exception {
        server.start(
                models(
                        """
                        {"languages": {
                          "en": {"document-count": 100, "document-frequencies":
                            {"the": 100, "cat": 7, "dog": 20, "café": 3, "cafe": 9, "5": 50}},
                          "de": {"document-count": 10, "document-frequencies": {"cat": 1, "und": 9}},
                          "un": {"document-count": 5, "document-frequencies": {"cat": 2}}
                        }}
                        """));
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private static SignificanceModels models(String json) throws IOException {
        return SignificanceReader.read(new ByteArrayInputStream(json.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    title contains "cat"                         | {frequency 7/100}title:cat
                    title contains "CAT"                         | {frequency 7/100}title:CAT
                    title contains "Café"                        | {frequency 3/100}title:Café
                    title contains "ｃａｔ"                      | {frequency 7/100}title:ｃａｔ
                    title contains "whale"                       | {frequency 1/100}title:whale
                    title contains "cat-the-dog"                 | {frequency 7/100}title:cat-the-dog
                    title contains "..."                         | title:...
                    title contains phrase("the", "dog")          | {frequency 20/100}(phrase title the dog)
                    title contains "the" and title contains "cat" | (and {frequency 100/100}title:the {frequency 7/100}title:cat)
                    title contains "the" or title contains "cat" | (or {frequency 100/100}title:the {frequency 7/100}title:cat)
                    title contains "the" and !(title contains "cat") | (without {frequency 100/100}title:the {frequency 7/100}title:cat)
                    rank(title contains "the", title contains "cat") | (rank {frequency 100/100}title:the {frequency 7/100}title:cat)
                    weakAnd(title contains "the", title contains "cat") | (weakand {frequency 100/100}title:the {frequency 7/100}title:cat)
                    title contains near("cat", "dog")            | (near title 2 {frequency 7/100}title:cat {frequency 20/100}title:dog)
                    title contains equiv("cat", "dog")           | (equiv {frequency 20/100}title:cat {frequency 20/100}title:dog)
                    title contains equiv({significance:0.5}"cat", "dog") | (equiv {significance 0.5}title:cat {frequency 20/100}title:dog)
                    default contains "cat"                       | {frequency 7/100}default:cat
                    artist contains "The Cat"                    | {frequency 7/100}artist:"The Cat"
                    title contains ({documentFrequency:{frequency:13, count:101}}"cat") | {frequency 13/101}title:cat
                    title contains ({significance:0.5}"cat")     | {significance 0.5}title:cat
                    title contains ({ranked:false}"cat")         | {unranked}title:cat
                    title contains ({filter:true}"cat")          | {filter}title:cat
                    title contains ({prefix:true}"cat")          | {prefix}title:cat
                    title contains ({language:"de"}"cat")        | {frequency 1/10, language de}title:cat
                    title contains ({language:"de-AT"}"cat")     | {frequency 1/10, language de-AT}title:cat
                    title contains ({language:"un"}"cat")        | {frequency 2/5, language un}title:cat
                    year contains "5"                            | year:5
                    year = 5                                     | (range year [5;5])
                    title matches "cat"                          | (regex title cat)
                    title contains fuzzy("cat")                  | (fuzzy title cat 2)
                    title in ("cat", "dog")                      | (in title cat dog)
                    weightedSet(title, {"cat":1})                | (weighted title cat:1)
                    sddocname contains "music"                   | sddocname:music
                    """)
    void saysHowCommonWordsAre(String where, String tree) throws Exception {
        assertThat(asked("yql=select * from music where " + where + "&ranking=counted"))
                .isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    &ranking=counted                                         | {frequency 7/100}title:cat
                    &ranking=default                                         | title:cat
                    &ranking=counted&ranking.significance.useModel=false     | title:cat
                    &ranking=default&ranking.significance.useModel=true      | {frequency 7/100}title:cat
                    &ranking.significance.usemodel=true                      | {frequency 7/100}title:cat
                    &ranking=counted&language=de                             | {frequency 1/10, language de}title:cat
                    &ranking=counted&model.locale=de_AT                      | {frequency 1/10, language de_AT}title:cat
                    """)
    void theRequestDecidesBeforeTheProfile(String parameters, String tree) throws Exception {
        assertThat(asked("yql=select * from music where title contains 'cat'" + parameters))
                .isEqualTo(tree);
    }

    @Test
    void simpleQueriesAreToldToo() throws Exception {
        assertThat(
                        asked(
                                "query=the"
                                        + " cat&type=all&default-index=title&restrict=music&ranking=counted"))
                .isEqualTo("(and {frequency 100/100}title:the {frequency 7/100}title:cat)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    select * from music where title contains 'cat' | counted | fr | 'there is no significance model for language ''fr'', only for [de, en, un]'
                    select * from music, films where title contains 'cat' | counted | en | 'rank profiles use a significance model in [music] and none in [films]: set ranking.significance.useModel, or restrict the query'
                    """)
    void refusesWhatNoModelSays(String yql, String ranking, String language, String message)
            throws Exception {
        String answer =
                server.get(
                        "/search/?"
                                + SearchServer.encoded(
                                        "yql="
                                                + yql
                                                + "&ranking="
                                                + ranking
                                                + "&language="
                                                + language
                                                + GROUP));

        assertThat(answer).startsWith("HTTP/1.1 400").contains(message);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void severalSchemasAreAskedWhereTheRequestSaysSo() throws Exception {
        assertThat(
                        asked(
                                "yql=select * from music, films where title contains"
                                        + " 'cat'&ranking.significance.useModel=true"))
                .isEqualTo("{frequency 7/100}title:cat");
    }

    @Test
    void tracesTellWhatWasSaid() throws Exception {
        String answer =
                server.get(
                        "/search/?"
                                + SearchServer.encoded(
                                        "yql=select * from music where title contains 'cat' and"
                                                + " title contains 'whale' and title contains 'cat'"
                                                + "&ranking=counted&tracelevel=1"
                                                + GROUP));

        assertThat(answer)
                .containsOnlyOnce("Significance model of 'en': 'cat' is in 7 of 100 documents\"")
                .containsOnlyOnce(
                        "Significance model of 'en': 'whale' is in 0 of 100 documents, and counts"
                                + " as in 1\"")
                .contains("{frequency 7/100}title:cat");
    }

    private String asked(String parameters) throws Exception {
        String answer = server.get("/search/?" + SearchServer.encoded(parameters + GROUP));

        assertThat(answer).startsWith("HTTP/1.1 200");
        return QueryText.of(server.asked().getLast().query().tree());
    }
}
