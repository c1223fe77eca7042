package org.crabro.protocol.transport;

/** Who may call a method of a server of a cluster, if servers show certificates. */
public enum AllowedCallers {
    /** A host of the cluster. */
    MEMBERS,
    /** A config server. */
    CONFIG_SERVERS,
    /**
     * A host that is in the cluster or should be. The method compares the name in its message with
     * the certificate.
     */
    NAMED_HOSTS,
    /** None: the server itself uses such methods, and no other. */
    NONE
}
