package org.crabro.container;

import org.crabro.document.memory.RequestMemory;

/**
 * The settings of all requests of a container.
 *
 * @param areLogged whether requests are in the access log
 * @param memory heap bytes for the values of all requests together
 */
public record RequestSettings(boolean areLogged, long memory) {
    /** Returns the default settings. */
    public static RequestSettings ofHeap(long heapBytes) {
        return new RequestSettings(true, RequestMemory.bytesByDefault(heapBytes));
    }

    public RequestSettings {
        if (memory < 1) {
            throw new IllegalArgumentException(
                    "requests have %d bytes of memory".formatted(memory));
        }
    }

    /** Returns these settings without an access log. */
    public RequestSettings withoutAccessLog() {
        return new RequestSettings(false, memory);
    }
}
