package org.crabro.config.services;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.services.ServiceEmbedderSettings.Service;
import org.crabro.ranking.onnx.EmbedderSettings;

/** Reads the components of a container cluster. */
final class ComponentReader {
    private static final Outline OUTLINE = Outline.read("components.outline");

    /** Libraries that cut text into words, which is done here by one of our own. */
    private static final Set<String> LINGUISTICS =
            Set.of(
                    "com.yahoo.language.lucene.LuceneLinguistics",
                    "com.yahoo.language.opennlp.OpenNlpLinguistics",
                    "com.yahoo.language.simple.SimpleLinguistics");

    /** The services of component types. */
    private static final Map<String, Service> SERVICES =
            Map.of(
                    "openai-embedder",
                    Service.OPENAI,
                    "mistral-embedder",
                    Service.MISTRAL,
                    "voyage-ai-embedder",
                    Service.VOYAGE);

    private final ModelReader models;
    private final Findings findings;

    ComponentReader(ApplicationFiles files, Findings findings) {
        this.models = new ModelReader(files, findings);
        this.findings = findings;
    }

    /** Returns the types that a component may have. */
    private static Set<String> types() {
        var types = new TreeSet<>(OUTLINE.names());
        types.removeIf(name -> name.startsWith("&"));
        return types;
    }

    /**
     * Returns the embedders of a cluster.
     *
     * @param own gets the components that have no type
     */
    List<EmbedderComponent> embedders(XmlElement container, Consumer<XmlElement> own) {
        var components = new ArrayList<>(container.children("component"));
        for (XmlElement group : container.children("components")) {
            components.addAll(group.children("component"));
        }
        var embedders = new ArrayList<EmbedderComponent>();
        Map<String, XmlElement> ids = new HashMap<>();
        for (XmlElement component : components) {
            Optional<String> id = component.attribute("id").filter(text -> !text.isEmpty());
            if (id.isEmpty()) {
                problem(component, "component needs an id");
                continue;
            }
            XmlElement first = ids.putIfAbsent(id.get(), component);
            if (first != null) {
                component
                        .file()
                        .problem(
                                component,
                                "id",
                                "component '%s' is declared twice; the first is at %s"
                                        .formatted(id.get(), component.file().seen(first)));
            } else {
                embedder(component, id.get(), own).ifPresent(embedders::add);
            }
        }
        return embedders;
    }

    private Optional<EmbedderComponent> embedder(
            XmlElement component, String id, Consumer<XmlElement> own) {
        Optional<String> type = component.attribute("type");
        if (type.isEmpty()) {
            String name = component.attribute("class").orElse(id);
            if (PieceEmbedderReader.reads(name)) {
                return new PieceEmbedderReader(models)
                        .settings(name, component)
                        .map(each -> new EmbedderComponent(id, new EmbedderSource.OfModel(each)));
            }
            untyped(component, name, own);
            return Optional.empty();
        }
        Set<String> types = types();
        if (!types.contains(type.get())) {
            component
                    .file()
                    .problem(
                            component,
                            "type",
                            "unknown component type '%s'; expected one of %s%s"
                                    .formatted(
                                            type.get(),
                                            String.join(", ", types),
                                            NearestName.hint(type.get(), types)));
            return Optional.empty();
        }
        OUTLINE.check(type.get(), component, findings);
        Optional<Service> service = Optional.ofNullable(SERVICES.get(type.get()));
        if (service.isPresent()) {
            return ServiceEmbedderReader.settings(component, service.get())
                    .map(settings ->
                            new EmbedderComponent(id, new EmbedderSource.OfService(settings)));
        }
        var reader = new EmbedderReader(models);
        Optional<? extends EmbedderSettings> settings =
                switch (type.get()) {
                    case "hugging-face-embedder" -> reader.settings(component);
                    case "bert-embedder" -> reader.bert(component);
                    case "colbert-embedder" -> reader.colbert(component);
                    case "splade-embedder" -> reader.splade(component);
                    case "hugging-face-tokenizer" -> reader.tokenizer(component);
                    default ->
                            throw new IllegalStateException(
                                    "components of type " + type.get() + " are not read");
                };
        return settings.map(each -> new EmbedderComponent(id, new EmbedderSource.OfModel(each)));
    }

    private void untyped(XmlElement component, String name, Consumer<XmlElement> own) {
        if (LINGUISTICS.contains(name)) {
            findings.warn(
                    "%s: %s is left out: text is cut into words by Crabro's own tokenizer"
                            .formatted(component.file().place(component), name));
        } else {
            own.accept(component);
        }
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
