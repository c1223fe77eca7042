package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.content.search.group.GroupMemory;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.match.cache.PostingsCache;
import org.crabro.content.search.match.cache.VectorCache;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.DoubleValue;
import org.crabro.document.FieldValue.FloatValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.query.TermSettings.Affix;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Compares results of blocks with tokens with those of the same documents in blocks without tokens.
 */
class TokenSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 1, 1);

    /** Computes postings at the first search of a block, and evicts some when there are many. */
    private final PostingsCache postings = new PostingsCache(256 << 10, 0);

    private final Search byPostings =
            new Search(
                    new ScanThreads(pool, 1, 1),
                    new ReadAhead(Runnable::run, 1),
                    new BlockCaches(postings, VectorCache.none()),
                    new GroupMemory(GroupMemory.bytesByDefault()),
                    System::nanoTime,
                    Search.COUNTS_MAX);

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void answersAsTokenizingDoesToTheLastBit() {
        var queries = new RandomQueries(SEED);
        List<String> profiles = Mails.PROFILES.keySet().stream().sorted().toList();
        for (int round = 0; round < 3; round++) {
            int count = 1 + queries.number(400);
            try (var tokens =
                            new Archive(
                                    SEED + round,
                                    count,
                                    List.of(type -> new BlockWriter(type, Mails.SEARCHED_TEXTS)));
                    var late =
                            new Archive(SEED + round, count, List.of(BlockWriter::new))
                                    .findingWordsLate(Mails.SEARCHED_TEXTS);
                    var texts = new Archive(SEED + round, count, List.of(BlockWriter::new))) {
                for (int i = 0; i < 50; i++) {
                    QueryNode tree = i % 2 == 0 ? queries.tree(3) : part(queries);
                    String profile = profiles.get(queries.number(profiles.size()));
                    KeyRange range =
                            queries.number(3) == 0
                                    ? new KeyRange.Group("user2")
                                    : new KeyRange.Everything();
                    SearchRequest request = SearchTest.request(tree, profile, List.of(), 30, range);

                    SearchReply.Found expected = run(request, texts);
                    String what = "%s by %s in %s, seed %d".formatted(tree, profile, range, SEED);
                    check(run(request, tokens), expected, what);
                    check(run(request, late), expected, what + ", found late");
                    for (Archive archive : List.of(tokens, late)) {
                        check(run(byPostings, request, archive), expected, what + ", by postings");
                    }
                }
            }
        }
        assertThat(postings.byteSize()).isPositive();
    }

    private static void check(SearchReply.Found result, SearchReply.Found expected, String what) {
        assertThat(result.hits()).as(what).isEqualTo(expected.hits());
        assertThat(result.totalCount()).as(what).isEqualTo(expected.totalCount());
        assertThat(result.report().coverage()).as(what).isEqualTo(expected.report().coverage());
        assertThat(result.report().cost().blocks() + result.report().cost().skippedBlocks())
                .as(what)
                .isEqualTo(
                        expected.report().cost().blocks()
                                + expected.report().cost().skippedBlocks());
        assertThat(String.join("\n", result.report().trace())).as(what).doesNotContain("tokenized");
    }

    /** Parts of words, some of which are found in tokens and others in texts. */
    private static QueryNode part(RandomQueries queries) {
        String word = queries.word();
        int from = queries.number(word.length());
        String text = word.substring(from, from + 1 + queries.number(word.length() - from));
        List<Affix> affixes = List.of(Affix.values());
        Affix affix = affixes.get(queries.number(affixes.size()));
        String query = queries.number(4) == 0 ? text + " " + queries.word().substring(0, 1) : text;
        List<String> fields = List.of("title", "body", "tags", "stem", "labels", "default");
        return new QueryNode.Term(
                fields.get(queries.number(fields.size())),
                query,
                new TermSettings(100, true, affix));
    }

    private SearchReply.Found run(SearchRequest request, Archive archive) {
        return run(search, request, archive);
    }

    private static SearchReply.Found run(Search search, SearchRequest request, Archive archive) {
        return (SearchReply.Found) search.run(request, Mails.SCHEMA, List.copyOf(archive.views(1)));
    }

    @Test
    void passesOverBlocksWithoutAWordOrANumberOfTheRange() {
        try (var mails = new MailBlock(1)) {
            mails.with("a", "title", new StringValue("blue house"), "size", new IntValue(1))
                    .with("b", "title", new StringValue("red house"), "size", new IntValue(2))
                    .with("c", "title", new StringValue("green mouse"), "size", new IntValue(3))
                    .with("d", "title", new StringValue("blue mouse"));

            assertThat(cost(mails, term("blue"))).isEqualTo("2 of 4 found 2");
            assertThat(cost(mails, term("blue-house"))).isEqualTo("1 of 4 found 1");
            assertThat(cost(mails, term("house-blue"))).isEqualTo("1 of 4 found 0");
            assertThat(cost(mails, term("none"))).isEqualTo("0 of 4 found 0");
            assertThat(cost(mails, new QueryNode.And(List.of(term("blue"), term("mouse")))))
                    .isEqualTo("1 of 4 found 1");
            assertThat(cost(mails, new QueryNode.Or(List.of(term("green"), range("size", 2, 2)))))
                    .isEqualTo("2 of 4 found 2");
            assertThat(cost(mails, range("size", 2, 9))).isEqualTo("2 of 4 found 2");
            assertThat(cost(mails, new QueryNode.All())).isEqualTo("4 of 4 found 4");
            assertThat(
                            cost(
                                    mails,
                                    new QueryNode.Without(
                                            term("mouse"), List.of(term("blue"), term("x")))))
                    .isEqualTo("2 of 4 found 1");
        }
    }

    @Test
    void passesOverBlocksWithoutAWholeValue() {
        try (var mails = new MailBlock(50)) {
            for (int i = 0; i < 100; i++) {
                mails.with("d" + i, "lang", new StringValue("English"));
            }

            assertThat(cost(mails, new QueryNode.Term("lang", "english", TermSettings.DEFAULT)))
                    .isEqualTo("2 of 2 found 100");
            assertThat(cost(mails, new QueryNode.Term("lang", "german", TermSettings.DEFAULT)))
                    .isEqualTo("0 of 2 found 0");
        }
    }

    @Test
    void passesOverNoBlockWithAFractionOfTheRange() {
        try (var mails = new MailBlock(1)) {
            mails.with("a", "price", new FloatValue(0.1f), "weight", new DoubleValue(0.1))
                    .with("b", "price", new FloatValue(Float.NaN))
                    .with("c", "weight", new DoubleValue(-0.0));

            assertThat(cost(mails, range("price", 0.1, 0.1))).isEqualTo("1 of 3 found 1");
            assertThat(cost(mails, range("weight", 0.1, 0.1))).isEqualTo("1 of 3 found 1");
            assertThat(cost(mails, range("weight", 0.0, 0.05))).isEqualTo("1 of 3 found 1");
        }
    }

    @Test
    void countsTokenizedBlocks() {
        FieldValue text = new StringValue("blue house");
        SearchRequest request =
                SearchTest.request(term("blue"), "words", List.of(), 3, new KeyRange.Everything());
        try (var tokens = new MailBlock(1).with("a", "title", text).with("b", "title", text);
                var texts =
                        new MailBlock(1, SearchedTexts.NONE)
                                .with("a", "title", text)
                                .with("b", "title", text)) {
            var withTokens =
                    (SearchReply.Found) search.run(request, Mails.SCHEMA, List.of(tokens.view()));
            var without =
                    (SearchReply.Found) search.run(request, Mails.SCHEMA, List.of(texts.view()));

            assertThat(withTokens.hits()).isEqualTo(without.hits());
            assertThat(String.join("\n", without.report().trace()))
                    .contains("tokenized 2 blocks, which keep no tokens");
            assertThat(String.join("\n", withTokens.report().trace()))
                    .doesNotContain("tokenized")
                    .contains("in 2 blocks and passed over 0");
        }
    }

    private String cost(MailBlock mails, QueryNode tree) {
        SearchRequest request =
                SearchTest.request(tree, "unranked", List.of(), 9, new KeyRange.Everything());
        var result = (SearchReply.Found) search.run(request, Mails.SCHEMA, List.of(mails.view()));
        return "%d of %d found %d"
                .formatted(
                        result.report().cost().blocks(),
                        result.report().cost().blocks() + result.report().cost().skippedBlocks(),
                        result.totalCount());
    }

    private static QueryNode term(String text) {
        return new QueryNode.Term("title", text, TermSettings.DEFAULT);
    }

    private static QueryNode range(String field, int low, int high) {
        return new QueryNode.Range(
                field,
                new RangeEnd.Whole(low, true),
                new RangeEnd.Whole(high, true),
                TermSettings.DEFAULT);
    }

    private static QueryNode range(String field, double low, double high) {
        return new QueryNode.Range(
                field,
                new RangeEnd.Real(low, true),
                new RangeEnd.Real(high, true),
                TermSettings.DEFAULT);
    }
}
