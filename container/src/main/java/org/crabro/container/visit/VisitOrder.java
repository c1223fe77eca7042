package org.crabro.container.visit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.select.Selection;
import org.crabro.protocol.visit.VisitSlice;

/**
 * The checked parameters of a visit.
 *
 * @param cluster the content cluster that is visited
 * @param isTraced whether the answer contains a trace
 * @param begun the place at which an earlier visit ended
 */
record VisitOrder(
        String cluster,
        Scope scope,
        Format format,
        Limits limits,
        boolean isTraced,
        Continuation begun) {
    /**
     * The versions of documents that are visited.
     *
     * @param selection includes the restrictions of the path
     * @param fromMicros since the epoch; earlier versions are skipped
     * @param toMicros since the epoch; this version and later ones are skipped; {@link
     *     Long#MAX_VALUE} for no end
     * @param withRemoves whether removals are returned, too
     */
    record Scope(
            Selection selection,
            VisitSlice slice,
            long fromMicros,
            long toMicros,
            boolean withRemoves) {}

    /**
     * The form of the answer.
     *
     * @param fields by the document types that are visited; empty if a bucket space has no types
     * @param isStream whether pages are sent as they come; otherwise one answer is collected
     */
    record Format(
            Map<String, List<String>> fields,
            Values values,
            boolean withTimestamps,
            boolean withEmpties,
            AcceptedForm accepted,
            boolean isStream) {
        Format {
            fields = Map.copyOf(fields);
        }
    }

    /**
     * The form of values.
     *
     * @param times those that are texts
     */
    record Values(TensorFormat tensors, VisitedTimes times) {}

    /**
     * The bounds of a visit.
     *
     * @param wanted documents and removals at most, {@link Long#MAX_VALUE} for all
     * @param concurrency partitions that are read at once
     * @param timeout of the request
     * @param working the part of the timeout in which pages are read
     */
    record Limits(long wanted, int concurrency, Duration timeout, Duration working) {}
}
