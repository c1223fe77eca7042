package org.crabro.container.route;

import java.util.Optional;
import org.crabro.container.document.ClusterDocuments;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.Selection;
import org.crabro.document.select.Truth;

/**
 * The copy of a document type in one content cluster.
 *
 * @param selection of the documents that the cluster stores; empty for all
 */
record DocumentCopy(
        String cluster, String type, ClusterDocuments documents, Optional<Selection> selection) {
    /**
     * Returns whether the cluster stores a document.
     *
     * @param now seconds since the epoch
     */
    boolean selects(Document document, long now) {
        return selection.isEmpty()
                || selection.get().of(SelectedDocument.of(document), now) == Truth.TRUE;
    }

    /**
     * Returns whether the cluster may store the document of an id; false if its selection cannot be
     * true for any values of its fields.
     *
     * @param now seconds since the epoch
     */
    boolean mayStore(DocumentId id, long now) {
        return selection.isEmpty() || selection.get().mayMean(id, now, Selection.UNLIMITED);
    }
}
