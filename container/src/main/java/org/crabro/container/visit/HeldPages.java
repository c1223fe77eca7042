package org.crabro.container.visit;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.document.DocumentId;
import org.crabro.protocol.visit.VisitReply;

/**
 * Reads the pages of one visit, and counts the memory of pages that are far above the usual size,
 * because their documents are large. A page counts from its read until it is {@linkplain #taken
 * taken}. A page beyond the bound of all visits is dropped at once.
 */
final class HeldPages implements VisitWalk.Pages, AutoCloseable {
    private final VisitWalk.Pages pages;
    private final VisitAdmission admission;
    private final AtomicLong held = new AtomicLong();

    HeldPages(VisitWalk.Pages pages, VisitAdmission admission) {
        this.pages = pages;
        this.admission = admission;
    }

    @Override
    public PageReply read(int partition, Optional<DocumentId> after, int documentsMax) {
        PageReply reply = pages.read(partition, after, documentsMax);
        if (reply instanceof PageReply.Answered(VisitReply.Page page)) {
            long size = size(page);
            Optional<String> refusal = admission.hold(size, held.get());
            if (refusal.isPresent()) {
                return new PageReply.Answered(new VisitReply.Overloaded(refusal.get()));
            }
            held.addAndGet(size);
        }
        return reply;
    }

    /** Releases a page. */
    void taken(VisitReply.Page page) {
        long size = size(page);
        held.addAndGet(-size);
        admission.releaseBytes(size);
    }

    /** Returns the counted bytes of a page; 0 for a page of usual size. */
    private static long size(VisitReply.Page page) {
        return page.contents() instanceof VisitReply.Contents.Json(var text)
                        && text.limit() > VisitAdmission.LARGE_PAGE
                ? text.limit()
                : 0;
    }

    /** Releases pages that were read and not taken. Called after the last read has ended. */
    @Override
    public void close() {
        admission.releaseBytes(held.getAndSet(0));
    }
}
