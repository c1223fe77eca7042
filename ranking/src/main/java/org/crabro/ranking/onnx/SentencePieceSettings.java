package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * The settings of an embedder whose result is the numbers of the pieces of a text, by a
 * SentencePiece model.
 *
 * @param scoring how a text is cut into pieces
 * @param collapsesUnknown whether neighbouring characters that are in no piece are one piece
 */
public record SentencePieceSettings(Path model, Scoring scoring, boolean collapsesUnknown)
        implements EmbedderSettings {
    /** How texts are cut into pieces. */
    public enum Scoring {
        /** The sum of the scores of the pieces is as large as possible. */
        HIGHEST_SCORE,
        /** The pieces are as few as possible; of several such cuts, that with the largest sum. */
        FEWEST_SEGMENTS
    }
}
