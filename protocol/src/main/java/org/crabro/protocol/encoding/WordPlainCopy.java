package org.crabro.protocol.encoding;

import org.crabro.document.json.PlainText;
import org.crabro.text.EightBytes;

/** Copies eight bytes at a time. */
final class WordPlainCopy implements PlainCopy {
    @Override
    public int copy(byte[] source, int from, int to, byte[] target, int into) {
        int shift = into - from;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = EightBytes.of(source, at);
            EightBytes.put(target, shift + at, word);
            long special = PlainText.special(word);
            if (special != 0) {
                return at + EightBytes.firstHigh(special);
            }
        }
        for (; at < to && PlainText.isPlain(source[at]); at++) {
            target[shift + at] = source[at];
        }
        return at;
    }
}
