package org.crabro.protocol.encoding;

/**
 * Copies text up to what JSON writes otherwise, or not as one byte: a quote, a backslash, a control
 * character or no ASCII. The two implementations copy the same. Safe for use by many threads.
 */
sealed interface PlainCopy permits VectorPlainCopy, WordPlainCopy {
    /**
     * Returns the vector twin where the JVM has the Vector API and the machine has vectors longer
     * than a word, else the other. Without the module nothing of the vector twin is loaded.
     */
    static PlainCopy best() {
        boolean isPresent = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        return isPresent && VectorPlainCopy.isWorthwhile()
                ? new VectorPlainCopy()
                : new WordPlainCopy();
    }

    /**
     * Copies the bytes from {@code from} on, and returns where the first is that is not plain;
     * {@code to} where all are.
     *
     * @param into where in the target; it has room for all there are, and what is behind the plain
     *     ones is written over there
     */
    int copy(byte[] source, int from, int to, byte[] target, int into);
}
