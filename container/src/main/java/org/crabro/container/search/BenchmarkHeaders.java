package org.crabro.container.search;

import java.time.Duration;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Writes counts of a result to response headers, for load generators that do not parse results. A
 * request asks for them by a header, whatever its value.
 */
final class BenchmarkHeaders {
    private static final String PREFIX = "X-Yahoo-Vespa-";
    private static final String COUNTS = PREFIX + "Benchmarkdata";
    private static final String COVERAGE = PREFIX + "Benchmarkdata-Coverage";

    private BenchmarkHeaders() {}

    /** Returns whether {@code request} asks for counts. */
    static boolean areAsked(Request request) {
        return request.getHeaders().contains(COUNTS);
    }

    /** Adds the headers that {@code request} asks for. */
    static void put(Request request, Response response, SearchResult result, Duration taken) {
        if (areAsked(request)) {
            HttpFields.Mutable headers = response.getHeaders();
            counts(headers, result, taken);
            if (request.getHeaders().contains(COVERAGE)) {
                result.coverage().ifPresent(coverage -> coverage(headers, coverage));
            }
        }
    }

    /** Content nodes return summaries with the hits, so filling takes no time. */
    private static void counts(HttpFields.Mutable headers, SearchResult result, Duration taken) {
        int hits = result.page().hits().size();
        put(headers, "NumHits", hits);
        put(headers, "NumFastHits", hits);
        put(headers, "QueryHits", result.output().window().hits());
        put(headers, "QueryOffset", result.output().window().offset());
        put(headers, "TotalHitCount", result.page().totalCount());
        put(headers, "NumErrors", result.errors().size());
        put(headers, "SearchTime", taken.toMillis());
        put(headers, "AttributeFetchTime", 0);
        put(headers, "FillTime", 0);
    }

    private static void coverage(HttpFields.Mutable headers, ResultCoverage coverage) {
        put(headers, "DocsSearched", coverage.documents().documents());
        put(headers, "NodesSearched", coverage.nodes());
        put(headers, "FullCoverage", coverage.isFull() ? 1 : 0);
    }

    private static void put(HttpFields.Mutable headers, String name, long value) {
        headers.put(PREFIX + name, Long.toString(value));
    }
}
