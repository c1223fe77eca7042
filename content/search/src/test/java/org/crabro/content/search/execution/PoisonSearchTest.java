package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.content.search.group.GroupMemory;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.Spelling;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.TextOrder;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Searches single rows with expensive values, with a clock that counts its calls. The search checks
 * the clock inside a row, and ends there when time is up.
 */
class PoisonSearchTest {
    private static final TermSettings TOKENS = TermSettings.DEFAULT;

    /** The number of checks before the first row, with a margin. */
    static final int QUESTIONS_OUTSIDE = 16;

    /** The most units of work between two checks: those of a few steps. */
    static final long GAP_MAX = 4L * WorkMeter.UNITS;

    private static final Pattern QUESTIONS =
            Pattern.compile("clock (\\d+) times inside rows, after at most (\\d+) units of work");

    /** The number of checks after which the clock reports that time is up. */
    private static final long LATE = 1_000;

    /** When the time to finish an answer is up, too. */
    private static final long FAR_TOO_LATE = 10_000_000_000L;

    /**
     * A condition that is expensive for one value.
     *
     * @param units the least number of units of work
     */
    record Poison(String name, String field, FieldValue value, QueryNode tree, long units) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Poison> poisons() {
        FieldValue as = new StringValue("a".repeat(200_000));
        FieldValue words = new StringValue("a ".repeat(100_000));
        return Stream.of(
                new Poison(
                        "regular expression",
                        "lang",
                        as,
                        new QueryNode.Regex("lang", "a{100}z", TOKENS),
                        200_000L * 100),
                new Poison(
                        "regular expression in a word",
                        "title",
                        as,
                        new QueryNode.Near(
                                "title",
                                List.of(new QueryNode.Regex("title", "a{100}z", TOKENS)),
                                List.of(),
                                0,
                                0,
                                true),
                        200_000L * 100),
                new Poison(
                        "fuzzy",
                        "labels",
                        new FieldValue.ArrayValue(
                                IntStream.range(0, 30)
                                        .<FieldValue>mapToObj(
                                                i -> new StringValue("ab".repeat(900) + i))
                                        .toList()),
                        new QueryNode.Fuzzy("labels", "cd".repeat(500), 900, 0, false, TOKENS),
                        30L * 1_000 * 900),
                new Poison(
                        "part of a value",
                        "title",
                        as,
                        new QueryNode.Term(
                                "title",
                                "a".repeat(20_000) + " b",
                                new TermSettings(100, true, TermSettings.Affix.SUBSTRING)),
                        200_000L * 20_000 / 64),
                new Poison(
                        "near",
                        "title",
                        words,
                        new QueryNode.Near("title", many("a", 200), List.of(), 2, 1, false),
                        100_000L * 200),
                new Poison(
                        "near with an exclusion",
                        "title",
                        words,
                        new QueryNode.Near("title", many("a", 20), many("a", 100), 0, 0, false),
                        100_000L * 120));
    }

    /** Returns the most units of work between two looks at the clock, from the trace. */
    static long largestGap(SearchReply.Found result) {
        return number(result, 2);
    }

    /** Returns how often the search looked at the clock inside rows, from the trace. */
    static long questionsInRows(SearchReply.Found result) {
        return number(result, 1);
    }

    private static long number(SearchReply.Found result, int group) {
        return result.report().trace().stream()
                .map(QUESTIONS::matcher)
                .filter(java.util.regex.Matcher::find)
                .mapToLong(matcher -> Long.parseLong(matcher.group(group)))
                .findFirst()
                .orElseThrow();
    }

    private static List<QueryNode> many(String word, int count) {
        return Stream.<QueryNode>generate(() -> new QueryNode.Term("title", word, TOKENS))
                .limit(count)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("poisons")
    void asksInsideARowWhetherTimeIsUp(Poison poison) {
        var questions = new AtomicInteger();
        LongSupplier clock = () -> questions.incrementAndGet() > 0 ? 0 : LATE;

        SearchReply reply = search(poison, clock);

        assertThat(reply).isInstanceOf(SearchReply.Found.class);
        assertThat(questions.get())
                .isGreaterThanOrEqualTo((int) (poison.units() / WorkMeter.UNITS));
        assertThat(largestGap((SearchReply.Found) reply)).isLessThanOrEqualTo(GAP_MAX);
    }

    @ParameterizedTest
    @MethodSource("poisons")
    void endsInsideARowWhenTimeIsUp(Poison poison) {
        var questions = new AtomicInteger();
        LongSupplier clock = () -> questions.incrementAndGet() > QUESTIONS_OUTSIDE ? LATE : 0;

        SearchReply reply = search(poison, clock);

        assertThat(reply).isInstanceOf(SearchReply.TimedOut.class);
    }

    @Test
    void endsInsideARowWhenItIsCancelled() {
        Poison poison = poisons().findFirst().orElseThrow();
        var questions = new AtomicInteger();
        Deadline deadline =
                new Deadline(LATE, () -> questions.incrementAndGet() > QUESTIONS_OUTSIDE);

        SearchReply reply = search(poison, deadline, newSearch(() -> 0));

        assertThat(reply).isInstanceOf(SearchReply.TimedOut.class);
    }

    @Test
    void endsInsideARowWhenTheNodeStops() {
        Poison poison = poisons().findFirst().orElseThrow();
        var searches = new Search[1];
        var questions = new AtomicInteger();
        searches[0] =
                newSearch(() -> {
                    if (questions.incrementAndGet() > QUESTIONS_OUTSIDE) {
                        searches[0].stop();
                    }
                    return 0;
                });

        SearchReply reply = search(poison, new Deadline(LATE), searches[0]);

        assertThat(reply).isEqualTo(new SearchReply.Failed("the node is being stopped"));
    }

    /** Each word of the query is compared with each of its positions, from many starts. */
    @Test
    void endsInsideTheFeaturesOfARow() {
        Poison poison =
                new Poison(
                        "fieldMatch",
                        "title",
                        new StringValue("a ".repeat(20_000)),
                        new QueryNode.And(many("a", 20)),
                        20L * 20_000 * 100);
        var questions = new AtomicInteger();
        LongSupplier clock = () -> questions.incrementAndGet() > QUESTIONS_OUTSIDE ? LATE : 0;
        LongSupplier counting = () -> questions.incrementAndGet() > 0 ? 0 : LATE;

        SearchReply ended = search(poison, "segments", new Deadline(LATE), newSearch(clock));
        questions.set(0);
        SearchReply whole = search(poison, "segments", new Deadline(LATE), newSearch(counting));

        assertThat(ended).isInstanceOf(SearchReply.TimedOut.class);
        assertThat(whole).isInstanceOf(SearchReply.Found.class);
        assertThat(questions.get())
                .isGreaterThanOrEqualTo((int) (poison.units() / WorkMeter.UNITS));
        assertThat(largestGap((SearchReply.Found) whole)).isLessThanOrEqualTo(GAP_MAX);
    }

    /** Each of many long words is compared with each of many words that are nearly alike. */
    @Test
    void endsInsideATextWhoseWordsAreNear() {
        var text = new StringBuilder();
        for (int i = 0; i < 40_000; i++) {
            // Words have no common beginnings with the words before them.
            text.append(i % 2 == 0 ? 'x' : 'y').append("abababababababab");
            text.append((char) ('a' + i % 26)).append(' ');
        }
        List<QueryNode> terms =
                IntStream.range(0, 32)
                        .<QueryNode>mapToObj(i ->
                                new QueryNode.Term(
                                        "title",
                                        "%cabababababababab%c"
                                                .formatted('a' + i % 26, 'p' + i / 26),
                                        TOKENS.with(Spelling.of(true, false))))
                        .toList();
        SearchRequest request =
                SearchTest.request(
                        new QueryNode.Rank(new QueryNode.All(), terms),
                        "unranked",
                        List.of(),
                        0,
                        new KeyRange.Everything());
        var questions = new AtomicInteger();
        LongSupplier clock = () -> questions.incrementAndGet() > QUESTIONS_OUTSIDE ? LATE : 0;

        try (var mails =
                new MailBlock(1, SearchedTexts.NONE)
                        .with("a", "title", new StringValue(text.toString()))) {
            SearchRequest counting =
                    with(new Deadline(LATE), request)
                            .with(new ReplySettings(false, 1, false, true));
            SearchReply ended = newSearch(clock).run(counting, Mails.SCHEMA, List.of(mails.view()));
            questions.set(Integer.MIN_VALUE);
            SearchReply whole = newSearch(clock).run(counting, Mails.SCHEMA, List.of(mails.view()));

            assertThat(ended).isInstanceOf(SearchReply.TimedOut.class);
            assertThat(whole).isInstanceOf(SearchReply.Found.class);
            assertThat(questions.get() - Integer.MIN_VALUE).isGreaterThan(2 * QUESTIONS_OUTSIDE);
        }
    }

    /** An order that is half done is of no use: it may be finished a little late. */
    @Test
    void endsWhileLongTextsAreSorted() {
        var order =
                new TextOrder.Collated(Optional.of("en"), Optional.of(TextOrder.Strength.TERTIARY));
        var key =
                new SortKey.FieldValueOf(
                        "lang", true, order, new SortKey.Missing.Smallest(), SortKey.Several.FIRST);
        SearchRequest request =
                SearchTest.request(
                        new QueryNode.All(),
                        "unranked",
                        List.of(key),
                        10,
                        new KeyRange.Everything());
        var questions = new AtomicInteger();
        LongSupplier late =
                () -> questions.incrementAndGet() > QUESTIONS_OUTSIDE ? FAR_TOO_LATE : 0;
        try (var mails = new MailBlock(20, SearchedTexts.NONE)) {
            for (int i = 0; i < 20; i++) {
                mails.with("" + i, "lang", new StringValue("a".repeat(50_000) + (char) ('z' - i)));
            }
            var whole =
                    newSearch(() -> 0)
                            .run(
                                    with(new Deadline(LATE), request),
                                    Mails.SCHEMA,
                                    List.of(mails.view()));
            SearchReply ended =
                    newSearch(late)
                            .run(
                                    with(new Deadline(LATE), request),
                                    Mails.SCHEMA,
                                    List.of(mails.view()));

            assertThat(whole).isInstanceOf(SearchReply.Found.class);
            assertThat(questionsInRows((SearchReply.Found) whole)).isGreaterThan(20);
            assertThat(largestGap((SearchReply.Found) whole)).isLessThanOrEqualTo(GAP_MAX);
            assertThat(ended).isInstanceOf(SearchReply.TimedOut.class);
        }
    }

    @Test
    void refusesATextTimesEditsThatAreTooMany() {
        var tree = new QueryNode.Fuzzy("lang", "a".repeat(2_000), 1_000, 0, false, TOKENS);

        SearchReply reply = search(new Poison("", "lang", new StringValue("a"), tree, 0), () -> 0);

        assertThat(reply)
                .isEqualTo(
                        new SearchReply.Rejected(
                                "fuzzy() in field 'lang' has 2000 characters and maxEditDistance"
                                        + " 1000; their product is limited to 1000000"));
    }

    private static SearchReply search(Poison poison, LongSupplier clock) {
        return search(poison, new Deadline(LATE), newSearch(clock));
    }

    private static SearchReply search(Poison poison, Deadline deadline, Search search) {
        return search(poison, "words", deadline, search);
    }

    private static SearchReply search(
            Poison poison, String profile, Deadline deadline, Search search) {
        SearchRequest request =
                SearchTest.request(poison.tree(), profile, List.of(), 3, new KeyRange.Everything());
        try (var mails =
                new MailBlock(1, SearchedTexts.NONE).with("a", poison.field(), poison.value())) {
            return search.run(with(deadline, request), Mails.SCHEMA, List.of(mails.view()));
        }
    }

    private static Search newSearch(LongSupplier clock) {
        return new Search(
                new ScanThreads(Runnable::run, 1, 1),
                new ReadAhead(Runnable::run, 1),
                BlockCaches.none(),
                new GroupMemory(GroupMemory.bytesByDefault()),
                clock,
                Search.COUNTS_MAX);
    }

    private static SearchRequest with(Deadline deadline, SearchRequest request) {
        return new SearchRequest(
                new RequestHeader(
                        request.header().principal(), request.header().stateVersion(), deadline),
                request.scope(),
                request.query(),
                request.hits(),
                request.grouping(),
                new ReplySettings(request.reply().softTimeout(), 1));
    }
}
