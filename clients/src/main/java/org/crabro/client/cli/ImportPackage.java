package org.crabro.client.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.crabro.client.deploy.ApplicationZip;
import org.crabro.client.deploy.StampedSchema;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.imports.Embedding;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The application package of an import: one document type, next to those that are deployed. */
final class ImportPackage {
    private static final URI CONTENT =
            URI.create(
                    "/application/v2/tenant/default/application/default/environment/prod"
                            + "/region/default/instance/default/content/");
    private static final String SERVICES = "services.xml";
    private static final String CONTAINER_END = "</container>";

    private static final String TOOLS =
            """
            <!-- Tools for language models: 'crabro mcp' connects an assistant to them. -->
            <handler id="ai.vespa.mcp.McpJdiscHandler" bundle="mcp-server">
              <binding>http://*/mcp/*</binding>
              <binding>http://*/mcp</binding>
            </handler>
            """;

    private static final String DOCUMENTS_END = "</documents>";
    private static final JsonMapper JSON = new JsonMapper();

    private ImportPackage() {}

    /** Writes a package that can be changed and deployed alone. */
    static void write(Path directory, String typeName, StampedSchema schema) throws IOException {
        Path file = file(directory, typeName);
        Files.createDirectories(directory.resolve("schemas"));
        Files.writeString(file, schema.text());
        Path services = directory.resolve(SERVICES);
        if (Files.exists(services)) {
            return;
        }
        Files.writeString(
                services,
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <services version="1.0">
                  <container id="default" version="1.0">
                    <search/>
                    <document-api/>
                %s  </container>
                  <content id="imports" version="1.0">
                    <min-redundancy>1</min-redundancy>
                    <documents>
                      %s
                    </documents>
                  </content>
                </services>
                """
                        .formatted(TOOLS.indent(4), document(typeName)));
    }

    /**
     * Adds the tools for language models to the services of an import that did not bind them.
     *
     * @return whether they were added; not to services that no import has made
     */
    static boolean addTools(Path directory) throws IOException {
        Path services = directory.resolve(SERVICES);
        if (!Files.exists(services)) {
            return false;
        }
        Optional<String> changed = withTools(Files.readString(services));
        if (changed.isPresent()) {
            Files.writeString(services, changed.get());
        }
        return changed.isPresent();
    }

    /** Does the same with the files of an application. */
    static boolean addTools(Map<String, byte[]> files) {
        Optional<byte[]> changed =
                Optional.ofNullable(files.get(SERVICES))
                        .flatMap(bytes -> withTools(new String(bytes, StandardCharsets.UTF_8)))
                        .map(text -> text.getBytes(StandardCharsets.UTF_8));
        changed.ifPresent(bytes -> files.put(SERVICES, bytes));
        return changed.isPresent();
    }

    /** Returns services with the tools; empty if they have them, or no import has made them. */
    static Optional<String> withTools(String services) {
        int end = services.indexOf(CONTAINER_END);
        boolean isOfImport =
                services.contains("<content id=\"imports\"")
                        && end >= 0
                        && services.indexOf(CONTAINER_END, end + 1) < 0;
        return isOfImport && !services.contains("/mcp") && !services.contains("McpJdiscHandler")
                ? Optional.of(
                        services.substring(0, end).stripTrailing()
                                + "\n"
                                + TOOLS.indent(4)
                                + "  "
                                + services.substring(end))
                : Optional.empty();
    }

    /** Returns the place of the schema in a package. */
    static Path file(Path directory, String typeName) {
        return directory.resolve("schemas").resolve(typeName + ".sd");
    }

    /** Returns the schema in a package; empty if there is none. */
    static Optional<StampedSchema> schema(Path directory, String typeName) throws IOException {
        Path file = file(directory, typeName);
        return Files.exists(file)
                ? Optional.of(new StampedSchema(Files.readString(file)))
                : Optional.empty();
    }

    /**
     * Returns the schema of a deployed application; empty if it has none of the type.
     *
     * @param files of the application
     */
    static Optional<StampedSchema> schema(Map<String, byte[]> files, String typeName) {
        return Optional.ofNullable(files.get(name(typeName)))
                .map(bytes -> new StampedSchema(new String(bytes, StandardCharsets.UTF_8)));
    }

    private static String name(String typeName) {
        return "schemas/" + typeName + ".sd";
    }

    private static String document(String typeName) {
        return "<document type=\"%s\" mode=\"streaming\"/>".formatted(typeName);
    }

    /**
     * Returns a zip of the deployed application with a schema added to it, or of a package if
     * nothing is deployed.
     *
     * @param deployed the files of the application; none if there is none
     * @param directory the package, as {@link #write} writes it
     * @throws IOException if the type cannot be added to the deployed application
     */
    static byte[] zip(
            Map<String, byte[]> deployed, Path directory, String typeName, StampedSchema schema)
            throws IOException {
        Map<String, byte[]> files = new TreeMap<>(deployed);
        byte[] services = files.get(SERVICES);
        if (services == null) {
            files.putAll(unpacked(ApplicationZip.of(directory)));
        } else {
            files.put(
                    SERVICES,
                    withType(new String(services, StandardCharsets.UTF_8), typeName)
                            .getBytes(StandardCharsets.UTF_8));
        }
        files.put(name(typeName), schema.text().getBytes(StandardCharsets.UTF_8));
        Optional<Embedding> embedding = Embedding.in(schema.text());
        if (embedding.isPresent()) {
            new ImportEmbedder(directory, typeName, embedding.get()).addTo(files);
        }
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static Map<String, byte[]> unpacked(byte[] zip) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (var in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                files.put(entry.getName(), in.readAllBytes());
            }
        }
        return files;
    }

    /** Returns services with a document type in their only content cluster. */
    static String withType(String services, String typeName) throws IOException {
        if (services.matches("(?s).*<document [^>]*type=[\"']" + typeName + "[\"'].*")) {
            return services;
        }
        int end = services.indexOf(DOCUMENTS_END);
        if (end < 0 || services.indexOf(DOCUMENTS_END, end + 1) >= 0) {
            throw new IOException(
                    "the deployed application has not exactly one <documents> element, so the type "
                            + typeName
                            + " cannot be added to it: add it to your package, deploy that, and"
                            + " feed with 'crabro import --no-deploy'");
        }
        return services.substring(0, end)
                + "  "
                + document(typeName)
                + "\n    "
                + services.substring(end);
    }

    /** Returns the files of the active application; none if there is no application. */
    static Map<String, byte[]> deployed(ServerCalls calls, ServerAccess config)
            throws IOException, InterruptedException {
        Map<String, byte[]> files = new TreeMap<>();
        Deque<URI> folders = new ArrayDeque<>();
        URI root = config.address().resolve(CONTENT);
        folders.add(root);
        while (!folders.isEmpty()) {
            URI folder = folders.removeFirst();
            HttpResponse<String> listing = calls.exchange(config.request(folder).GET());
            if (listing.statusCode() == 404 && folder.equals(root)) {
                return files;
            }
            if (listing.statusCode() != 200) {
                throw ServerRefusalException.of(listing);
            }
            for (JsonNode each : JSON.readTree(listing.body())) {
                // The server may know itself by another name: only the path counts.
                URI place = config.address().resolve(URI.create(each.asString()).getRawPath());
                if (place.getPath().endsWith("/")) {
                    folders.addLast(place);
                } else {
                    files.put(
                            place.getPath().substring(root.getPath().length()),
                            calls.bytes(config.request(place).GET()));
                }
            }
        }
        return files;
    }
}
