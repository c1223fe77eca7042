package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In which order conditions are tried, and on which rows. */
class FilterOrderTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int ROWS = 200;

    private static final Pattern LINE =
            Pattern.compile("( +)(.*?)(?: \\(cost (\\d+) a row\\))?: (\\d+) of (\\d+) rows,.*");

    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 1, 1);

    @AfterEach
    void stop() {
        pool.close();
    }

    private static final List<QueryNode> CONDITIONS =
            List.of(
                    new QueryNode.Range(
                            "size",
                            new RangeEnd.Whole(50, true),
                            new RangeEnd.Unbounded(),
                            TermSettings.DEFAULT),
                    new QueryNode.Term("title", "blue", TermSettings.DEFAULT),
                    new QueryNode.Regex("lang", "^[a-m]", TermSettings.DEFAULT),
                    new QueryNode.Range(
                            "size",
                            new RangeEnd.Unbounded(),
                            new RangeEnd.Whole(180, true),
                            TermSettings.DEFAULT));

    /**
     * The cheapest condition is first in any query. Each condition tests only the rows that the
     * previous ones matched.
     */
    @Test
    void triesCheapConditionsFirstAndTheOthersOnWhatIsLeft() {
        var random = new Random(SEED);
        try (MailBlock mails = mails(random)) {
            long expected = -1;
            var conditions = new ArrayList<>(CONDITIONS);
            for (int round = 0; round < 24; round++) {
                Collections.shuffle(conditions, random);

                SearchReply.Found result = run(mails, new QueryNode.And(conditions));

                List<MatchResult> tried = tried(result);
                assertThat(tried).hasSize(1 + CONDITIONS.size());
                long left = ROWS;
                int cost = 0;
                for (MatchResult each : tried.subList(1, tried.size())) {
                    assertThat(Integer.parseInt(each.group(3))).isGreaterThanOrEqualTo(cost);
                    assertThat(Long.parseLong(each.group(5))).as(each.group()).isEqualTo(left);
                    cost = Integer.parseInt(each.group(3));
                    left = Long.parseLong(each.group(4));
                }
                assertThat(result.totalCount()).isEqualTo(left);
                assertThat(left).isBetween(1L, ROWS - 1L);
                expected = expected < 0 ? left : expected;
                assertThat(left).isEqualTo(expected);
            }
        }
    }

    /** An alternative is tried on rows that no alternative before it has found. */
    @Test
    void triesAlternativesOnRowsWithoutAMatch() {
        var random = new Random(SEED);
        try (MailBlock mails = mails(random)) {
            var conditions = new ArrayList<>(CONDITIONS.subList(0, 3));
            for (int round = 0; round < 6; round++) {
                Collections.shuffle(conditions, random);

                SearchReply.Found result = run(mails, new QueryNode.Or(conditions));

                List<MatchResult> tried = tried(result);
                long left = ROWS;
                for (MatchResult each : tried.subList(1, tried.size())) {
                    assertThat(Long.parseLong(each.group(5))).as(each.group()).isEqualTo(left);
                    left -= Long.parseLong(each.group(4));
                }
                assertThat(result.totalCount()).isEqualTo(ROWS - left);
            }
        }
    }

    private static MailBlock mails(Random random) {
        var mails = new MailBlock(ROWS);
        for (int i = 0; i < ROWS; i++) {
            mails.with(
                    "d" + i,
                    "size",
                    new IntValue(i),
                    "title",
                    new StringValue(random.nextBoolean() ? "blue house" : "red house"),
                    "lang",
                    new StringValue(String.valueOf((char) ('a' + random.nextInt(26)))));
        }
        return mails;
    }

    private SearchReply.Found run(MailBlock mails, QueryNode tree) {
        SearchRequest plain =
                SearchTest.request(tree, "default", List.of(), 10, new KeyRange.Everything());
        var traced =
                new SearchRequest(
                        plain.header(),
                        plain.scope(),
                        plain.query(),
                        plain.hits(),
                        plain.grouping(),
                        new ReplySettings(plain.reply().softTimeout(), Trace.CONDITIONS));
        return (SearchReply.Found) search.run(traced, Mails.SCHEMA, List.of(mails.view()));
    }

    private static List<MatchResult> tried(SearchReply.Found result) {
        return result.report().trace().stream()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .<MatchResult>map(Matcher::toMatchResult)
                .toList();
    }
}
