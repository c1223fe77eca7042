package org.crabro.content.file;

/** Where bytes come from. */
@FunctionalInterface
public interface ByteOrigin {
    /**
     * Creates the exception for bytes that are not as they were written. Bytes of a file are also
     * registered as damaged.
     *
     * @param offset of the wrong bytes, from the start of the block
     */
    CorruptRunException corrupt(long offset, String expected, String found);
}
