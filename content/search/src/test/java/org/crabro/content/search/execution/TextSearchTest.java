package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.query.TermSettings.Affix;
import org.crabro.protocol.search.SearchReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests whether words match texts, with one mail each. */
class TextSearchTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 1, 1);

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void foldsCaseAndAccentsOfTokens() {
        assertThat(finds("title", "PASSE", text("Le passé simple"))).isTrue();
        assertThat(finds("title", "strasse", text("Straße"))).isTrue();
        assertThat(finds("title", "oeuvre", text("ŒUVRE"))).isTrue();
        assertThat(finds("title", "pass", text("passé"))).isFalse();
    }

    @Test
    void doesNotStem() {
        assertThat(finds("title", "fishes", text("fish"))).isFalse();
    }

    @Test
    void matchesSeveralTokensAsAPhrase() {
        assertThat(finds("title", "blue-house", text("a BLUE house"))).isTrue();
        assertThat(finds("title", "blue house", text("house blue"))).isFalse();
        assertThat(finds("title", "12.5", text("it is 12.5 metres"))).isTrue();
        assertThat(finds("title", "a b a b c", text("a b a b a b c"))).isTrue();
        assertThat(finds("title", "...", text("... and so on"))).isFalse();
    }

    @Test
    void keepsPhrasesWithinAnElementAndAField() {
        FieldValue tags = array("big blue", "house");

        assertThat(finds("tags", "big blue", tags)).isTrue();
        assertThat(finds("tags", "blue house", tags)).isFalse();
        assertThat(
                        matches(
                                term("default", "one two", Affix.FIELD),
                                "title",
                                text("one"),
                                "body",
                                text("two")))
                .isFalse();
        assertThat(matches(term("default", "one two", Affix.FIELD), "body", text("One, two.")))
                .isTrue();
    }

    @Test
    void comparesWholeValuesOfAttributes() {
        assertThat(finds("lang", "EN-us", text("en-US"))).isTrue();
        assertThat(finds("lang", "en", text("en-US"))).isFalse();
        assertThat(finds("lang", "creme", text("crème"))).isFalse();
        assertThat(finds("labels", "to do", array("done", "To Do"))).isTrue();
        assertThat(finds("lang", "", text(""))).isFalse();
    }

    @Test
    void leavesCaseAloneWhereTheFieldIsCased() {
        assertThat(finds("code", "Ab", text("Ab"))).isTrue();
        assertThat(finds("code", "ab", text("Ab"))).isFalse();
    }

    @Test
    void matchesPartsWhereTheTermOrTheFieldSaysSo() {
        assertThat(finds("title", "hou", Affix.PREFIX, text("the HOUSE"))).isTrue();
        assertThat(finds("title", "hou", text("the house"))).isFalse();
        assertThat(finds("title", "use", Affix.SUFFIX, text("the house"))).isTrue();
        assertThat(finds("title", "ous", Affix.SUFFIX, text("the house"))).isFalse();
        assertThat(finds("title", "e hou", Affix.SUBSTRING, text("the House"))).isTrue();
        assertThat(finds("title", "hé Hou", Affix.SUBSTRING, text("the house"))).isTrue();
        assertThat(finds("title", "the ho", Affix.PREFIX, text("see the house"))).isTrue();
        assertThat(finds("title", "he house", Affix.SUFFIX, text("see the house"))).isTrue();
        assertThat(finds("stem", "hou", text("the house"))).isTrue();
        assertThat(finds("lang", "n-U", Affix.SUBSTRING, text("en-us"))).isTrue();
        assertThat(finds("lang", "en", Affix.PREFIX, text("en-us"))).isTrue();
    }

    @Test
    void findsNothingInAFieldThatIsNotSet() {
        assertThat(matches(term("title", "x", Affix.FIELD), "body", text("x"))).isFalse();
    }

    @Test
    void refusesAPhraseThatIsTooLong() {
        String words = String.join(" ", java.util.Collections.nCopies(65, "a"));

        assertThat(reply(term("title", words, Affix.FIELD)))
                .isEqualTo(
                        new SearchReply.Rejected(
                                "a phrase of 65 words in field 'title': at most 64 are possible"));
    }

    private boolean finds(String field, String text, FieldValue value) {
        return matches(term(field, text, Affix.FIELD), field, value);
    }

    private boolean finds(String field, String text, Affix affix, FieldValue value) {
        return matches(term(field, text, affix), field, value);
    }

    private static QueryNode term(String field, String text, Affix affix) {
        return new QueryNode.Term(field, text, new TermSettings(100, true, affix));
    }

    /** Searches a block with tokens and one without: both results must be equal. */
    private boolean matches(QueryNode tree, Object... fields) {
        var withTokens = (SearchReply.Found) reply(Mails.SEARCHED_TEXTS, tree, fields);
        var without = (SearchReply.Found) reply(SearchedTexts.NONE, tree, fields);
        assertThat(withTokens.hits()).isEqualTo(without.hits());
        return withTokens.totalCount() == 1;
    }

    private SearchReply reply(QueryNode tree, Object... fields) {
        return reply(Mails.SEARCHED_TEXTS, tree, fields);
    }

    private SearchReply reply(SearchedTexts texts, QueryNode tree, Object... fields) {
        try (var mails = new MailBlock(1, texts).with("one", fields)) {
            return search.run(
                    SearchTest.request(tree, "unranked", List.of(), 1, new KeyRange.Everything()),
                    Mails.SCHEMA,
                    List.of(mails.view()));
        }
    }

    private static FieldValue text(String value) {
        return new StringValue(value);
    }

    private static FieldValue array(String... values) {
        return new ArrayValue(Arrays.stream(values).<FieldValue>map(StringValue::new).toList());
    }
}
