package org.crabro.protocol.transport;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a node returns no message. It has executed the request only in the cases {@link #UNENCODABLE}
 * and {@link #FAILED}.
 */
public enum NodeRefusal {
    /** The sender uses another version of the encoding of messages. */
    WRONG_ENCODING,
    /** The sender expects another node, or one of another cluster, at this address. */
    WRONG_NODE,
    /** Too many requests are in progress, or their messages leave no memory. */
    OVERLOADED,
    /**
     * The values of the request, or of its reply, never fit in the memory of the node. Releases
     * before this case get {@link #OVERLOADED}.
     */
    TOO_LARGE,
    /** The reply cannot be encoded, for example because it exceeds the maximum length. */
    UNENCODABLE,
    /** The bytes of the request are not a message. */
    MALFORMED,
    /** The node had an error during execution. A write may or may not be carried out. */
    FAILED;

    /** Returns the refusal with the same effect that all releases know. */
    public NodeRefusal ofAllReleases() {
        return this == TOO_LARGE ? OVERLOADED : this;
    }

    /** Returns the refusal of a name; empty for no name, and for that of another version. */
    public static Optional<NodeRefusal> named(@Nullable String name) {
        return Arrays.stream(values()).filter(each -> each.name().equals(name)).findFirst();
    }
}
