package org.crabro.container.search;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.container.dispatch.ClusterView;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameters;
import org.crabro.container.query.QueryBuilder;
import org.crabro.container.query.QueryRequest;
import org.crabro.container.query.QuerySender;
import org.crabro.container.query.SearchQuery;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.query.SearchedApplication;
import org.crabro.container.render.JsonRenderer;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedApplication;
import org.crabro.perf.fuzz.FuzzedDocuments;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.wire.CancellationToken;
import org.crabro.protocol.wire.Principal;

/** Searches: from their parameters to the bytes of the response. */
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
                            new FieldCollapse(false),
                            new ClusterSearcher(
                                    new SearchDispatch(
                                            SearchTargets::asked, () -> ClusterView.ONE_NODE),
                                    application.rankModels(),
                                    false)));

    private SearchTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        var targets = new SearchTargets();
        return List.of(FuzzTarget.ofText("searches", targets::search, IllegalQueryException.class));
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
                        new QuerySender(
                                Principal.EVERYONE,
                                Principal.EVERYONE.name(),
                                false,
                                CancellationToken.NONE),
                        System.nanoTime(),
                        NOW);
        SearchQuery query = QueryBuilder.build(application, SearchSettings.DEFAULT, request);
        SearchResult result = chain.search(query);
        new JsonRenderer().render(result, Duration.ZERO, new ByteArrayOutputStream());
    }

    /** Runs a search whose request and reply are encoded and decoded. */
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

    private static void same(Object first, Object second) {
        if (!first.equals(second)) {
            throw new AssertionError("was " + first + " and reads back as " + second);
        }
    }
}
