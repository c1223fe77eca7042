package org.crabro.ranking.onnx;

import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * An embedder without a model. Its vectors hold the numbers of a text's tokens in order, then
 * zeros. Further tokens are cut.
 */
final class TokenIdEmbedder implements Embedder {
    private final TextTokenizer tokenizer;
    private final boolean withSpecialTokens;

    private TokenIdEmbedder(TextTokenizer tokenizer, boolean withSpecialTokens) {
        this.tokenizer = tokenizer;
        this.withSpecialTokens = withSpecialTokens;
    }

    static TokenIdEmbedder open(TokenizerSettings settings) {
        return new TokenIdEmbedder(
                TextTokenizer.open(settings.tokenizer(), settings.maxTokens()),
                settings.withSpecialTokens());
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
        long[] ids = tokenizer.tokens(text, withSpecialTokens).getIds();
        double[] cells = new double[type.cellCount()];
        for (int i = 0; i < Math.min(ids.length, cells.length); i++) {
            cells[i] = ids[i];
        }
        return DenseTensor.of(type, cells);
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
