package org.crabro.container.visit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.select.Selection;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * Reads pages for background work of the process, without a request over HTTP.
 *
 * @param fields that are read, by document type; other types are not visited
 * @param documentsMax of a page
 * @param bytesMax of a page; a single document may be larger
 */
public record BackgroundPages(
        VisitReads reads,
        Selection selection,
        Map<String, List<String>> fields,
        VisitForm form,
        int documentsMax,
        int bytesMax) {
    private static final Duration PAGE_TIME = Duration.ofMillis(500);

    /**
     * Reads the next page of a partition.
     *
     * @param after the last document of the previous page
     */
    public PageReply read(int partition, Optional<DocumentId> after) {
        return reads.read(
                Principal.EVERYONE,
                Deadline.after(PAGE_TIME),
                selection.places(),
                header ->
                        new VisitRequest(
                                header,
                                VisitScope.ofAll(partition, selection.toString(), after),
                                fields,
                                false,
                                form,
                                new PageLimits(documentsMax, bytesMax)));
    }
}
