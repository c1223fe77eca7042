package org.crabro.content.storage.file;

/** The origin of bytes. */
@FunctionalInterface
public interface ByteOrigin {
    /**
     * Creates the exception for damaged bytes. Bytes of a file are also registered as damaged.
     *
     * @param offset of the wrong bytes, from the start of the block
     */
    CorruptRunException corrupt(long offset, String expected, String actual);
}
