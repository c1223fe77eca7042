package org.crabro.client.imports;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;

/**
 * A character set of one byte a character: the first half is ASCII, a table has the second half.
 * The JDK lacks some of these sets, and has no characters for some bytes of others. It decodes
 * only.
 */
final class SingleByteCharset extends Charset {
    /** What the table has for a byte without a character. */
    static final char NONE = '\ufffd';

    private static final int HALF = 0x80;

    private final char[] upper;

    /**
     * @param upper the characters of the bytes 0x80 to 0xff
     */
    SingleByteCharset(String name, char[] upper) {
        super("x-crabro-" + name, new String[0]);
        if (upper.length != HALF) {
            throw new IllegalArgumentException(name + " has " + upper.length + " characters");
        }
        this.upper = upper.clone();
    }

    @Override
    public boolean contains(Charset other) {
        return equals(other);
    }

    @Override
    public CharsetDecoder newDecoder() {
        return new CharsetDecoder(this, 1, 1) {
            @Override
            protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
                while (in.hasRemaining()) {
                    byte next = in.get(in.position());
                    char c = next >= 0 ? (char) next : upper[next & 0x7f];
                    if (c == NONE) {
                        return CoderResult.unmappableForLength(1);
                    }
                    if (!out.hasRemaining()) {
                        return CoderResult.OVERFLOW;
                    }
                    in.position(in.position() + 1);
                    out.put(c);
                }
                return CoderResult.UNDERFLOW;
            }
        };
    }

    @Override
    public boolean canEncode() {
        return false;
    }

    @Override
    public CharsetEncoder newEncoder() {
        throw new UnsupportedOperationException(name() + " only decodes");
    }
}
