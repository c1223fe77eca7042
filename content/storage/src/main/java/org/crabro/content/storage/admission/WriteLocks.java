package org.crabro.content.storage.admission;

import java.util.Arrays;
import java.util.List;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.Deadline;

/**
 * Orders writes whose result depends on their order. There are locks of groups, for documents that
 * have one, and locks of documents.
 *
 * <table>
 *   <caption>What each operation locks</caption>
 *   <tr><th>operation</th><th>group</th><th>document</th></tr>
 *   <tr><td>put, remove</td><td>shared</td><td>shared</td></tr>
 *   <tr><td>update, any operation with a condition</td><td>shared</td><td>exclusive</td></tr>
 *   <tr><td>removal of a group</td><td>exclusive</td><td></td></tr>
 * </table>
 *
 * <p>The consequences:
 *
 * <ul>
 *   <li>A row that was proposed before the removal of its group is never applied after it.
 *   <li>Between the read of an update and the moment in which its row is applied, no other write of
 *       the document is applied: no put and no increment is lost.
 *   <li>Puts of one document do not wait for each other, since they read nothing: the journal
 *       orders them.
 *   <li>Puts of different documents do not wait for each other, even if they share a stripe.
 * </ul>
 *
 * <p>Locks of groups are acquired before locks of documents, and several of one kind in ascending
 * order, so there is no deadlock.
 */
public final class WriteLocks {
    private static final int GROUP_BITS = 13;
    private static final int DOCUMENT_BITS = 16;
    private static final int NO_STRIPE = -1;

    private final Stripes groups = new Stripes(GROUP_BITS);
    private final Stripes documents = new Stripes(DOCUMENT_BITS);

    /** Returns the lock of a write that reads nothing. */
    public WriteLock shared(DocumentId id) {
        return new OfDocument(groupStripe(id), documentStripe(id), false);
    }

    /** Returns the lock of a write that depends on the stored version of the document. */
    public WriteLock exclusive(DocumentId id) {
        return new OfDocument(groupStripe(id), documentStripe(id), true);
    }

    /** Returns the lock of several writes that read nothing. */
    public WriteLock shared(List<DocumentId> ids) {
        var groupsOf = new int[ids.size()];
        var documentsOf = new int[ids.size()];
        int count = 0;
        for (int i = 0; i < ids.size(); i++) {
            DocumentId id = ids.get(i);
            int group = groupStripe(id);
            if (group != NO_STRIPE) {
                groupsOf[count++] = group;
            }
            documentsOf[i] = documentStripe(id);
        }
        return new OfDocuments(Arrays.copyOf(groupsOf, count), documentsOf);
    }

    /** Returns the lock of the removal of a group of documents of one type. */
    public WriteLock exclusive(String documentType, LocationKey group) {
        return new OfGroup(groupStripe(documentType, group));
    }

    private int groupStripe(DocumentId id) {
        return id.key() instanceof LocationKey.Plain
                ? NO_STRIPE
                : groupStripe(id.documentType(), id.key());
    }

    private int groupStripe(String documentType, LocationKey group) {
        return groups.of(31 * documentType.hashCode() + group.hashCode());
    }

    private int documentStripe(DocumentId id) {
        return documents.of(id.hashCode());
    }

    /** Locks a document, shared or exclusively, and shares its group. */
    private final class OfDocument implements WriteLock {
        private final int group;
        private final int document;
        private final boolean isExclusive;

        private OfDocument(int group, int document, boolean isExclusive) {
            this.group = group;
            this.document = document;
            this.isExclusive = isExclusive;
        }

        @Override
        public boolean acquire(Deadline deadline) {
            if (group != NO_STRIPE && !groups.share(group, deadline)) {
                return false;
            }
            boolean isAcquired =
                    isExclusive
                            ? documents.hold(document, deadline)
                            : documents.share(document, deadline);
            if (!isAcquired) {
                releaseGroup();
            }
            return isAcquired;
        }

        @Override
        public void release() {
            if (isExclusive) {
                documents.releaseOne(document);
            } else {
                documents.unshare(document);
            }
            releaseGroup();
        }

        private void releaseGroup() {
            if (group != NO_STRIPE) {
                groups.unshare(group);
            }
        }
    }

    /** Locks a group. */
    private final class OfGroup implements WriteLock {
        private final int group;

        private OfGroup(int group) {
            this.group = group;
        }

        @Override
        public boolean acquire(Deadline deadline) {
            return groups.hold(group, deadline);
        }

        @Override
        public void release() {
            groups.releaseOne(group);
        }
    }

    /** Shares several documents and their groups. */
    private final class OfDocuments implements WriteLock {
        /** In any order and with duplicates, one per acquisition, until {@link #order}. */
        private int[] groupStripes;

        private int[] documentStripes;

        private OfDocuments(int[] groupStripes, int[] documentStripes) {
            this.groupStripes = groupStripes;
            this.documentStripes = documentStripes;
        }

        @Override
        public boolean acquire(Deadline deadline) {
            // In most cases no stripe requires a wait, and no order is needed.
            if (groups.tryShare(groupStripes)) {
                if (documents.tryShare(documentStripes)) {
                    return true;
                }
                groups.unshare(groupStripes);
            }
            order();
            if (!groups.share(groupStripes, deadline)) {
                return false;
            }
            if (documents.share(documentStripes, deadline)) {
                return true;
            }
            groups.unshare(groupStripes);
            return false;
        }

        /** Sorts the stripes and removes duplicates. */
        private void order() {
            groupStripes = Stripes.ordered(groupStripes);
            documentStripes = Stripes.ordered(documentStripes);
        }

        @Override
        public void release() {
            documents.unshare(documentStripes);
            groups.unshare(groupStripes);
        }
    }
}
