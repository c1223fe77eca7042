package org.crabro.content.journal;

import java.lang.foreign.MemorySegment;

/**
 * Residency on systems that take no advice that we know: pages are read one by one when they are
 * loaded. It is right and slow.
 */
final class PlainReads implements Residency {
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
