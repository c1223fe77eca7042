package org.crabro.content.storage.partition;

import java.io.IOException;

/**
 * The directory of a partition contradicts the list of partitions; the message contains the reason.
 */
public final class PartitionRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    PartitionRefusedException(String message) {
        super(message);
    }
}
