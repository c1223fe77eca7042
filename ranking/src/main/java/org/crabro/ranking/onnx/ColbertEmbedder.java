package org.crabro.ranking.onnx;

import ai.djl.huggingface.tokenizers.Encoding;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * An embedder that computes a vector for each token of a text. The labels of the vectors are the
 * positions of the tokens, from 0 on.
 *
 * <p>The first token marks a text as a document or as a query. Punctuation is removed from
 * documents. Queries are filled up with mask tokens to a fixed length. The model does not attend to
 * masks; the settings say whether their vectors are kept, because they add related words to a
 * query. A type with fewer cells than the model's vectors gets the first cells. A type with int8
 * cells gets one bit per value, as in {@link HuggingFaceEmbedder}.
 */
final class ColbertEmbedder implements Embedder {
    private static final String FOR_EACH = " for a token";

    /** The token that marks the kind of a text, and the tokens around the text. */
    private static final int ADDED = 3;

    private final ColbertSettings settings;
    private final TextModel model;
    private final Transformer transformer;

    private ColbertEmbedder(ColbertSettings settings, TextModel model) {
        this.settings = settings;
        this.model = model;
        this.transformer =
                model.transformer(
                        new Transformer.Names(
                                settings.model().inputIds(),
                                settings.model().attentionMask(),
                                "",
                                settings.model().output()),
                        "batch",
                        "sequence",
                        "embedding");
    }

    static ColbertEmbedder open(ColbertSettings settings) {
        return TextModel.open(
                () ->
                        TextTokenizer.open(
                                settings.tokenizer().file(), settings.tokenizer().maxTokens()),
                () -> OnnxModel.open(settings.model().file(), settings.model().settings()),
                model -> new ColbertEmbedder(settings, model));
    }

    @Override
    public void check(TensorType type) {
        if (type.dimensions().size() != 2 || type.mappedCount() != 1) {
            throw new IllegalArgumentException(
                    "an embedding of tokens needs a type with a mapped and an indexed dimension,"
                            + " not "
                            + type);
        }
        EmbeddedCells.requireValues(type, transformer.size(), FOR_EACH);
    }

    /** Not supported: the tokens are labels, so the type needs a mapped dimension. */
    @Override
    public DenseTensor embed(String text, Purpose purpose, TensorType type) {
        check(type);
        throw new IllegalArgumentException(type + " has no room for labels");
    }

    @Override
    public MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
        return vectors(List.of(text), new Target(purpose, type, Target.NO_TIMEOUT)).getFirst();
    }

    @Override
    public List<Tensor> embedAll(List<String> texts, Target target) {
        return List.copyOf(vectors(texts, target));
    }

    private List<MixedTensor> vectors(List<String> texts, Target target) {
        check(target.type());
        TensorType type = target.purpose() == Purpose.QUERY ? inFull(target.type()) : target.type();
        return model.use(() -> {
            List<TextRow> rows =
                    texts.stream()
                            .map(text ->
                                    switch (target.purpose()) {
                                        case DOCUMENT ->
                                                document(settings.prefixes().document() + text);
                                        case QUERY -> query(settings.prefixes().query() + text);
                                    })
                            .toList();
            return transformer.run(rows, target, (row, output) -> vectors(row, output, type));
        });
    }

    /** Bits are for documents: a query's vectors are multiplied with those of unpack_bits. */
    private static TensorType inFull(TensorType type) {
        if (type.cellType() == CellType.INT8) {
            throw new IllegalArgumentException(
                    "tokens are packed into int8 for documents alone: a query's need cells of"
                            + " float, bfloat16 or double");
        }
        return type;
    }

    private TextRow document(String text) {
        long[] tokens = tokens(text, false);
        int count =
                Math.min(
                        tokens.length,
                        Math.min(settings.tokenizer().maxTokens(), settings.lengths().document())
                                - ADDED);
        long[] ids = framed(tokens, Math.max(0, count), settings.tokens().document(), 0);
        long[] mask = new long[ids.length];
        Arrays.fill(mask, 1);
        return new TextRow(ids, mask, new long[0]);
    }

    TextRow query(String text) {
        long[] tokens = tokens(text, true);
        int room = Math.min(settings.tokenizer().maxTokens(), settings.lengths().query()) - ADDED;
        int count = Math.max(0, Math.min(tokens.length, room));
        int masks = Math.max(0, room - count);
        long[] ids = framed(tokens, count, settings.tokens().query(), masks);
        long[] mask = new long[ids.length];
        Arrays.fill(mask, 0, ids.length - masks, 1);
        return new TextRow(ids, mask, new long[0]);
    }

    /** Returns the first {@code count} tokens with the special tokens around them, then masks. */
    private long[] framed(long[] tokens, int count, int kind, int masks) {
        var ids = new long[count + ADDED + masks];
        ids[0] = settings.tokens().start();
        ids[1] = kind;
        System.arraycopy(tokens, 0, ids, 2, count);
        ids[count + 2] = settings.tokens().end();
        Arrays.fill(ids, count + ADDED, ids.length, settings.tokens().mask());
        return ids;
    }

    /** Returns the tokens of the text itself. */
    private long[] tokens(String text, boolean withSigns) {
        Encoding encoding = model.tokenizer().tokens(text);
        long[] ids = encoding.getIds();
        long[] special = encoding.getSpecialTokenMask();
        String[] written = encoding.getTokens();
        int count = 0;
        for (int i = 0; i < ids.length; i++) {
            if (special[i] == 0 && (withSigns || !isSign(written[i]))) {
                ids[count++] = ids[i];
            }
        }
        return Arrays.copyOf(ids, count);
    }

    /** Returns whether a token is one sign of ASCII that is neither letter nor digit. */
    private static boolean isSign(String token) {
        return token.length() == 1
                && token.charAt(0) > ' '
                && token.charAt(0) < 0x7F
                && !Character.isLetterOrDigit(token.charAt(0));
    }

    private MixedTensor vectors(TextRow row, OnnxModel.Output output, TensorType type) {
        EmbeddedCells.requireValues(type, output.size(), FOR_EACH);
        int count = EmbeddedCells.valueCount(type);
        Map<List<String>, double[]> subspaces = new HashMap<>();
        // The masks come last.
        int tokens =
                settings.keepsMasks()
                        ? row.length()
                        : (int) Arrays.stream(row.mask()).filter(each -> each != 0).count();
        for (int token = 0; token < tokens; token++) {
            double[] values = new double[count];
            for (int i = 0; i < count; i++) {
                values[i] = output.values().get(token * output.size() + i);
            }
            subspaces.put(List.of(Integer.toString(token)), EmbeddedCells.cells(type, values));
        }
        return MixedTensor.of(type, subspaces);
    }

    @Override
    public void close() {
        model.close();
    }
}
