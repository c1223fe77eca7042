package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.crabro.ranking.onnx.Embedder.Purpose;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Embedders whose tensors have labels, with models that look rows up in a table. */
class LabelEmbeddersTest {
    private static final TensorType TOKENS = TensorType.parse("tensor<float>(t{},x[4])");
    private static final TensorType WORDS = TensorType.parse("tensor<float>(w{})");

    /** "[CLS]", the token of documents or queries, "hello", "world", "[SEP]". */
    private static final long[] HELLO = {101, 2, 7592, 2088, 102};

    @TempDir private static Path folder;

    private static Path tokenizer;

    @BeforeAll
    static void unpack() throws IOException {
        tokenizer = MiniLmTokenizer.in(folder);
    }

    @Test
    void tokensOfDocumentsHaveVectors() throws IOException {
        try (Embedder embedder = colbert("contextual", 4, 32, false).open()) {
            // Signs are left out.
            MixedTensor vectors =
                    embedder.embedWithLabels("Hello, world!", Purpose.DOCUMENT, TOKENS);

            assertRows(vectors, HELLO);
        }
    }

    @Test
    void longDocumentsAreCut() throws IOException {
        try (Embedder embedder = colbert("contextual", 4, 32, false).open()) {
            MixedTensor vectors =
                    embedder.embedWithLabels("hello ".repeat(100), Purpose.DOCUMENT, TOKENS);

            assertThat(vectors.addresses()).hasSize(40);
            assertThat(row(vectors, 39)).containsExactly(row(102));
        }
    }

    @Test
    void queriesAreFilledUp() throws IOException {
        try (Embedder embedder = colbert("contextual", 4, 8, true).open()) {
            assertRows(
                    embedder.embedWithLabels("hello, world", Purpose.QUERY, TOKENS),
                    101,
                    1,
                    7592,
                    1010,
                    2088,
                    102,
                    103,
                    103);
            assertThat(
                            embedder.embedWithLabels("hello ".repeat(9), Purpose.QUERY, TOKENS)
                                    .addresses())
                    .hasSize(8);
        }
    }

    @Test
    void vectorsOfMasksAreLeftOutUnlessTheyAreStored() throws IOException {
        try (Embedder embedder = colbert("contextual", 4, 8, false).open()) {
            assertRows(
                    embedder.embedWithLabels("hello, world", Purpose.QUERY, TOKENS),
                    101,
                    1,
                    7592,
                    1010,
                    2088,
                    102);
        }
    }

    @Test
    void theModelDoesNotAttendToMasks() throws IOException {
        for (boolean keepsMasks : new boolean[] {true, false}) {
            try (var embedder = ColbertEmbedder.open(colbert("contextual", 4, 8, keepsMasks))) {
                TextRow query = embedder.query("hello, world");

                assertThat(query.ids()).containsExactly(101, 1, 7592, 1010, 2088, 102, 103, 103);
                assertThat(query.mask()).containsExactly(1, 1, 1, 1, 1, 1, 0, 0);
            }
        }
    }

    @Test
    void vectorsOfTokensArePackedAndCut() throws IOException {
        try (Embedder embedder = colbert("contextual", 8, 32, false).open()) {
            MixedTensor packed =
                    embedder.embedWithLabels(
                            "hello", Purpose.DOCUMENT, TensorType.parse("tensor<int8>(t{},x[1])"));
            MixedTensor cut =
                    embedder.embedWithLabels(
                            "hello", Purpose.DOCUMENT, TensorType.parse("tensor<float>(t{},x[2])"));

            for (int bit = 0; bit < 8; bit++) {
                assertThat(((int) packed.cell(2, 0) >> (7 - bit)) & 1)
                        .isEqualTo(LookupModel.cell(7592, bit) > 0 ? 1 : 0);
            }
            assertThat(cut.cell(2, 1)).isEqualTo(LookupModel.cell(7592, 1));
        }
    }

    @Test
    void vectorsOfQueriesAreNotPacked() throws IOException {
        try (Embedder embedder = colbert("contextual", 8, 32, false).open()) {
            TensorType packed = TensorType.parse("tensor<int8>(t{},x[1])");

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> embedder.embedWithLabels("hello", Purpose.QUERY, packed))
                    .withMessageStartingWith(
                            "tokens are packed into int8 for documents alone: a query's need");
        }
    }

    @Test
    void wordsHaveTheirHighestWeight() throws IOException {
        try (Embedder embedder = splade(4, 0).open()) {
            MixedTensor weights = embedder.embedWithLabels("hello world", Purpose.DOCUMENT, WORDS);

            // The first words of the vocabulary; the frame of the text counts, too.
            for (int word = 0; word < 4; word++) {
                String label = word == 0 ? "[PAD]" : "[unused" + (word - 1) + "]";
                double most = 0;
                for (long token : new long[] {101, 7592, 2088, 102}) {
                    most = Math.max(most, LookupModel.cell(token, word));
                }
                int at = weights.addresses().indexOf(List.of(label));
                if (most == 0) {
                    assertThat(at).isEqualTo(-1);
                } else {
                    assertThat(weights.cell(at, 0)).isCloseTo(Math.log1p(most), within(1e-6));
                }
            }
            assertThat(weights.addresses()).isNotEmpty();
        }
    }

    @Test
    void lightWordsAreLeftOut() throws IOException {
        try (Embedder all = splade(4, 0).open();
                Embedder heavy = splade(4, 1.5).open()) {
            MixedTensor few = heavy.embedWithLabels("hello world", Purpose.QUERY, WORDS);

            assertThat(few.addresses().size())
                    .isLessThan(
                            all.embedWithLabels("hello world", Purpose.QUERY, WORDS)
                                    .addresses()
                                    .size());
            IntStream.range(0, few.addresses().size())
                    .forEach(i -> assertThat(few.cell(i, 0)).isGreaterThan(1.5));
        }
    }

    @Test
    void severalTextsAreEmbeddedAsEachIsAlone() throws IOException {
        HuggingFaceSettings mean =
                new HuggingFaceSettings(
                        colbert("contextual", 4, 32, false).model(),
                        new TokenizerFile(tokenizer, 512),
                        Optional.empty(),
                        HuggingFaceSettings.Pooling.MEAN,
                        false,
                        new TextPrefixes("", ""));

        severalAsAlone(colbert("contextual", 4, 32, false), TOKENS);
        severalAsAlone(splade(4, 0), WORDS);
        severalAsAlone(mean, TensorType.parse("tensor<float>(x[4])"));
    }

    /** The first runs of several texts are trials, so there are many, also concurrent ones. */
    private static void severalAsAlone(EmbedderSettings settings, TensorType type) {
        List<String> texts =
                IntStream.range(0, 300)
                        .mapToObj(i -> "hello world, this is a text ".repeat(1 + i % 5) + i)
                        .toList();
        var target = new Embedder.Target(Purpose.DOCUMENT, type, Duration.ofMinutes(1));
        try (Embedder embedder = settings.open()) {
            List<Tensor> alone =
                    texts.stream()
                            .map(text -> embedder.embedAll(List.of(text), target).getFirst())
                            .toList();
            List<List<Tensor>> together =
                    IntStream.range(0, 8)
                            .parallel()
                            .mapToObj(_ -> embedder.embedAll(texts, target))
                            .toList();

            assertThat(together).allMatch(alone::equals);
        }
    }

    @Test
    void typesThatDoNotFitAreRefused() throws IOException {
        try (Embedder tokens = colbert("contextual", 4, 32, false).open();
                Embedder words = splade(4, 0).open()) {
            refuses(tokens, "tensor<float>(t{},x[5])", "takes 5 values for a token, but the model");
            refuses(tokens, "tensor<int8>(t{},x[1])", "takes 8 values for a token, but the model");
            refuses(tokens, "tensor<float>(x[4])", "needs a type with a mapped and an indexed");
            refuses(tokens, "tensor<float>(t{})", "needs a type with a mapped and an indexed");
            refuses(words, "tensor<float>(x[4])", "need a type with one mapped dimension, not");
            refuses(words, "tensor<float>(a{},b{})", "need a type with one mapped dimension, not");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tokens.embed("x", Purpose.QUERY, TOKENS))
                    .withMessageContaining("has no room for labels");
        }
    }

    @Test
    void modelsThatDoNotFitAreRefused() throws IOException {
        ColbertSettings other = colbert("other", 4, 32, false);

        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> renamed(other).open().close())
                .withMessageContaining(
                        "Model does not contain required output: 'contextual'. Model contains: other");
    }

    @Test
    void nobodyIsServedOnceClosed() throws IOException {
        Embedder closed = colbert("contextual", 4, 32, false).open();
        closed.close();
        closed.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> closed.embedWithLabels("x", Purpose.QUERY, TOKENS));
    }

    private static void refuses(Embedder embedder, String type, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> embedder.check(TensorType.parse(type)))
                .withMessageContaining(message);
    }

    /** Rows are in the order of their labels as texts, which tokens below ten keep. */
    private static void assertRows(MixedTensor rows, long... tokens) {
        assertThat(rows.addresses()).hasSize(tokens.length);
        for (int i = 0; i < tokens.length; i++) {
            assertThat(row(rows, i)).as("token %d", i).containsExactly(row(tokens[i]));
        }
    }

    private static double[] row(MixedTensor rows, int token) {
        int at = rows.addresses().indexOf(List.of(Integer.toString(token)));
        return IntStream.range(0, 4).mapToDouble(i -> rows.cell(at, i)).toArray();
    }

    private static double[] row(long token) {
        return IntStream.range(0, 4).mapToDouble(i -> LookupModel.cell(token, i)).toArray();
    }

    private static ColbertSettings colbert(
            String output, int columns, int maxQueryTokens, boolean keepsMasks) throws IOException {
        return new ColbertSettings(
                new EmbedderModel(
                        LookupModel.write(
                                folder.resolve(output + columns + ".onnx"), output, columns),
                        "input_ids",
                        "attention_mask",
                        "",
                        output,
                        ModelSettings.DEFAULT),
                new TokenizerFile(tokenizer, 512),
                new TextLengths(maxQueryTokens, 40),
                new ColbertSettings.Tokens(101, 102, 103, 1, 2),
                keepsMasks,
                new TextPrefixes("", ""));
    }

    private static ColbertSettings renamed(ColbertSettings settings) {
        return new ColbertSettings(
                new EmbedderModel(
                        settings.model().file(),
                        settings.model().inputIds(),
                        settings.model().attentionMask(),
                        "",
                        "contextual",
                        ModelSettings.DEFAULT),
                settings.tokenizer(),
                settings.lengths(),
                settings.tokens(),
                settings.keepsMasks(),
                new TextPrefixes("", ""));
    }

    private static SpladeSettings splade(int columns, double threshold) throws IOException {
        return new SpladeSettings(
                new EmbedderModel(
                        LookupModel.write(folder.resolve("logits.onnx"), "logits", columns),
                        "input_ids",
                        "attention_mask",
                        "",
                        "logits",
                        ModelSettings.DEFAULT),
                new TokenizerFile(tokenizer, 512),
                threshold,
                new TextPrefixes("", ""));
    }
}
