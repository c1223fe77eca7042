package org.crabro.content.recent;

import java.util.Arrays;
import java.util.List;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.Deadline;

/**
 * Keeps writes apart that would not come to the same if they were done at once. There are locks of
 * groups, for documents that have one, and locks of documents.
 *
 * <table>
 *   <caption>Who has what</caption>
 *   <tr><th>operation</th><th>group</th><th>document</th></tr>
 *   <tr><td>put, remove</td><td>shared</td><td>shared</td></tr>
 *   <tr><td>update, or anything with a condition</td><td>shared</td><td>alone</td></tr>
 *   <tr><td>removal of a group</td><td>alone</td><td></td></tr>
 * </table>
 *
 * <p>So nothing that was proposed before its group was removed is applied afterwards. And between
 * the moment in which an update reads a document and the moment in which what it made of it is
 * applied, nobody writes that document: no put is lost, and of two increments none. Puts of one
 * document, which read nothing, need not wait for each other: the journal tells which was first.
 * Puts of different documents never wait for each other, as a lock that is shared is shared by all
 * who have the same one.
 *
 * <p>A lock is held from before the operation reads until it is applied, or will never be. Locks of
 * groups are taken before those of documents, and several of one kind in the order of their
 * numbers: nobody waits in a circle.
 */
final class WriteLocks {
    private static final int GROUP_BITS = 13;
    private static final int DOCUMENT_BITS = 16;
    private static final int NO_STRIPE = -1;

    private final Stripes groups = new Stripes(GROUP_BITS);
    private final Stripes documents = new Stripes(DOCUMENT_BITS);

    private int group(DocumentId id) {
        return id.key() instanceof LocationKey.Plain
                ? NO_STRIPE
                : group(id.documentType(), id.key());
    }

    private int group(String documentType, LocationKey group) {
        return groups.of(31 * documentType.hashCode() + group.hashCode());
    }

    private int document(DocumentId id) {
        return documents.of(id.hashCode());
    }

    /**
     * Waits until the group of {@code id} is not removed and the document is not updated; returns
     * whether both are shared now.
     */
    boolean share(DocumentId id, Deadline deadline) {
        if (!shareGroup(id, deadline)) {
            return false;
        }
        if (documents.share(document(id), deadline)) {
            return true;
        }
        unshareGroup(id);
        return false;
    }

    void unshare(DocumentId id) {
        documents.unshare(document(id));
        unshareGroup(id);
    }

    private boolean shareGroup(DocumentId id, Deadline deadline) {
        int group = group(id);
        return group == NO_STRIPE || groups.share(group, deadline);
    }

    private void unshareGroup(DocumentId id) {
        int group = group(id);
        if (group != NO_STRIPE) {
            groups.unshare(group);
        }
    }

    /**
     * Waits until nobody writes {@code id} or removes its group; returns whether it is held alone
     * now.
     */
    boolean holdDocument(DocumentId id, Deadline deadline) {
        if (!shareGroup(id, deadline)) {
            return false;
        }
        if (documents.hold(document(id), deadline)) {
            return true;
        }
        unshareGroup(id);
        return false;
    }

    void letGoDocument(DocumentId id) {
        documents.letGo(document(id));
        unshareGroup(id);
    }

    /** Waits until nobody writes a document of a group; returns whether it is held alone now. */
    boolean holdGroup(String documentType, LocationKey group, Deadline deadline) {
        return groups.hold(group(documentType, group), deadline);
    }

    void letGoGroup(String documentType, LocationKey group) {
        groups.letGo(group(documentType, group));
    }

    /** The locks that several documents need. For who asked for them. */
    static final class Several {
        private int[] groups;
        private int[] documents;

        private Several(int[] groups, int[] documents) {
            this.groups = groups;
            this.documents = documents;
        }

        /** Has each lock once, in the order of all, from now on. */
        private void order() {
            groups = Stripes.ordered(groups);
            documents = Stripes.ordered(documents);
        }
    }

    /** Returns what to share for several ids at once. */
    Several several(List<DocumentId> ids) {
        var groupsOf = new int[ids.size()];
        var documentsOf = new int[ids.size()];
        int count = 0;
        for (int i = 0; i < ids.size(); i++) {
            DocumentId id = ids.get(i);
            int group = group(id);
            if (group != NO_STRIPE) {
                groupsOf[count++] = group;
            }
            documentsOf[i] = document(id);
        }
        return new Several(Arrays.copyOf(groupsOf, count), documentsOf);
    }

    /** Waits until all can be shared; returns whether all are, or none. */
    boolean share(Several several, Deadline deadline) {
        // Mostly nobody has to be waited for: then no order is needed.
        if (groups.tryShare(several.groups)) {
            if (documents.tryShare(several.documents)) {
                return true;
            }
            groups.unshare(several.groups);
        }
        several.order();
        if (!groups.share(several.groups, deadline)) {
            return false;
        }
        if (documents.share(several.documents, deadline)) {
            return true;
        }
        groups.unshare(several.groups);
        return false;
    }

    void unshare(Several shared) {
        documents.unshare(shared.documents);
        groups.unshare(shared.groups);
    }
}
