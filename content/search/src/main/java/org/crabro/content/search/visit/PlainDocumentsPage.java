package org.crabro.content.search.visit;

import java.util.List;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.document.LocationKey;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitedGroup;

/** A page with one entry: how many documents are in no group, and about how large they are. */
final class PlainDocumentsPage implements PageContents {
    private long documents;
    private double bytes;
    private boolean isFinished;

    @Override
    public void add(VisitedRows rows, int row) {
        EncodedBlock block = rows.block();
        if (!block.isInGroup(row)) {
            documents++;
            bytes += (double) block.byteSize() / block.rowCount();
        }
    }

    @Override
    public void remove(VisitedRows rows, int row) {
        // A removed document does not count.
    }

    /** Returns 0 until the end, so that the page ends with the partition or its time alone. */
    @Override
    public int count() {
        return isFinished && documents > 0 ? 1 : 0;
    }

    @Override
    public long size() {
        return 0;
    }

    @Override
    public VisitReply.Contents finish() {
        isFinished = true;
        return new VisitReply.Contents.Groups(
                documents == 0
                        ? List.of()
                        : List.of(
                                new VisitedGroup(
                                        new LocationKey.Plain(), documents, Math.round(bytes))));
    }
}
