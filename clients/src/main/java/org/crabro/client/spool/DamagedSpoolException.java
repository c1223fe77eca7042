package org.crabro.client.spool;

import java.io.IOException;
import java.nio.file.Path;

/** A file of a spool is not as it was written. The file stays as it is. */
public final class DamagedSpoolException extends IOException {
    private static final long serialVersionUID = 1;

    DamagedSpoolException(Path file, long offset, String problem) {
        super(
                "%s is damaged at byte %,d: %s; move it away to start without its operations"
                        .formatted(file, offset, problem));
    }
}
