package org.crabro.client.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.client.imports.Embedding;
import org.crabro.client.models.ModelDirectory;

/**
 * The embedder of a schema in the application package of an import: its component and files, and a
 * query profile.
 *
 * @param directory of the package
 * @param typeName the document type
 */
record ImportEmbedder(Path directory, String typeName, Embedding embedding) {
    private static final String SERVICES = "services.xml";
    private static final String CONTAINER_END = "</container>";

    /** Returns the name of the query profile of a type. */
    static String queryProfile(String typeName) {
        return "meaning_" + typeName;
    }

    private String profileFile() {
        return "search/query-profiles/" + queryProfile(typeName) + ".xml";
    }

    private List<String> modelFiles() {
        String name = "models/" + embedding.component();
        return List.of(name + ".onnx", name + ".json");
    }

    /**
     * Adds the embedder to the package, whose schema and services are written.
     *
     * @throws IOException if the services have not exactly one container
     */
    void write(ModelDirectory model) throws IOException {
        Files.createDirectories(directory.resolve("models"));
        List<Path> files = List.of(model.model(), model.tokenizer());
        for (int i = 0; i < files.size(); i++) {
            Path file = directory.resolve(modelFiles().get(i));
            if (!Files.exists(file)) {
                // Half a file would not be written again.
                Path part = file.resolveSibling(file.getFileName() + ".part");
                Files.copy(files.get(i), part, StandardCopyOption.REPLACE_EXISTING);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        Path services = directory.resolve(SERVICES);
        String before = Files.readString(services);
        String after = withComponent(before, model.element(embedding.component()));
        if (!after.equals(before)) {
            Files.writeString(services, after);
        }
        Path profile = directory.resolve(profileFile());
        Files.createDirectories(directory.resolve("search/query-profiles"));
        Files.writeString(profile, embedding.queryProfile(queryProfile(typeName), typeName));
    }

    /**
     * Adds what the package has of the embedder to an application, which keeps what it has itself.
     *
     * @param files of the application
     */
    void addTo(Map<String, byte[]> files) throws IOException {
        for (String name : modelFiles()) {
            addTo(files, name);
        }
        addTo(files, profileFile());
        Path own = directory.resolve(SERVICES);
        byte[] services = files.get(SERVICES);
        if (services == null || !Files.exists(own)) {
            return;
        }
        Matcher component = component().matcher(Files.readString(own));
        if (component.find()) {
            files.put(
                    SERVICES,
                    withComponent(new String(services, StandardCharsets.UTF_8), component.group())
                            .getBytes(StandardCharsets.UTF_8));
        }
    }

    private void addTo(Map<String, byte[]> files, String name) throws IOException {
        Path file = directory.resolve(name);
        if (!files.containsKey(name) && Files.exists(file)) {
            files.put(name, Files.readAllBytes(file));
        }
    }

    private Pattern component() {
        return Pattern.compile(
                "<component id=\"" + embedding.component() + "\".*?</component>", Pattern.DOTALL);
    }

    /** Returns services with an embedder in their only container. */
    private String withComponent(String services, String element) throws IOException {
        if (component().matcher(services).find()) {
            return services;
        }
        int end = services.indexOf(CONTAINER_END);
        if (end < 0 || services.indexOf(CONTAINER_END, end + 1) >= 0) {
            throw new IOException(
                    "services.xml has not exactly one <container> element, so the embedder %s cannot be added to it: add it to your package by hand:%n%s"
                            .formatted(embedding.component(), element));
        }
        return services.substring(0, end) + "  " + element + "\n  " + services.substring(end);
    }
}
