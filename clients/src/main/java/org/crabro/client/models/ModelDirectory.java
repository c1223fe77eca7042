package org.crabro.client.models;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * An ONNX model that makes vectors of texts, and its tokenizer.
 *
 * @param size the numbers of a vector
 * @param output the name of the output with the vectors of tokens
 * @param hasTokenTypes whether the model has the input {@code token_type_ids}
 */
public record ModelDirectory(
        Path model, Path tokenizer, int size, String output, boolean hasTokenTypes) {
    /** Bytes of a model: the package with it is in memory when it is deployed. */
    static final long MODEL_BYTES_MAX = 1L << 30;

    static final long TOKENIZER_BYTES_MAX = 128L << 20;
    private static final long CONFIG_BYTES_MAX = 1L << 20;
    private static final int SIZE_MAX = 65_536;
    private static final int BUFFER_BYTES = 1 << 16;

    private static final List<String> MODELS = List.of("model.onnx", "onnx/model.onnx");
    private static final List<String> TOKENIZERS = List.of("tokenizer.json", "onnx/tokenizer.json");
    private static final String TOKENS = "last_hidden_state";
    private static final JsonMapper JSON = new JsonMapper();

    /**
     * Finds the model of a directory.
     *
     * @throws IOException if there is none, or its files do not say how many numbers a vector has;
     *     the message says what is looked for
     */
    public static ModelDirectory in(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new NoSuchFileException(
                    directory.toString(), null, "no directory with a model and its tokenizer");
        }
        Path model = file(directory, "model", MODELS, ".onnx", MODEL_BYTES_MAX);
        Path tokenizer =
                file(directory, "tokenizer", TOKENIZERS, "tokenizer.json", TOKENIZER_BYTES_MAX);
        OnnxSignature signature = OnnxSignature.of(model);
        if (!signature.inputs().contains("input_ids")) {
            throw new IOException(
                    "%s has the inputs %s; a model of texts has input_ids"
                            .formatted(model, signature.inputs()));
        }
        String output =
                signature.outputs().containsKey(TOKENS)
                        ? TOKENS
                        : signature.outputs().keySet().stream()
                                .findFirst()
                                .orElseThrow(() -> new IOException(model + " has no output"));
        long size = signature.outputs().getOrDefault(output, 0L);
        if (size <= 0) {
            size = hiddenSize(directory);
        }
        if (size <= 0 || size > SIZE_MAX) {
            throw new IOException(
                    "%s does not say how many numbers a vector has, and %s has no hidden_size from 1 to %,d"
                            .formatted(model, directory.resolve("config.json"), SIZE_MAX));
        }
        return new ModelDirectory(
                model,
                tokenizer,
                (int) size,
                output,
                signature.inputs().contains("token_type_ids"));
    }

    private static Path file(
            Path directory, String what, List<String> names, String ending, long bytesMax)
            throws IOException {
        List<Path> paths =
                names.stream()
                        .map(directory::resolve)
                        .filter(Files::isRegularFile)
                        .limit(1)
                        .toList();
        if (paths.isEmpty()) {
            paths = ending(directory, ending);
            if (paths.size() != 1) {
                throw new IOException(
                        "%s has no %s: expected %s, or one file that ends in %s, found %s"
                                .formatted(
                                        directory,
                                        what,
                                        String.join(" or ", names),
                                        ending,
                                        paths.isEmpty() ? "none" : paths.size() + " of them"));
            }
        }
        Path file = paths.getFirst();
        if (Files.size(file) > bytesMax) {
            throw new IOException("%s has more than %,d bytes".formatted(file, bytesMax));
        }
        return file;
    }

    private static List<Path> ending(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(each -> each.toString().endsWith(ending))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
    }

    /** Returns the size that the configuration of the model says; 0 if it says none. */
    private static long hiddenSize(Path directory) throws IOException {
        Path config = directory.resolve("config.json");
        if (!Files.isRegularFile(config) || Files.size(config) > CONFIG_BYTES_MAX) {
            return 0;
        }
        try {
            return JSON.readTree(Files.readAllBytes(config)).path("hidden_size").asLong(0);
        } catch (JacksonException e) {
            throw new IOException("%s: not JSON: %s".formatted(config, e.getOriginalMessage()), e);
        }
    }

    /**
     * Returns the id of an embedder with these files. Other files have another id.
     *
     * @throws IOException if they cannot be read
     */
    public String component() throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path each : List.of(model, tokenizer)) {
                byte[] buffer = new byte[BUFFER_BYTES];
                try (InputStream in = new DigestInputStream(Files.newInputStream(each), digest)) {
                    while (in.read(buffer) >= 0) {
                        // The stream adds what is read to the digest.
                    }
                }
            }
            return "model_" + HexFormat.of().formatHex(digest.digest(), 0, 4);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the embedder for {@code services.xml}, with its files in {@code models}. */
    public String element(String component) {
        var text = new StringBuilder();
        text.append(
                """
                <component id="%s" type="hugging-face-embedder">
                      <transformer-model path="models/%s.onnx"/>
                      <tokenizer-model path="models/%s.json"/>
                      <normalize>true</normalize>
                """
                        .formatted(component, component, component));
        if (!output.equals(TOKENS)) {
            text.append("      <transformer-output>")
                    .append(escaped(output))
                    .append("</transformer-output>\n");
        }
        if (!hasTokenTypes) {
            text.append("      <transformer-token-type-ids></transformer-token-type-ids>\n");
        }
        return text.append("    </component>").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
