package org.crabro.content.search.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.execution.MailBlock;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.search.execution.Search;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermLink;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.query.TermStatistics;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryInput.NumberInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares features with the results of {@code term-features.py}, which computes them by
 * definition.
 */
class TermFeaturesTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 1, 1);

    @AfterEach
    void stop() {
        pool.close();
    }

    /** A query, mails, and the expected features of each mail. */
    private record Case(
            List<QueryNode> terms, List<Map<String, FieldValue>> mails, List<String[]> features) {}

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areWhatTheirDefinitionsSay(boolean keepsTokens) throws IOException {
        SearchedTexts texts = keepsTokens ? Mails.SEARCHED_TEXTS : new SearchedTexts(Map.of());
        int compared = 0;
        for (Case given : cases()) {
            try (var block = new MailBlock(2, texts)) {
                for (int i = 0; i < given.mails.size(); i++) {
                    block.with("m" + i, given.mails.get(i));
                }
                for (SearchHit hit : hits(block, given)) {
                    int mail = Integer.parseInt(hit.id().user().substring(1));
                    compared += compare(hit, given, mail);
                }
            }
        }
        assertThat(compared).isGreaterThan(10_000);
    }

    private static int compare(SearchHit hit, Case given, int mail) {
        int compared = 0;
        for (String feature : given.features.get(mail)) {
            int equals = feature.lastIndexOf('=');
            String name = feature.substring(0, equals);
            double expected = Double.parseDouble(feature.substring(equals + 1));
            var input = (NumberInput) Objects.requireNonNull(hit.matchFeatures().get(name), name);
            double actual = input.value();
            assertThat(actual)
                    .as("%s of %s for %s", name, given.mails.get(mail), given.terms)
                    .isCloseTo(expected, within(1e-9 * Math.max(1, Math.abs(expected))));
            compared++;
        }
        return compared;
    }

    private List<SearchHit> hits(MailBlock block, Case given) {
        var features = new LinkedHashMap<String, Expression>();
        for (String feature : given.features.getFirst()) {
            String name = feature.substring(0, feature.lastIndexOf('='));
            features.put(name, ExpressionParser.parse(name));
        }
        var profile =
                new RankProfile(
                        "features", Map.of(), new Expression.Constant(0), features, Map.of());
        Schema mails = Mails.SCHEMA;
        var schema =
                new Schema(
                        mails.name(),
                        mails.documentType(),
                        mails.fields(),
                        mails.names(),
                        Map.of("features", profile),
                        mails.summaries());
        var request =
                new SearchRequest(
                        new RequestHeader(
                                Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(5))),
                        new SearchScope(List.of(0), "mail", new Scope.Everything(), List.of()),
                        new RankedQuery(
                                new QueryNode.Rank(new QueryNode.All(), given.terms),
                                new RankSettings(
                                        "features",
                                        Map.of(),
                                        RankSettings.Statistics.GROUP,
                                        Mails.NOW)),
                        new HitSettings(10, List.of(), SummarySettings.DEFAULT),
                        GroupingSettings.NONE,
                        new ReplySettings(true, 0));
        var reply = (SearchReply.Found) search.run(request, schema, List.of(block.view()));
        return reply.hits();
    }

    private static List<Case> cases() throws IOException {
        var cases = new ArrayList<Case>();
        try (InputStream file =
                Objects.requireNonNull(
                        TermFeaturesTest.class.getResourceAsStream("term-features.txt"))) {
            for (String line :
                    new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
                String[] parts = line.split("\t", -1);
                switch (parts[0]) {
                    case "query" ->
                            cases.add(
                                    new Case(
                                            new ArrayList<>(),
                                            new ArrayList<>(),
                                            new ArrayList<>()));
                    case "term" -> cases.getLast().terms.add(term(parts));
                    case "mail" -> cases.getLast().mails.add(mail(parts));
                    default ->
                            cases.getLast()
                                    .features
                                    .add(Arrays.copyOfRange(parts, 1, parts.length));
                }
            }
        }
        return cases;
    }

    private static QueryNode term(String[] parts) {
        TermHints none = TermHints.NONE;
        String[] connected = parts[6].split("/", -1);
        String[] frequency = parts[5].split("/", -1);
        var hints =
                new TermHints(
                        "",
                        new TermStatistics(
                                parts[4].equals("-")
                                        ? OptionalDouble.empty()
                                        : OptionalDouble.of(Double.parseDouble(parts[4])),
                                parts[5].equals("-")
                                        ? Optional.empty()
                                        : Optional.of(
                                                new TermHints.Frequency(
                                                        Long.parseLong(frequency[0]),
                                                        Long.parseLong(frequency[1])))),
                        new TermLink(
                                Integer.parseInt(parts[3]),
                                parts[6].equals("-")
                                        ? Optional.empty()
                                        : Optional.of(
                                                new TermHints.Connectivity(
                                                        Integer.parseInt(connected[0]),
                                                        Double.parseDouble(connected[1])))),
                        false,
                        true,
                        none.words());
        return new QueryNode.Term(
                parts[1],
                parts[7],
                new TermSettings(
                        Integer.parseInt(parts[2]), true, TermSettings.Affix.FIELD, hints));
    }

    private static Map<String, FieldValue> mail(String[] parts) {
        var fields = new LinkedHashMap<String, FieldValue>();
        fields.put("title", new StringValue(parts[1]));
        putTexts("tags", parts[2], fields);
        putTexts("labels", parts[3], fields);
        fields.put("size", new IntValue(Integer.parseInt(parts[4])));
        return fields;
    }

    private static void putTexts(String field, String texts, Map<String, FieldValue> into) {
        if (!texts.isEmpty()) {
            into.put(
                    field,
                    new ArrayValue(
                            Arrays.stream(texts.split("\\|", -1))
                                    .<FieldValue>map(StringValue::new)
                                    .toList()));
        }
    }
}
