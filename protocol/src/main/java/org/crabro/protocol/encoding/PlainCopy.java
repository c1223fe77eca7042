package org.crabro.protocol.encoding;

/**
 * Copies text up to the first byte that JSON must escape or that is not ASCII: a quote, a
 * backslash, a control character, or a part of a longer character. Both implementations copy the
 * same bytes. Safe for use by many threads.
 */
sealed interface PlainCopy permits VectorPlainCopy, WordPlainCopy {
    /**
     * Returns the vectorized implementation if the JVM has the Vector API and the machine has
     * vectors longer than 8 bytes, else the other one. Without the module, the vectorized class is
     * not loaded.
     */
    static PlainCopy best() {
        boolean isPresent = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        return isPresent && VectorPlainCopy.isWorthwhile()
                ? new VectorPlainCopy()
                : new WordPlainCopy();
    }

    /**
     * Copies the bytes from {@code from} on, and returns the index of the first byte that is not
     * plain; {@code to} if all are.
     *
     * @param into the index in the target, which must have room for all bytes; bytes after the
     *     plain ones may be overwritten
     */
    int copy(byte[] source, int from, int to, byte[] target, int into);
}
