package org.crabro.protocol.transport;

/** A kind of request that a content node answers over the network. */
public enum NodeMethod {
    WRITE("write", true),
    GET("get", false),
    SEARCH("search", false),
    VISIT("visit", false);

    /** The name of the service with these methods. */
    public static final String SERVICE = "crabro.ContentNode";

    private final String shown;
    private final boolean isWrite;

    NodeMethod(String shown, boolean isWrite) {
        this.shown = shown;
        this.isWrite = isWrite;
    }

    /** Returns the name of the method in its service. */
    public String shown() {
        return shown;
    }

    /** Returns whether requests of this kind can change documents. */
    public boolean isWrite() {
        return isWrite;
    }
}
