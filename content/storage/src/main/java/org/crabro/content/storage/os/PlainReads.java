package org.crabro.content.storage.os;

import java.lang.foreign.MemorySegment;

/**
 * Residency on systems whose advice calls are not supported: {@code load} reads pages one by one.
 * Correct, but slow.
 */
public final class PlainReads implements Residency {
    @Override
    public long missing(MemorySegment part) {
        return part.isLoaded() ? 0 : part.byteSize();
    }

    @Override
    public void ask(MemorySegment part) {}

    @Override
    public void load(MemorySegment part) {
        part.load();
    }
}
