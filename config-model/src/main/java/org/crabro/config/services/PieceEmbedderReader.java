package org.crabro.config.services;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.XmlElement;
import org.crabro.ranking.onnx.EmbedderSettings;
import org.crabro.ranking.onnx.SentencePieceSettings;
import org.crabro.ranking.onnx.SentencePieceSettings.Scoring;
import org.crabro.ranking.onnx.WordPieceSettings;

/**
 * Reads the embedders that are declared by a class of Vespa instead of a type. Their result is the
 * numbers of tokens. A config names their models, one for each language; here one model is used for
 * texts of all languages.
 */
final class PieceEmbedderReader {
    private static final String WORD_PIECE = "com.yahoo.language.wordpiece.WordPieceEmbedder";
    private static final String SENTENCE_PIECE =
            "com.yahoo.language.sentencepiece.SentencePieceEmbedder";
    private static final Set<String> CLASSES = Set.of(WORD_PIECE, SENTENCE_PIECE);
    private static final String GENERAL = "unknown";

    private final ModelReader models;

    PieceEmbedderReader(ModelReader models) {
        this.models = models;
    }

    /** Returns whether {@code name} is the class of such an embedder. */
    static boolean reads(String name) {
        return CLASSES.contains(name);
    }

    /** Returns the settings, or empty after a missing model was reported. */
    Optional<EmbedderSettings> settings(String name, XmlElement component) {
        return name.equals(WORD_PIECE)
                ? model(component, "language.wordpiece.word-piece").map(WordPieceSettings::new)
                : model(component, "language.sentencepiece.sentence-piece")
                        .map(path ->
                                new SentencePieceSettings(
                                        path,
                                        value(component, "scoring", "highestScore")
                                                        .equals("fewestSegments")
                                                ? Scoring.FEWEST_SEGMENTS
                                                : Scoring.HIGHEST_SCORE,
                                        value(component, "collapseUnknowns", "true")
                                                .equals("true")));
    }

    private Optional<Path> model(XmlElement component, String config) {
        List<XmlElement> items =
                component.children("config").stream()
                        .filter(each -> each.attribute("name").equals(Optional.of(config)))
                        .flatMap(each -> each.children("model").stream())
                        .flatMap(each -> each.children("item").stream())
                        .toList();
        List<XmlElement> general =
                items.size() < 2
                        ? items
                        : items.stream()
                                .filter(each -> value(each, "language").equals(GENERAL))
                                .toList();
        List<XmlElement> paths =
                general.stream().flatMap(each -> each.children("path").stream()).toList();
        if (paths.size() != 1) {
            component
                    .file()
                    .problem(
                            component,
                            "expected one model, for all languages: <config name=\"%s\"><model><item><language>unknown</language><path>models/…</path></item></model></config>"
                                    .formatted(config));
            return Optional.empty();
        }
        return models.named(paths.getFirst());
    }

    private static String value(XmlElement component, String name, String otherwise) {
        return component.children("config").stream()
                .flatMap(each -> each.children(name).stream())
                .map(XmlElement::text)
                .reduce(otherwise, (_, last) -> last);
    }

    private static String value(XmlElement item, String name) {
        return item.children(name).stream().findFirst().map(XmlElement::text).orElse(GENERAL);
    }
}
