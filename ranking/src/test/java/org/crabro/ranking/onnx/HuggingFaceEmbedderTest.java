package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.ranking.onnx.Embedder.Purpose;
import org.crabro.ranking.onnx.HuggingFaceSettings.Pooling;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** With a real model: MiniLM, quantised, from the library that ships it. */
class HuggingFaceEmbedderTest {
    private static final String QUESTION = "How do I store private mail?";

    @TempDir private static Path folder;

    private static Path model;
    private static Path tokenizer;
    private static HuggingFaceEmbedder embedder;

    @BeforeAll
    static void open() throws IOException {
        // Kept between runs, as a server's is.
        NativeLibraries.unpackInto(Path.of("target", "native"));
        model = resource("all-minilm-l6-v2-q.onnx");
        tokenizer = resource("all-minilm-l6-v2-q-tokenizer.json");
        embedder = HuggingFaceEmbedder.open(settings(model, 0));
    }

    @AfterAll
    static void close() {
        embedder.close();
    }

    @Test
    void cutsTextIntoTheTokensOfTheModel() {
        try (TextTokenizer tokens = TextTokenizer.open(tokenizer, 512)) {
            assertThat(tokens.tokens("Hello world, this is Crabro!").getIds())
                    .containsExactly(101, 7592, 2088, 1010, 2023, 2003, 18081, 3217, 999, 102);
            // The file's own limit holds.
            assertThat(tokens.tokens("word ".repeat(1_000)).getIds()).hasSize(128);
        }
    }

    @Test
    void cutsToTheSettingWhereTheFileHasNoLimit() throws IOException {
        String json = Files.readString(tokenizer);
        int start = json.indexOf("\"truncation\": {");
        int end = json.indexOf("}", start) + 1;
        Path unlimited = folder.resolve("unlimited.json");
        Files.writeString(
                unlimited, json.substring(0, start) + "\"truncation\": null" + json.substring(end));

        try (TextTokenizer tokens = TextTokenizer.open(unlimited, 40)) {
            assertThat(tokens.tokens("word ".repeat(1_000)).getIds()).hasSize(40);
            assertThat(tokens.tokens("word").getIds()).hasSize(3);
        }
    }

    @Test
    void aVocabularyOfWordPiecesGivesTheSameTokens() throws IOException {
        Path vocabulary = vocabulary();
        var special = new HuggingFaceSettings.SpecialTokens(101, 102);
        try (TextTokenizer tokens = TextTokenizer.open(tokenizer, 512);
                TextTokenizer pieces = TextTokenizer.ofWordPieces(vocabulary, special, 512)) {
            for (String text :
                    List.of(
                            "Hello world, this is Crabro!",
                            "Ünïcode naïveté: ŒUVRE, straße 東京 🐝",
                            "[CLS] in the text [SEP]",
                            "a-b_c don't\t\n 12,345.67 x" + "y".repeat(200),
                            "")) {
                assertThat(pieces.tokens(text).getIds())
                        .as(text)
                        .containsExactly(tokens.tokens(text).getIds());
            }
            assertThat(pieces.tokens("word ".repeat(1_000)).getIds()).hasSize(512);
        }
    }

    @Test
    void embedsAlikeWithAVocabularyOfWordPieces() throws IOException {
        HuggingFaceSettings json = settings(model, 1);
        try (var bert = HuggingFaceEmbedder.open(withVocabulary(json, vocabulary(), 101))) {
            DenseTensor vector = bert.embed(QUESTION, Purpose.DOCUMENT, type(CellType.FLOAT, 384));

            assertThat(dot(vector, embed(QUESTION))).isCloseTo(1, within(1e-5));
        }
    }

    @Test
    void givesTheNumbersOfWordPieces() throws IOException {
        TensorType type = type(CellType.FLOAT, 10);
        try (Embedder pieces = new WordPieceSettings(vocabulary()).open()) {
            assertThat(pieces.embed("Hello world, this is Crabro!", Purpose.DOCUMENT, type))
                    .isEqualTo(
                            DenseTensor.of(
                                    type,
                                    new double[] {
                                        7592, 2088, 1010, 2023, 2003, 18081, 3217, 999, 0, 0
                                    }));
        }
    }

    @Test
    void embedsSeveralTextsAsItDoesEach() {
        List<String> texts =
                List.of(QUESTION, "one", "two words", "a much longer text ".repeat(9), "one", "");
        var target =
                new Embedder.Target(
                        Purpose.DOCUMENT, type(CellType.FLOAT, 384), Duration.ofMinutes(1));
        for (int i = 0; i < 4; i++) {
            List<Tensor> together = embedder.embedAll(texts, target);
            for (int text = 0; text < texts.size(); text++) {
                double difference = 0;
                DenseTensor alone = embed(texts.get(text));
                DenseTensor vector = (DenseTensor) together.get(text);
                for (int cell = 0; cell < 384; cell++) {
                    difference =
                            Math.max(difference, Math.abs(vector.cell(cell) - alone.cell(cell)));
                }
                assertThat(difference).as(texts.get(text)).isLessThan(1e-4);
            }
        }
    }

    @Test
    void saysWhatIsWrongWithAVocabulary() throws IOException {
        HuggingFaceSettings json = settings(model, 1);
        Path garbage = Files.writeString(folder.resolve("garbage.txt"), "no\nvocabulary\n");

        rejects(withVocabulary(json, garbage, 101), "garbage.txt has no piece [UNK]");
        rejects(
                withVocabulary(json, folder.resolve("none.txt"), 101),
                "There is no vocabulary file");
        rejects(
                withVocabulary(json, vocabulary(), 40_000),
                "has 30522 pieces, but token 40000 is asked for");
    }

    private static HuggingFaceSettings withVocabulary(
            HuggingFaceSettings settings, Path vocabulary, int start) {
        return new HuggingFaceSettings(
                settings.model(),
                new TokenizerFile(vocabulary, settings.tokenizer().maxTokens()),
                Optional.of(new HuggingFaceSettings.SpecialTokens(start, 102)),
                settings.pooling(),
                settings.normalize(),
                new TextPrefixes("", ""));
    }

    /** The pieces that the tokenizer's file lists, one a line, as such models come. */
    private static Path vocabulary() throws IOException {
        var pieces = new TreeMap<Integer, String>();
        try (JsonParser json =
                new JsonFactory().createParser(ObjectReadContext.empty(), tokenizer)) {
            while (!"vocab".equals(json.currentName())) {
                json.nextToken();
            }
            json.nextToken();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String piece = json.currentName();
                json.nextToken();
                pieces.put(json.getIntValue(), piece);
            }
        }
        return Files.write(folder.resolve("vocab.txt"), pieces.values());
    }

    @Test
    void findsWhatIsMeantAlike() {
        DenseTensor question = embed(QUESTION);

        assertThat(dot(question, embed("Personal email storage and search")))
                .isCloseTo(0.591682, within(1e-3));
        assertThat(dot(question, embed("Bananas are yellow fruit")))
                .isCloseTo(-0.042498, within(1e-3));
        assertThat(dot(question, question)).isCloseTo(1, within(1e-6));
    }

    @Test
    void givesTheFirstCellsScaledToLength1() {
        DenseTensor whole = embed(QUESTION);
        DenseTensor part = embedder.embed(QUESTION, Purpose.DOCUMENT, type(CellType.FLOAT, 64));

        assertThat(dot(part, part)).isCloseTo(1, within(1e-6));
        assertThat(part.cell(3) / part.cell(0))
                .isCloseTo(whole.cell(3) / whole.cell(0), within(1e-5));
    }

    @Test
    void packsSignsIntoBytes() {
        DenseTensor whole = embed(QUESTION);
        DenseTensor packed = embedder.embed(QUESTION, Purpose.DOCUMENT, type(CellType.INT8, 48));

        for (int i = 0; i < 384; i++) {
            int bit = ((int) packed.cell(i / 8) >> (7 - i % 8)) & 1;
            assertThat(bit).as("bit %d", i).isEqualTo(whole.cell(i) > 0 ? 1 : 0);
        }
    }

    @Test
    void prependsByPurpose() {
        var settings =
                new HuggingFaceSettings(
                        new EmbedderModel(
                                model,
                                "input_ids",
                                "attention_mask",
                                "token_type_ids",
                                "last_hidden_state",
                                ModelSettings.sequential(1)),
                        new TokenizerFile(tokenizer, 512),
                        Optional.empty(),
                        Pooling.MEAN,
                        true,
                        new TextPrefixes("query: ", "passage: "));
        try (var prepending = HuggingFaceEmbedder.open(settings)) {
            TensorType type = type(CellType.FLOAT, 384);
            assertThat(prepending.embed("mail", Purpose.QUERY, type))
                    .isEqualTo(embedder.embed("query: mail", Purpose.QUERY, type));
            assertThat(prepending.embed("mail", Purpose.DOCUMENT, type))
                    .isEqualTo(embedder.embed("passage: mail", Purpose.DOCUMENT, type));
        }
    }

    @Test
    void answersABlankQueryWithZeros() {
        TensorType type = type(CellType.BFLOAT16, 384);

        assertThat(embedder.embed(" \n", Purpose.QUERY, type))
                .isEqualTo(DenseTensor.of(type, new double[384]));
        assertThat(embedder.embed("", Purpose.DOCUMENT, type))
                .isNotEqualTo(DenseTensor.of(type, new double[384]));
    }

    @Test
    void givesTheSameToManyAtOnce() throws ExecutionException, InterruptedException {
        List<String> texts = List.of(QUESTION, "one", "two words", "a much longer text ".repeat(9));
        List<DenseTensor> expected = texts.stream().map(HuggingFaceEmbedderTest::embed).toList();
        var results = new ArrayList<Future<DenseTensor>>();
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 24; i++) {
                String text = texts.get(i % texts.size());
                results.add(threads.submit(() -> embed(text)));
            }
            for (int i = 0; i < results.size(); i++) {
                DenseTensor wanted = expected.get(i % texts.size());
                assertThat(dot(results.get(i).get(), wanted)).isCloseTo(1, within(1e-5));
            }
        }
    }

    @Test
    void refusesTypesThatItCannotFill() {
        embedder.check(type(CellType.FLOAT, 384));
        refuses(type(CellType.FLOAT, 385), "takes 385 values, but the model gives 384");
        refuses(type(CellType.INT8, 49), "takes 392 values, but the model gives 384");
        refuses(TensorType.SCALAR, "one indexed dimension");
        refuses(
                new TensorType(CellType.FLOAT, List.of(new Dimension.Mapped("x"))),
                "one indexed dimension");
    }

    @Test
    void saysWhatTheModelHasNot() {
        rejects(
                names("ids", "token_type_ids", "last_hidden_state", Pooling.MEAN),
                "Model does not contain required input: 'ids'."
                        + " Model contains: attention_mask,input_ids,token_type_ids");
        rejects(
                names("input_ids", "token_type_ids", "pooled", Pooling.MEAN),
                "Model does not contain required output: 'pooled'."
                        + " Model contains: last_hidden_state");
        rejects(
                names("input_ids", "", "last_hidden_state", Pooling.MEAN),
                "Model needs an input that nothing is given for: 'token_type_ids'");
        rejects(
                names("input_ids", "token_type_ids", "last_hidden_state", Pooling.NONE),
                "Expected 2 output dimensions for output name 'last_hidden_state':"
                        + " [batch, embedding], got 3");
    }

    @Test
    void saysWhichFileIsUnfit() throws IOException {
        Path garbage = Files.writeString(folder.resolve("garbage"), "no model, no tokenizer");

        rejects(settings(folder.resolve("none.onnx"), 1), "There is no model file");
        rejects(settings(garbage, 1), "garbage cannot be loaded: ");
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> TextTokenizer.open(garbage, 512))
                .withMessageContaining("garbage cannot be read: ");
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> TextTokenizer.open(folder.resolve("none.json"), 512))
                .withMessageContaining("There is no tokenizer file");
    }

    @Test
    void servesNobodyOnceClosed() {
        HuggingFaceEmbedder closed = HuggingFaceEmbedder.open(settings(model, 1));
        closed.close();
        closed.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> closed.embed("x", Purpose.QUERY, type(CellType.FLOAT, 4)));
    }

    @Test
    void readsThreadsAsConfigured() {
        assertThat(ModelSettings.threads(3, 8)).isEqualTo(3);
        assertThat(ModelSettings.threads(-4, 8)).isEqualTo(2);
        assertThat(ModelSettings.threads(-4, 9)).isEqualTo(3);
        assertThat(ModelSettings.threads(-4, 2)).isEqualTo(1);
        assertThat(ModelSettings.threads(0, 8)).isEqualTo(0);
    }

    private static DenseTensor embed(String text) {
        return embedder.embed(text, Purpose.DOCUMENT, type(CellType.FLOAT, 384));
    }

    private static void refuses(TensorType type, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> embedder.check(type))
                .withMessageContaining(message);
    }

    private static void rejects(HuggingFaceSettings settings, String message) {
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> HuggingFaceEmbedder.open(settings).close())
                .withMessageContaining(message);
    }

    private static HuggingFaceSettings settings(Path model, int intraOpThreads) {
        return new HuggingFaceSettings(
                new EmbedderModel(
                        model,
                        "input_ids",
                        "attention_mask",
                        "token_type_ids",
                        "last_hidden_state",
                        intraOpThreads == 0
                                ? ModelSettings.DEFAULT
                                : ModelSettings.sequential(intraOpThreads)),
                new TokenizerFile(tokenizer, 512),
                Optional.empty(),
                Pooling.MEAN,
                true,
                new TextPrefixes("", ""));
    }

    private static HuggingFaceSettings names(
            String ids, String typeIds, String output, Pooling pooling) {
        return new HuggingFaceSettings(
                new EmbedderModel(
                        model, ids, "attention_mask", typeIds, output, ModelSettings.DEFAULT),
                new TokenizerFile(tokenizer, 512),
                Optional.empty(),
                pooling,
                true,
                new TextPrefixes("", ""));
    }

    private static TensorType type(CellType cells, int size) {
        return new TensorType(cells, List.of(new Dimension.Indexed("x", size)));
    }

    private static double dot(DenseTensor a, DenseTensor b) {
        double sum = 0;
        for (int i = 0; i < a.size(); i++) {
            sum += a.cell(i) * b.cell(i);
        }
        return sum;
    }

    private static Path resource(String name) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream bytes =
                HuggingFaceEmbedderTest.class.getClassLoader().getResourceAsStream(name)) {
            assertThat(bytes).as(name).isNotNull();
            Files.copy(bytes, file);
        }
        return file;
    }
}
