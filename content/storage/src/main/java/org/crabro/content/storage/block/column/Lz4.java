package org.crabro.content.storage.block.column;

import net.jpountz.lz4.LZ4Factory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The compressor: native if its library can be loaded, otherwise plain Java. */
public final class Lz4 {
    private static final Logger LOG = LoggerFactory.getLogger(Lz4.class);

    public static final LZ4Factory FACTORY = factory();

    private Lz4() {}

    private static LZ4Factory factory() {
        try {
            return LZ4Factory.nativeInstance();
        } catch (LinkageError | AssertionError | RuntimeException e) {
            // The library's third implementation uses sun.misc.Unsafe and is never used.
            LOG.warn("LZ4 runs in plain Java, several times slower: {}", e.toString());
            return LZ4Factory.safeInstance();
        }
    }
}
