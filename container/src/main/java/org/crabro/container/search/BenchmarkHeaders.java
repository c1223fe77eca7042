package org.crabro.container.search;

import java.time.Duration;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/** Writes counts of a result to response headers, for load generators that do not parse results. */
final class BenchmarkHeaders {
    private static final String PREFIX = "X-Yahoo-Vespa-";

    private BenchmarkHeaders() {}

    /** Adds the headers that {@code request} asks for. */
    static void put(Request request, Response response, SearchResult result, Duration taken) {
        if (isAsked(request, "Benchmarkdata")) {
            HttpFields.Mutable headers = response.getHeaders();
            headers.put(PREFIX + "TotalHitCount", Long.toString(result.page().totalCount()));
            headers.put(PREFIX + "NumHits", Integer.toString(result.page().hits().size()));
            headers.put(PREFIX + "NumErrors", Integer.toString(result.errors().size()));
            headers.put(PREFIX + "SearchTime", Long.toString(taken.toMillis()));
            headers.put(PREFIX + "QueryHits", Integer.toString(result.page().hits().size()));
        }
        if (isAsked(request, "Benchmarkdata-Coverage")) {
            result.coverage()
                    .ifPresent(coverage -> {
                        HttpFields.Mutable headers = response.getHeaders();
                        headers.put(
                                PREFIX + "DocsSearched",
                                Long.toString(coverage.documents().documents()));
                        headers.put(PREFIX + "NodesSearched", Integer.toString(coverage.nodes()));
                        headers.put(PREFIX + "FullCoverage", coverage.isFull() ? "1" : "0");
                    });
        }
    }

    private static boolean isAsked(Request request, String name) {
        return Boolean.parseBoolean(request.getHeaders().get(PREFIX + name));
    }
}
