package org.crabro.content.storage.backup;

import java.io.IOException;

/** A backup cannot be written to its target, or not now; no file was written. */
public final class BackupRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    public BackupRefusedException(String problem) {
        super(problem);
    }
}
