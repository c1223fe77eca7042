package org.crabro.container.visit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.select.Selection;
import org.crabro.protocol.visit.VisitSlice;

/**
 * What a visit is asked for, checked.
 *
 * @param selection of all that is meant, what the path says included
 * @param fields shown, by the types that are visited; no types where a bucket space has none
 * @param from microseconds since the epoch
 * @param to of versions before it; {@link Long#MAX_VALUE} for all
 * @param wanted documents and removals at most, {@link Long#MAX_VALUE} for all
 * @param concurrency partitions that are read at once
 * @param timeout as the request has it
 * @param working of it, what pages are read in
 * @param begun how far an earlier visit came
 */
record VisitOrder(
        Selection selection,
        Map<String, List<String>> fields,
        VisitSlice slice,
        long from,
        long to,
        boolean withRemoves,
        boolean withTimestamps,
        boolean withEmpties,
        TensorFormat tensors,
        boolean isStream,
        AcceptedForm answer,
        long wanted,
        int concurrency,
        Duration timeout,
        Duration working,
        boolean isTraced,
        Continuation begun) {
    VisitOrder {
        fields = Map.copyOf(fields);
    }
}
