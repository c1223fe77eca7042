package org.crabro.content.storage.block.token;

import java.util.List;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.text.Folding;

/** Tokenizes texts as a flush does, block by block, and discards the result. */
public final class TokenizedTexts {
    private final TokenColumnWriter writer = new TokenColumnWriter(Folding.ACCENTS, false, false);

    /** Returns the size in bytes of the token columns of the texts, one text per row. */
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
