package org.crabro.content.partition;

import java.io.IOException;

/** The directory of a partition is not what the list of partitions says; the message says why. */
public final class PartitionRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    PartitionRefusedException(String message) {
        super(message);
    }
}
