package org.crabro.protocol.transport;

/**
 * The names of the headers and trailers of a call. Traces have further ones, see {@code
 * protocol.trace}.
 */
public final class CallHeaders {
    /** Of a request: the version of {@code MessageEncoding} of the sender, as a decimal number. */
    public static final String ENCODING = "crabro-encoding";

    /** Of a request: the cluster of the expected node, in UTF-8. */
    public static final String CLUSTER = "crabro-cluster-bin";

    /** Of a request: the id of the expected node, in UTF-8. */
    public static final String NODE = "crabro-node-bin";

    /**
     * Of a request: the client whose turns a search uses, in UTF-8; absent if it is the principal.
     * At most {@link #CLIENT_MAX} bytes are sent, so clients with a longer common start share
     * turns.
     */
    public static final String CLIENT = "crabro-client-bin";

    /**
     * Of a reply without a message: the name of a {@link NodeRefusal} that all releases know, see
     * {@link NodeRefusal#ofAllReleases}.
     */
    public static final String REFUSAL = "crabro-refusal";

    /** Of a reply without a message: the name of the {@link NodeRefusal} itself. */
    public static final String EXACT_REFUSAL = "crabro-exact-refusal";

    /** The maximum number of bytes of {@link #CLIENT}. */
    public static final int CLIENT_MAX = 1_024;

    private CallHeaders() {}
}
