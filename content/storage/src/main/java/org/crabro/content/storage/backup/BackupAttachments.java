package org.crabro.content.storage.backup;

import java.io.IOException;

/** Files that a backup contains besides the documents. The content node does not read them. */
@FunctionalInterface
public interface BackupAttachments {
    /** No files. */
    BackupAttachments NONE = _ -> {};

    /**
     * Adds each file to {@code target}. Called once for a backup, before it copies documents.
     *
     * @throws IOException if a file cannot be read or written; the backup then fails
     */
    void addTo(AttachmentWriter target) throws IOException;
}
