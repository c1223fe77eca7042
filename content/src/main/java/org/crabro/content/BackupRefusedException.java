package org.crabro.content;

import java.io.IOException;

/** A backup cannot go where it was to go, or not now; nothing was written. */
public final class BackupRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    BackupRefusedException(String problem) {
        super(problem);
    }
}
