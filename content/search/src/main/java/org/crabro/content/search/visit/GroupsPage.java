package org.crabro.content.search.visit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.visit.VisitForm.GroupKind;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitedGroup;
import org.jspecify.annotations.Nullable;

/**
 * A page of groups. Rows are in the order of their keys, so a group is complete when a row of
 * another group follows. If the page ends early, an incomplete group is left to the next page.
 */
final class GroupsPage implements PageContents {
    /** The approximate size in bytes of a group in a page, in addition to its name. */
    private static final int OVERHEAD = 64;

    private final GroupKind kind;
    private final List<VisitedGroup> done = new ArrayList<>();
    private long size;

    // The current group, to which rows are added.
    private @Nullable DocumentId first;
    private long documents;
    private double bytes;

    // The position of its last row, and the row of that block after the end of the group.
    private @Nullable EncodedBlock block;
    private int row;
    private int end;

    /** The last document of the complete groups. */
    private Optional<RowKey> lastDone = Optional.empty();

    GroupsPage(GroupKind kind) {
        this.kind = kind;
    }

    @Override
    public void add(VisitedRows rows, int newRow) {
        EncodedBlock from = rows.block();
        if (block != from || newRow >= end) {
            enter(from, newRow);
        }
        block = from;
        row = newRow;
        if (first != null) {
            documents++;
            bytes += (double) from.byteSize() / from.rowCount();
        }
    }

    @Override
    public void remove(VisitedRows rows, int newRow) {
        // A removed document is in no group.
    }

    private void enter(EncodedBlock from, int newRow) {
        end = from.groupEnd(newRow);
        DocumentId id = from.isInGroup(newRow) ? from.id(newRow) : null;
        DocumentId open = first;
        if (open != null) {
            if (id != null && id.key().equals(open.key())) {
                return;
            }
            close(open);
        }
        if (id != null && isCounted(id.key())) {
            first = id;
        }
    }

    private boolean isCounted(LocationKey key) {
        return switch (kind) {
            case NAMED -> key instanceof LocationKey.Group;
            case NUMBERED -> key instanceof LocationKey.Numbered;
            case PLAIN -> key instanceof LocationKey.Plain;
        };
    }

    private void close(DocumentId open) {
        done.add(new VisitedGroup(open.key(), documents, Math.round(bytes)));
        size += OVERHEAD + open.key().text().length();
        if (block != null) {
            lastDone = Optional.of(RowKey.of(block.id(row)));
        }
        first = null;
        documents = 0;
        bytes = 0;
    }

    @Override
    public Optional<RowKey> end(RowKey looked) {
        DocumentId open = first;
        if (open == null) {
            return Optional.of(looked);
        }
        if (!looked.isOfSameGroup(RowKey.of(open))) {
            close(open);
            return Optional.of(looked);
        }
        first = null;
        return lastDone;
    }

    @Override
    public int count() {
        return done.size();
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public VisitReply.Contents finish() {
        if (first != null) {
            close(first);
        }
        return new VisitReply.Contents.Groups(done);
    }
}
