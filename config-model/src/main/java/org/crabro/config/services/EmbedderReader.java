package org.crabro.config.services;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.config.application.XmlElement;
import org.crabro.ranking.onnx.ColbertSettings;
import org.crabro.ranking.onnx.EmbedderModel;
import org.crabro.ranking.onnx.ExecutionMode;
import org.crabro.ranking.onnx.HuggingFaceSettings;
import org.crabro.ranking.onnx.HuggingFaceSettings.Pooling;
import org.crabro.ranking.onnx.HuggingFaceSettings.SpecialTokens;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.ranking.onnx.SpladeSettings;
import org.crabro.ranking.onnx.TextLengths;
import org.crabro.ranking.onnx.TextPrefixes;
import org.crabro.ranking.onnx.TokenizerFile;
import org.crabro.ranking.onnx.TokenizerSettings;

/**
 * Reads an embedder, a component that computes tensors of texts with a model of the package. Its
 * form has been checked: values that cannot be read count as absent.
 */
final class EmbedderReader {
    private static final int DEFAULT_MAX_TOKENS = 512;
    private static final int DEFAULT_BERT_TOKENS = 384;

    /**
     * The limit for texts without a declared limit; the code that builds tensors limits them
     * further.
     */
    private static final int MAX_TOKENS = 1 << 20;

    private static final int DEFAULT_START = 101;
    private static final int DEFAULT_END = 102;

    /** Models of other kinds have {@link ModelSettings#of another default}. */
    private static final int DEFAULT_INTEROP_THREADS = 1;

    private final ModelReader models;

    EmbedderReader(ModelReader models) {
        this.models = models;
    }

    /** Returns the settings, or empty after a missing model was reported. */
    Optional<HuggingFaceSettings> settings(XmlElement component) {
        Optional<Path> model = model(component, "transformer-model");
        Optional<Path> tokenizer = model(component, "tokenizer-model");
        if (model.isEmpty() || tokenizer.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new HuggingFaceSettings(
                        embedderModel(
                                component,
                                model.get(),
                                tokenTypeIds(component),
                                "last_hidden_state"),
                        new TokenizerFile(
                                tokenizer.get(),
                                number(component, "max-tokens", DEFAULT_MAX_TOKENS)),
                        Optional.empty(),
                        pooling(component),
                        text(component, "normalize", "false").equals("true"),
                        prefixes(component)));
    }

    /**
     * Returns the settings of a {@code bert-embedder}, or empty after a missing model was reported.
     */
    Optional<HuggingFaceSettings> bert(XmlElement component) {
        Optional<Path> model = model(component, "transformer-model");
        Optional<Path> vocabulary = model(component, "tokenizer-vocab");
        if (model.isEmpty() || vocabulary.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new HuggingFaceSettings(
                        embedderModel(component, model.get(), tokenTypeIds(component), "output_0"),
                        new TokenizerFile(
                                vocabulary.get(),
                                number(component, "max-tokens", DEFAULT_BERT_TOKENS)),
                        Optional.of(
                                new SpecialTokens(
                                        number(
                                                component,
                                                "transformer-start-sequence-token",
                                                DEFAULT_START),
                                        number(
                                                component,
                                                "transformer-end-sequence-token",
                                                DEFAULT_END))),
                        pooling(component),
                        false,
                        new TextPrefixes("", "")));
    }

    /**
     * Returns the settings of a {@code colbert-embedder}, or empty after a missing model was
     * reported.
     */
    Optional<ColbertSettings> colbert(XmlElement component) {
        Optional<Path> model = model(component, "transformer-model");
        Optional<Path> tokenizer = model(component, "tokenizer-model");
        if (model.isEmpty() || tokenizer.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new ColbertSettings(
                        embedderModel(component, model.get(), "", "contextual"),
                        new TokenizerFile(
                                tokenizer.get(),
                                number(component, "max-tokens", DEFAULT_MAX_TOKENS)),
                        new TextLengths(
                                number(component, "max-query-tokens", 32),
                                number(component, "max-document-tokens", DEFAULT_MAX_TOKENS)),
                        new ColbertSettings.Tokens(
                                number(
                                        component,
                                        "transformer-start-sequence-token",
                                        DEFAULT_START),
                                number(component, "transformer-end-sequence-token", DEFAULT_END),
                                number(component, "transformer-mask-token", 103),
                                number(component, "query-token-id", 1),
                                number(component, "document-token-id", 2)),
                        !text(component, "attend-to-expansion-tokens", "true").equals("false"),
                        prefixes(component)));
    }

    /**
     * Returns the settings of a {@code splade-embedder}, or empty after a missing model was
     * reported.
     */
    Optional<SpladeSettings> splade(XmlElement component) {
        Optional<Path> model = model(component, "transformer-model");
        Optional<Path> tokenizer = model(component, "tokenizer-model");
        if (model.isEmpty() || tokenizer.isEmpty()) {
            return Optional.empty();
        }
        String threshold = text(component, "term-score-threshold", "0");
        return Optional.of(
                new SpladeSettings(
                        embedderModel(component, model.get(), tokenTypeIds(component), "logits"),
                        new TokenizerFile(
                                tokenizer.get(),
                                number(component, "max-tokens", DEFAULT_MAX_TOKENS)),
                        threshold.matches("[0-9]{1,7}(\\.[0-9]{1,9})?")
                                ? Double.parseDouble(threshold)
                                : 0,
                        prefixes(component)));
    }

    /**
     * Returns the settings of a {@code hugging-face-tokenizer}; empty if they are invalid, which is
     * reported. It does not know a text's language, so it can use only one of several models.
     */
    Optional<TokenizerSettings> tokenizer(XmlElement component) {
        List<XmlElement> all = component.children("model");
        List<XmlElement> general =
                all.stream().filter(each -> each.attribute("language").isEmpty()).toList();
        all.forEach(models::model);
        if (all.size() > 1 && general.size() != 1) {
            XmlElement second = all.get(1);
            second.file()
                    .problem(
                            second,
                            "texts of all languages are tokenized by one model: of several models exactly one must have no language");
            return Optional.empty();
        }
        return (general.isEmpty() ? all : general)
                .stream()
                        .findFirst()
                        .flatMap(models::model)
                        .map(path ->
                                new TokenizerSettings(
                                        path,
                                        !text(component, "special-tokens", "true").equals("false"),
                                        text(component, "truncation", "true").equals("false")
                                                ? MAX_TOKENS
                                                : number(component, "max-length", MAX_TOKENS)));
    }

    private Optional<Path> model(XmlElement component, String name) {
        return component.children(name).stream().findFirst().flatMap(models::model);
    }

    private static String text(XmlElement component, String name, String otherwise) {
        return component.children(name).stream()
                .findFirst()
                .map(XmlElement::text)
                .orElse(otherwise);
    }

    private static int number(XmlElement component, String name, int otherwise) {
        return number(component, name).orElse(otherwise);
    }

    private static EmbedderModel embedderModel(
            XmlElement component, Path file, String tokenTypeIds, String output) {
        GpuDevice.check(component, "onnx-gpu-device");
        ModelSettings settings =
                ModelSettings.of(
                        ExecutionMode.named(text(component, "onnx-execution-mode", "")),
                        number(component, "onnx-intraop-threads"),
                        number(component, "onnx-interop-threads"),
                        !text(component, "onnx-optimize-model", "true").equals("false"));
        return new EmbedderModel(
                file,
                text(component, "transformer-input-ids", "input_ids"),
                text(component, "transformer-attention-mask", "attention_mask"),
                tokenTypeIds,
                text(component, "transformer-output", output),
                settings.withInterOpThreads(
                        number(component, "onnx-interop-threads", DEFAULT_INTEROP_THREADS)));
    }

    private static OptionalInt number(XmlElement component, String name) {
        String text = text(component, name, "");
        return text.matches("-?[0-9]{1,8}")
                ? OptionalInt.of(Integer.parseInt(text))
                : OptionalInt.empty();
    }

    private static String tokenTypeIds(XmlElement component) {
        return text(component, "transformer-token-type-ids", "token_type_ids");
    }

    private static TextPrefixes prefixes(XmlElement component) {
        return new TextPrefixes(prepend(component, "query"), prepend(component, "document"));
    }

    private static Pooling pooling(XmlElement component) {
        String text = text(component, "pooling-strategy", "");
        for (Pooling pooling : Pooling.values()) {
            if (pooling.name().toLowerCase(Locale.ROOT).equals(text)) {
                return pooling;
            }
        }
        return Pooling.MEAN;
    }

    /** Returns the text before texts of a purpose; empty if none is declared. */
    static String prepend(XmlElement component, String purpose) {
        for (XmlElement prepend : component.children("prepend")) {
            for (XmlElement text : prepend.children(purpose)) {
                // A prefix ends in a blank as a rule, which XML files write and we must not lose.
                return text.text().isEmpty() ? "" : text.text() + " ";
            }
        }
        return "";
    }
}
