package org.crabro.protocol.wire;

import java.util.Locale;

/** A kind of request that a principal may send. */
public enum Permission {
    /** To get, visit and search documents. */
    READ,
    /** To put, update and remove documents. */
    WRITE,
    /** To send application packages, activate and remove them. */
    DEPLOY,
    /** To make backups, restart, reindex and read logs. */
    ADMIN;

    /** Returns the name in lower case, such as {@code read}. */
    public String shown() {
        return name().toLowerCase(Locale.ROOT);
    }
}
