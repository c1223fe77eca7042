package org.crabro.client.cli;

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
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.crabro.client.deploy.ApplicationZip;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.imports.GuessedSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The application package of an import: one document type, next to those that are deployed. */
final class ImportPackage {
    private static final URI CONTENT =
            URI.create(
                    "/application/v2/tenant/default/application/default/environment/prod"
                            + "/region/default/instance/default/content/");
    private static final String SERVICES = "services.xml";
    private static final String DOCUMENTS_END = "</documents>";
    private static final JsonMapper JSON = new JsonMapper();

    private ImportPackage() {}

    /** Writes a package that can be changed and deployed alone. */
    static void write(Path directory, GuessedSchema schema) throws IOException {
        Files.createDirectories(directory.resolve("schemas"));
        Files.writeString(
                directory.resolve("schemas").resolve(schema.typeName() + ".sd"), schema.text());
        Files.writeString(
                directory.resolve(SERVICES),
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <services version="1.0">
                  <container id="default" version="1.0">
                    <search/>
                    <document-api/>
                  </container>
                  <content id="imports" version="1.0">
                    <min-redundancy>1</min-redundancy>
                    <documents>
                      %s
                    </documents>
                  </content>
                </services>
                """
                        .formatted(document(schema.typeName())));
    }

    private static String document(String typeName) {
        return "<document type=\"%s\" mode=\"streaming\"/>".formatted(typeName);
    }

    /**
     * Returns a zip of the deployed application with the schema of a package added to it, or of the
     * package alone if nothing is deployed.
     *
     * @param directory the package, as {@link #write} writes it
     * @throws IOException if the type cannot be added to the deployed application
     */
    static byte[] zip(ServerCalls calls, ServerAccess config, Path directory, String typeName)
            throws IOException, InterruptedException {
        Map<String, byte[]> files = deployed(calls, config);
        byte[] services = files.get(SERVICES);
        if (services == null) {
            return ApplicationZip.of(directory);
        }
        String schema = "schemas/" + typeName + ".sd";
        files.put(schema, Files.readAllBytes(directory.resolve(schema)));
        files.put(
                SERVICES,
                withType(new String(services, StandardCharsets.UTF_8), typeName)
                        .getBytes(StandardCharsets.UTF_8));
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
    private static Map<String, byte[]> deployed(ServerCalls calls, ServerAccess config)
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
