package org.crabro.ranking.onnx;

import java.util.function.Function;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * An embedder without a model. Its vectors hold the numbers of a text's tokens in order, then
 * zeros. Further tokens are cut.
 */
final class TokenIdEmbedder implements Embedder {
    /** More tokens than a tensor can have cells are cut. */
    private static final int TOKENS_MAX = 1 << 20;

    private final Function<String, long[]> tokens;
    private final Runnable close;

    /**
     * @param tokens returns the numbers of the tokens of a text
     * @param close runs when this is closed
     */
    private TokenIdEmbedder(Function<String, long[]> tokens, Runnable close) {
        this.tokens = tokens;
        this.close = close;
    }

    static TokenIdEmbedder open(TokenizerSettings settings) {
        return of(
                TextTokenizer.open(settings.tokenizer(), settings.maxTokens()),
                settings.withSpecialTokens());
    }

    static TokenIdEmbedder open(WordPieceSettings settings) {
        // No text produces special tokens, so any two pieces can be declared as such.
        var special = new HuggingFaceSettings.SpecialTokens(0, 1);
        return of(TextTokenizer.ofWordPieces(settings.vocabulary(), special, TOKENS_MAX), false);
    }

    static TokenIdEmbedder open(SentencePieceSettings settings) {
        SentencePieces pieces = SentencePieces.read(settings.model());
        return new TokenIdEmbedder(
                text -> pieces.ids(text, settings.scoring(), settings.collapsesUnknown()),
                () -> {});
    }

    private static TokenIdEmbedder of(TextTokenizer tokenizer, boolean withSpecialTokens) {
        return new TokenIdEmbedder(
                text -> tokenizer.tokens(text, withSpecialTokens).getIds(), tokenizer::close);
    }

    @Override
    public void check(TensorType type) {
        if (type.dimensions().size() != 1
                || !(type.dimensions().getFirst() instanceof Dimension.Indexed)) {
            throw new IllegalArgumentException(
                    "numbers of tokens need a type with one indexed dimension, not " + type);
        }
        if (type.cellType() == CellType.INT8 || type.cellType() == CellType.BFLOAT16) {
            throw new IllegalArgumentException(
                    "numbers of tokens need cells of type float or double, not " + type);
        }
    }

    @Override
    public DenseTensor embed(String text, Purpose purpose, TensorType type) {
        check(type);
        long[] ids = tokens.apply(text);
        double[] cells = new double[type.cellCount()];
        for (int i = 0; i < Math.min(ids.length, cells.length); i++) {
            cells[i] = ids[i];
        }
        return DenseTensor.of(type, cells);
    }

    @Override
    public void close() {
        close.run();
    }
}
