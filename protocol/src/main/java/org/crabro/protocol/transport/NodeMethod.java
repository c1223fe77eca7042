package org.crabro.protocol.transport;

import java.util.Optional;
import org.crabro.protocol.encoding.OlderWrites;

/** A kind of request that a content node answers over the network. */
public enum NodeMethod {
    WRITE("write", true),
    GET("get", false),
    SEARCH("search", false),
    VISIT("visit", false),
    OLDER_FEED("feed", OlderWrites.Kind.FEED),
    OLDER_FEED_ROW("feed-row", OlderWrites.Kind.FEED_ROW),
    OLDER_FEED_BATCH("feed-batch", OlderWrites.Kind.FEED_BATCH),
    OLDER_REMOVE_GROUP("remove-group", OlderWrites.Kind.REMOVE_GROUP);

    /** The name of the service with these methods. */
    public static final String SERVICE = "crabro.ContentNode";

    private final String shown;
    private final boolean isWrite;
    private final Optional<OlderWrites.Kind> older;

    NodeMethod(String shown, boolean isWrite) {
        this.shown = shown;
        this.isWrite = isWrite;
        this.older = Optional.empty();
    }

    NodeMethod(String shown, OlderWrites.Kind older) {
        this.shown = shown;
        this.isWrite = true;
        this.older = Optional.of(older);
    }

    /** Returns the method of hosts of an older release for a kind of write. */
    public static NodeMethod of(OlderWrites.Kind kind) {
        return switch (kind) {
            case FEED -> OLDER_FEED;
            case FEED_ROW -> OLDER_FEED_ROW;
            case FEED_BATCH -> OLDER_FEED_BATCH;
            case REMOVE_GROUP -> OLDER_REMOVE_GROUP;
        };
    }

    /** Returns the kind of write of a method of hosts of an older release; empty for others. */
    public Optional<OlderWrites.Kind> older() {
        return older;
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
