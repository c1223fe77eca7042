package org.crabro.protocol.transport;

/** Why a node returns no message. Except after {@link #FAILED}, it has not executed the request. */
public enum NodeRefusal {
    /** The sender uses another version of the encoding of messages. */
    WRONG_ENCODING,
    /** The sender expects another node, or one of another cluster, at this address. */
    WRONG_NODE,
    /** Too many requests are in progress, or their messages leave no memory. */
    OVERLOADED,
    /** The reply cannot be encoded, for example because it exceeds the maximum length. */
    UNENCODABLE,
    /** The bytes of the request are not a message. */
    MALFORMED,
    /** The node had an error during execution. A write may or may not be carried out. */
    FAILED
}
