package org.crabro.content.rank;

import java.util.List;
import java.util.stream.LongStream;
import org.crabro.content.match.BlockScan;
import org.crabro.content.match.TextHits;

/**
 * Counts what statistics of words are made of, over the live rows of slices: whole numbers, so that
 * it does not matter in which order, or by how many threads, slices are counted. For one thread.
 */
public final class TextCounts {
    private final List<SearchedText> texts;
    private final long[] tokens;
    private final long[] documentsWithText;
    private final long[][] documentsByTerm;
    private long documents;

    /**
     * @param texts the fields to count in
     */
    TextCounts(List<SearchedText> texts) {
        this.texts = texts;
        this.tokens = new long[texts.size()];
        this.documentsWithText = new long[texts.size()];
        this.documentsByTerm = new long[texts.size()][];
        for (int i = 0; i < texts.size(); i++) {
            documentsByTerm[i] = new long[texts.get(i).termCount()];
        }
    }

    /** Counts the live rows of the open slice. */
    public void add(BlockScan scan) {
        int count = scan.live();
        int[] rows = scan.rows();
        documents += count;
        for (int text = 0; text < texts.size(); text++) {
            TextHits hits = scan.textHits(texts.get(text).scanned());
            hits.look(rows, count);
            long found = 0;
            long nonEmpty = 0;
            for (int i = 0; i < count; i++) {
                int length = hits.length(rows[i]);
                found += length;
                nonEmpty += length > 0 ? 1 : 0;
            }
            tokens[text] += found;
            documentsWithText[text] += nonEmpty;
            count(hits, rows, count, texts.get(text), documentsByTerm[text]);
        }
    }

    private static void count(
            TextHits hits, int[] rows, int count, SearchedText text, long[] documentsByTerm) {
        for (int term = 0; term < text.termCount(); term++) {
            int matching = 0;
            for (int i = 0; i < count; i++) {
                matching += hits.occurrences(text.pattern(term), rows[i]) > 0 ? 1 : 0;
            }
            documentsByTerm[term] += matching;
        }
    }

    /** Adds what another has counted for the same query. */
    public void add(TextCounts that) {
        documents += that.documents;
        for (int text = 0; text < tokens.length; text++) {
            tokens[text] += that.tokens[text];
            documentsWithText[text] += that.documentsWithText[text];
            for (int term = 0; term < documentsByTerm[text].length; term++) {
                documentsByTerm[text][term] += that.documentsByTerm[text][term];
            }
        }
    }

    /** Returns the statistics of a field, by its place among the texts. */
    TextStatistics statistics(int text) {
        double average =
                documentsWithText[text] == 0 ? 1 : (double) tokens[text] / documentsWithText[text];
        return new TextStatistics(
                documents, average, LongStream.of(documentsByTerm[text]).boxed().toList());
    }
}
