package org.crabro.container.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.dispatch.ClusterView;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.render.JsonRenderer;
import org.crabro.perf.FuzzTarget;
import org.crabro.perf.FuzzedApplication;
import org.crabro.perf.FuzzedDocuments;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.wire.CancellationToken;
import org.crabro.protocol.wire.Principal;

/** Requests for a search: their parameters, and the search itself, to the bytes of the answer. */
public final class SearchTargets {
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

    private final SearchedApplication application =
            new SearchedApplication(FuzzedApplication.model(), Map.of());
    private final SearchChain chain =
            new SearchChain(
                    List.of(
                            new TreeBounds(),
                            new FieldChecks(),
                            new SignificanceSearcher(application.significance()),
                            new FieldCollapse(),
                            new ClusterSearcher(
                                    new SearchDispatch(
                                            SearchTargets::asked, () -> ClusterView.ONE_NODE),
                                    application.rankModels())));

    private SearchTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        var targets = new SearchTargets();
        List<SortKey> sorting = SortingParser.parse("-year word");
        return List.of(
                FuzzTarget.ofText("searches", targets::search, IllegalQueryException.class),
                FuzzTarget.ofText(
                        "search-bodies", JsonBody::parameters, IllegalQueryException.class),
                FuzzTarget.ofBytes(
                        "url-parameters",
                        SearchTargets::decode,
                        // Of a query string that is not encoded as URLs are.
                        IllegalArgumentException.class,
                        org.eclipse.jetty.util.Utf8StringBuilder.Utf8IllegalArgumentException
                                .class),
                FuzzTarget.ofText("sortings", SortingParser::parse, IllegalQueryException.class),
                FuzzTarget.ofText(
                        "cursors", text -> cursor(text, sorting), IllegalQueryException.class),
                FuzzTarget.ofText(
                        "grouping-continuations",
                        text -> GroupingContinuation.pages(List.of(text)),
                        IllegalQueryException.class));
    }

    /** Each line of the input is a parameter. */
    private void search(String input) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("timeout", "10s");
        for (String line : input.split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        var request =
                new QueryRequest(
                        new Parameters(values),
                        Principal.EVERYONE,
                        Principal.EVERYONE.name(),
                        System.nanoTime(),
                        NOW,
                        false,
                        CancellationToken.NONE);
        SearchQuery query = QueryBuilder.build(application, SearchSettings.DEFAULT, request);
        SearchResult result = chain.search(query);
        new JsonRenderer().render(result, Duration.ZERO, new ByteArrayOutputStream());
    }

    /** What is asked and answered goes through its bytes. */
    private static SearchReply asked(SearchRequest request) {
        byte[] sent = MessageEncoding.encode(request, 0);
        SearchRequest received = MessageEncoding.searchRequest(sent, 0);
        same(request, received);
        SearchReply reply = FuzzedDocuments.search(received);
        if (reply instanceof SearchReply.Failed(var reason)) {
            throw new AssertionError("a search failed: " + reason);
        }
        same(reply, MessageEncoding.searchReply(MessageEncoding.encode(reply)));
        return reply;
    }

    /** Both ways of decoding come to the same. */
    private static void decode(byte[] bytes) {
        String input = new String(bytes, UTF_8);
        Map<String, String> fromBytes = new LinkedHashMap<>();
        Optional<IllegalArgumentException> refusal = Optional.empty();
        try {
            UrlParameters.decode(ByteBuffer.wrap(input.getBytes(UTF_8)), fromBytes::put);
        } catch (IllegalArgumentException e) {
            refusal = Optional.of(e);
        }
        Map<String, String> fromText = new LinkedHashMap<>();
        try {
            UrlParameters.decode(input, fromText::put);
        } catch (IllegalArgumentException e) {
            same(true, refusal.isPresent());
            throw e;
        }
        same(Optional.empty(), refusal);
        same(fromBytes, fromText);
    }

    /** A cursor of a position reads back as the position. */
    private static void cursor(String text, List<SortKey> sorting) {
        HitPosition position = Cursor.parse(text, sorting);
        String written = Cursor.text(position, sorting).orElseThrow();
        same(position, Cursor.parse(written, sorting));
    }

    private static void same(Object first, Object second) {
        if (!first.equals(second)) {
            throw new AssertionError("was " + first + " and reads back as " + second);
        }
    }
}
