package org.crabro.content.storage.block.token;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.crabro.text.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Maps token numbers of source columns to token numbers of the column that is written. The text of
 * a token is read once per source, however often the token occurs. For one thread.
 */
final class TokenMapping {
    /** Rows come from a few blocks in turns; above this number, the first block is removed. */
    static final int SOURCES_MAX = 64;

    private final TokenColumnWriter writer;
    private final List<Source> sources = new ArrayList<>();
    private @Nullable Source open;

    /** One source block, with the texts of all its tokens. */
    private static final class Source {
        private final TokenColumn column;
        private final int[] starts;

        /** From the source's token number to the writer's plus 1; 0 if not mapped yet. */
        private final int[] tokens;

        private byte[] texts;

        Source(TokenColumn column) {
            this.column = column;
            int size = column.dictionary().size();
            this.starts = new int[size + 1];
            this.tokens = new int[size];
            this.texts = new byte[8 * size + 64];
            TokenDictionary.Cursor cursor = column.dictionary().cursor();
            while (cursor.next()) {
                int start = starts[cursor.number()];
                int length = cursor.length();
                // A hash reads eight bytes at a time.
                int needed = Math.addExact(start, length) + Long.BYTES;
                if (needed > texts.length) {
                    texts = Arrays.copyOf(texts, Math.max(needed, 2 * texts.length));
                }
                System.arraycopy(cursor.buffer(), 0, texts, start, length);
                starts[cursor.number() + 1] = start + length;
            }
        }

        private int mapped(int number, TokenColumnWriter writer) {
            int start = starts[number];
            int length = starts[number + 1] - start;
            long hash = Tokenizer.hash(texts, start, length);
            int token = writer.token(texts, start, length, hash);
            tokens[number] = token + 1;
            return token;
        }
    }

    TokenMapping(TokenColumnWriter writer) {
        this.writer = writer;
    }

    /** Moves to the column of the next tokens. */
    void open(TokenColumn column) {
        if (open != null && open.column == column) {
            return;
        }
        for (Source source : sources) {
            if (source.column == column) {
                open = source;
                return;
            }
        }
        if (sources.size() == SOURCES_MAX) {
            sources.removeFirst();
        }
        open = new Source(column);
        sources.add(open);
    }

    /** Returns the writer's token for a token of the open column. */
    int token(int number) {
        if (open == null) {
            throw new IllegalStateException("no column is open");
        }
        int token = open.tokens[number];
        return token > 0 ? token - 1 : open.mapped(number, writer);
    }

    /** Removes all sources: the writer begins another block. */
    void clear() {
        sources.clear();
        open = null;
    }
}
