package org.crabro.content.block.token;

import java.util.List;
import org.crabro.content.block.BlockWriter;
import org.crabro.content.layout.BlockLayout;
import org.crabro.text.Folding;

/** Tokenizes texts as a flush does, block by block, and keeps nothing of it. */
public final class TokenizedTexts {
    private final TokenColumnWriter writer = new TokenColumnWriter(Folding.ACCENTS, false, false);

    /** Returns the bytes of the token columns that the texts, one per row, come to. */
    public long write(List<byte[]> texts) {
        long bytes = 0;
        long block = 0;
        for (byte[] text : texts) {
            if (writer.rowCount() == BlockLayout.ROWS_MAX
                    || block + text.length > BlockWriter.BYTES_MAX) {
                bytes += finish();
                block = 0;
            }
            writer.element(text, 0, text.length);
            writer.endRow();
            block += text.length;
        }
        return bytes + finish();
    }

    private long finish() {
        writer.finish();
        return (long) writer.dictionary().remaining() + writer.numbers().remaining();
    }
}
