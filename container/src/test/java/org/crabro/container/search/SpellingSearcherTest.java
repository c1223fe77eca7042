package org.crabro.container.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.NearWord;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.WordCount;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SpellingSearcherTest {
    private static final String PLACE =
            "/search/?streaming.groupname=g&sources=songs&restrict=music";

    private final SearchServer server = new SearchServer();

    @BeforeEach
    void start() throws Exception {
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private static SearchReply reply(WordCount... words) {
        var report =
                new SearchReport(new Coverage(10, 10, false), QueryCost.NONE, List.of(), List.of());
        return new SearchReply.Found(List.of(), 0, List.of(), report.withWords(List.of(words)));
    }

    /** Returns the trees of the requests to the content node. */
    private List<String> trees(String parameters) throws Exception {
        server.asked().clear();
        server.get(PLACE + "&" + SearchServer.encoded(parameters));
        return server.asked().stream().map(each -> QueryText.of(each.query().tree())).toList();
    }

    @Test
    void asksForNothingByDefault() throws Exception {
        assertThat(trees("query=house boat"))
                .containsExactly("(weakand default:house default:boat)");
    }

    @Test
    void addsWords() throws Exception {
        server.answer(
                "music",
                reply(
                        new WordCount(
                                0,
                                List.of(
                                        new NearWord("hoses", 2, 90),
                                        new NearWord("house", 1, 5),
                                        new NearWord("mouse", 1, 7))),
                        new WordCount(3, List.of())));

        List<String> trees = trees("query=huose boats&model.typos=true");

        assertThat(trees)
                .containsExactly(
                        "(rank true {typos}default:huose {typos}default:boats)",
                        "(weakand (or default:huose {exactness 0.5}default:mouse"
                                + " {exactness 0.5}default:house {exactness 0.25}default:hoses)"
                                + " default:boats)");
        SearchRequest first = server.asked().getFirst();
        assertThat(first.reply().countsWords()).isTrue();
        assertThat(first.hits().count()).isZero();
        assertThat(server.asked().getLast().reply().countsWords()).isFalse();
    }

    @Test
    void addsWordsBelowExactOnes() throws Exception {
        server.answer("music", reply(new WordCount(2, List.of(new NearWord("house", 1, 5)))));

        assertThat(trees("query=huose&model.typos=true").getLast())
                .isEqualTo("(or default:huose {exactness 0.005}default:house)");
    }

    @Test
    void addsLongerWords() throws Exception {
        server.answer("music", reply(new WordCount(3, List.of()), new WordCount(9, List.of())));

        assertThat(trees("query=boat s&model.beginning=true"))
                .containsExactly(
                        "(rank true default:s {prefix}default:s)",
                        "(weakand default:boat (or default:s {prefix, exactness 0.01}default:s))");
    }

    @Test
    void countsLongerWordsBeforeItAddsOthers() throws Exception {
        server.answer(
                "music",
                reply(
                        new WordCount(0, List.of()),
                        new WordCount(1, List.of(new NearWord("house", 1, 5)))));

        assertThat(trees("query=huose&model.beginning=true&model.typos=true"))
                .containsExactly(
                        "(rank true default:huose {prefix, typos}default:huose)",
                        "(or default:huose {prefix}default:huose {exactness 0.005}default:house)");
    }

    @Test
    void matchesOtherWordsAsWritten() throws Exception {
        server.answer("music", reply(new WordCount(0, List.of(new NearWord("house", 1, 5)))));

        List<String> trees = trees("query=huose -huoses \"huose\" title:{huose}&model.typos=true");

        assertThat(trees.getLast())
                .isEqualTo(
                        "(without (weakand (or default:huose {exactness 0.5}default:house)"
                                + " default:huose (same title :huose)) default:huoses)");
    }

    @Test
    void limitsTheWords() throws Exception {
        List<NearWord> near =
                IntStream.range(0, 100).mapToObj(i -> new NearWord("w" + i, 1, 1)).toList();
        List<WordCount> all = new ArrayList<>();
        var query = new StringBuilder();
        for (int i = 0; i < SpelledTree.WORDS_MAX + 8; i++) {
            query.append("word").append((char) ('a' + i % 26)).append((char) ('a' + i / 26));
            query.append(' ');
            if (i < SpelledTree.WORDS_MAX) {
                all.add(new WordCount(0, near));
            }
        }
        server.answer("music", reply(all.toArray(WordCount[]::new)));

        String tree = trees("query=" + query + "&model.typos=true").getLast();

        assertThat(tree.split("exactness", -1)).hasSize(SpelledTree.ADDED_IN_ALL_MAX + 1);
        assertThat(tree.split("w99", -1)).hasSize(1);
        assertThat(tree).contains("{exactness 0.5}default:w10 ").contains("default:wordnb)");
    }

    @Test
    void warnsIfWordsAreNotCounted() throws Exception {
        server.answer("music", SearchServer.reply(0));

        String answer = server.get(PLACE + "&query=huose&model.typos=true");

        assertThat(answer)
                .contains("HTTP/1.1 200")
                .contains("Words match as they are written, without other spellings");
        assertThat(QueryText.of(server.asked().getLast().query().tree()))
                .isEqualTo("default:huose");
    }

    @Test
    void showsTheAddedWords() throws Exception {
        server.answer("music", reply(new WordCount(2, List.of(new NearWord("house", 1, 5)))));

        String answer =
                server.get(
                        PLACE + "&query=huose&model.typos=true&trace.level=1&trace.explain=true");

        assertThat(answer)
                .contains("Word 'huose' is in 2 documents; added 'house' (1 edit, in 5)")
                .contains(
                        "\"words\":[{\"field\":\"default\",\"word\":\"huose\",\"documents\":2,"
                                + "\"beginning\":false,\"added\":[{\"word\":\"house\",\"edits\":1,\"documents\":5}]}]");
    }
}
