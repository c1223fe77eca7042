package org.crabro.config.services;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.ElementRules;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;
import org.crabro.ranking.onnx.HuggingFaceSettings;
import org.crabro.ranking.onnx.HuggingFaceSettings.Pooling;

/** Reads a component of type {@code hugging-face-embedder}. */
final class EmbedderReader {
    private static final int DEFAULT_MAX_TOKENS = 512;
    private static final int MAX_TOKENS_LIMIT = 1 << 20;
    private static final int THREADS_LIMIT = 1_024;

    private final XmlText xml;
    private final ApplicationFiles files;
    private final Findings findings;

    EmbedderReader(XmlText xml, ApplicationFiles files, Findings findings) {
        this.xml = xml;
        this.files = files;
        this.findings = findings;
    }

    /** Returns the settings, or nothing after it was reported that a model is missing. */
    Optional<HuggingFaceSettings> settings(XmlElement component) {
        new ElementRules("id", "type", "class", "bundle")
                .reads(
                        "transformer-model",
                        "tokenizer-model",
                        "max-tokens",
                        "transformer-input-ids",
                        "transformer-attention-mask",
                        "transformer-token-type-ids",
                        "transformer-output",
                        "pooling-strategy",
                        "normalize",
                        "prepend",
                        "onnx-intraop-threads")
                .ignores(
                        "batching",
                        "concurrency",
                        "onnx-execution-mode",
                        "onnx-gpu-device",
                        "onnx-interop-threads",
                        "onnx-optimize-model")
                .leavesOut("config", "model-config-override")
                .check(component, xml, findings);
        Optional<Path> model = model(component, "transformer-model");
        Optional<Path> tokenizer = model(component, "tokenizer-model");
        if (model.isEmpty() || tokenizer.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new HuggingFaceSettings(
                        model.get(),
                        tokenizer.get(),
                        number(component, "max-tokens", DEFAULT_MAX_TOKENS, 1, MAX_TOKENS_LIMIT),
                        text(component, "transformer-input-ids", "input_ids"),
                        text(component, "transformer-attention-mask", "attention_mask"),
                        text(component, "transformer-token-type-ids", "token_type_ids"),
                        text(component, "transformer-output", "last_hidden_state"),
                        pooling(component),
                        normalize(component),
                        prepend(component, "query"),
                        prepend(component, "document"),
                        number(
                                component,
                                "onnx-intraop-threads",
                                0,
                                -THREADS_LIMIT,
                                THREADS_LIMIT)));
    }

    private Optional<Path> model(XmlElement component, String name) {
        Optional<XmlElement> found = component.children(name).stream().findFirst();
        if (found.isEmpty()) {
            xml.problem(
                    component,
                    "%s needs %s, as in <%s path=\"models/...\"/>"
                            .formatted(id(component), name, name));
            return Optional.empty();
        }
        XmlElement element = found.get();
        new ElementRules("path", "url", "model-id", "secret-ref").check(element, xml, findings);
        Optional<String> path = element.attribute("path");
        if (path.isPresent()) {
            element.attribute("url")
                    .ifPresent(_ ->
                            findings.inform(
                                    xml.place(element)
                                            + ": url is not built yet; the file at path is"
                                            + " taken"));
            return file(element, path.get());
        }
        if (element.attribute("url").isPresent()) {
            xml.problem(
                    element,
                    "url",
                    "a model by url is not built yet: put the file into the package and name it"
                            + " with path");
        } else if (element.attribute("model-id").isPresent()) {
            xml.problem(
                    element,
                    "model-id",
                    "model-id names a model of a cloud; name a file of the package with path");
        } else {
            xml.problem(element, name + " needs path, the file's place in the package");
        }
        return Optional.empty();
    }

    private Optional<Path> file(XmlElement element, String path) {
        Optional<Path> location = files.location(path);
        if (location.isEmpty()) {
            xml.problem(
                    element,
                    "path",
                    "the package has no file %s%s"
                            .formatted(path, NearestName.hint(path, files.paths())));
        }
        return location;
    }

    private static String id(XmlElement component) {
        return "component '" + component.attribute("id").orElse("") + "'";
    }

    private static String text(XmlElement component, String name, String otherwise) {
        return component.children(name).stream()
                .findFirst()
                .map(XmlElement::text)
                .orElse(otherwise);
    }

    private int number(XmlElement component, String name, int otherwise, int low, int high) {
        Optional<XmlElement> found = component.children(name).stream().findFirst();
        if (found.isEmpty()) {
            return otherwise;
        }
        String text = found.get().text();
        int value = text.matches("-?[0-9]{1,8}") ? Integer.parseInt(text) : high + 1;
        if (value < low || value > high) {
            xml.problem(
                    found.get(),
                    "expected a number from %d to %d, but found '%s'".formatted(low, high, text));
            return otherwise;
        }
        return value;
    }

    private Pooling pooling(XmlElement component) {
        Optional<XmlElement> found = component.children("pooling-strategy").stream().findFirst();
        if (found.isEmpty()) {
            return Pooling.MEAN;
        }
        String text = found.get().text();
        for (Pooling pooling : Pooling.values()) {
            if (pooling.name().toLowerCase(Locale.ROOT).equals(text)) {
                return pooling;
            }
        }
        xml.problem(found.get(), "expected mean, cls or none, but found '" + text + "'");
        return Pooling.MEAN;
    }

    private boolean normalize(XmlElement component) {
        Optional<XmlElement> found = component.children("normalize").stream().findFirst();
        if (found.isPresent() && !Set.of("true", "false").contains(found.get().text())) {
            xml.problem(
                    found.get(), "expected true or false, but found '" + found.get().text() + "'");
        }
        return found.isPresent() && found.get().text().equals("true");
    }

    private String prepend(XmlElement component, String purpose) {
        for (XmlElement prepend : component.children("prepend")) {
            new ElementRules().reads("query", "document").check(prepend, xml, findings);
            for (XmlElement text : prepend.children(purpose)) {
                // A prefix ends in a blank as a rule, which XML files write and we must not lose.
                return text.text().isEmpty() ? "" : text.text() + " ";
            }
        }
        return "";
    }
}
