package org.crabro.container.visit;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.document.DocumentId;
import org.crabro.protocol.visit.VisitReply;

/**
 * Reads the pages of one visit, and counts those that are much larger than pages are, as their
 * documents are: from when they are read until they are {@linkplain #taken taken}. What would be
 * too much with what others hold is let go of at once.
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

    /** Says that nobody needs a page any more. */
    void taken(VisitReply.Page page) {
        long size = size(page);
        held.addAndGet(-size);
        admission.letGo(size);
    }

    /** Returns what is counted of a page: nothing where it is as pages are. */
    private static long size(VisitReply.Page page) {
        return page.contents() instanceof VisitReply.Contents.Json(var text)
                        && text.limit() > VisitAdmission.LARGE_PAGE
                ? text.limit()
                : 0;
    }

    /** Lets go of pages that were read and will not be taken. No page is being read any more. */
    @Override
    public void close() {
        admission.letGo(held.getAndSet(0));
    }
}
