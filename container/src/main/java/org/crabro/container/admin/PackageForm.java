package org.crabro.container.admin;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.StreamSupport;
import org.crabro.config.application.PackageArchive.Format;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.http.MultiPartConfig;
import org.eclipse.jetty.http.MultiPartFormData;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Receives packages in a multipart form: one part is the package, another contains the parameters
 * of the request as JSON.
 */
final class PackageForm {
    static final String MEDIA_TYPE = "multipart/form-data";

    private static final String PACKAGE = "applicationPackage";
    private static final String PARAMETERS = "prepareParams";
    private static final int PARTS_MAX = 10;

    /** Larger parts are written to disk; parameters are small. */
    private static final int MEMORY_PART_MAX = 64 << 10;

    private static final ByteBufferPool.Sized BUFFERS =
            new ByteBufferPool.Sized(ByteBufferPool.NON_POOLING, false, MEMORY_PART_MAX);

    private PackageForm() {}

    /** The result of reading. */
    sealed interface Received {
        /**
         * A package.
         *
         * @param parameters of the form
         */
        record Whole(Format format, Fields parameters) implements Received {}

        /** The form is invalid. */
        record Wrong(String problem) implements Received {}

        /** The form is too large. */
        record TooLarge() implements Received {}
    }

    /**
     * Writes the package in the body of {@code request} to {@code file}.
     *
     * @param upload a directory, for the parts of the form
     */
    static Received receive(Request request, Uploads.Upload upload, Path file, long maxBytes)
            throws IOException {
        String type = String.valueOf(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
        if (MultiPart.extractBoundary(type) == null) {
            return new Received.Wrong("expected a boundary in the Content-Type of the form");
        }
        Path directory = upload.path();
        Path form = directory.resolve("form");
        if (!upload.receive(request, form, maxBytes)) {
            return new Received.TooLarge();
        }
        MultiPartConfig config =
                new MultiPartConfig.Builder()
                        .location(directory)
                        .maxParts(PARTS_MAX)
                        .maxSize(maxBytes)
                        .maxPartSize(maxBytes)
                        .maxMemoryPartSize(MEMORY_PART_MAX)
                        .useFilesForPartsWithoutFileName(true)
                        .build();
        try (InputStream content = Files.newInputStream(form);
                var parts =
                        MultiPartFormData.getParts(
                                Content.Source.from(BUFFERS, content), request, type, config)) {
            return received(parts, file);
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException disk && !(disk instanceof EOFException)) {
                throw disk;
            }
            return new Received.Wrong("the form is broken: " + reason(e));
        }
    }

    private static String reason(CompletionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage());
    }

    private static Received received(MultiPartFormData.Parts parts, Path file) throws IOException {
        Optional<MultiPart.Part> archive = first(parts, PACKAGE);
        if (archive.isEmpty()) {
            return new Received.Wrong("expected a part " + PACKAGE + " in the form");
        }
        String type = archive.get().getHeaders().get(HttpHeader.CONTENT_TYPE);
        Optional<Format> format = PackageUpload.format(type);
        if (format.isEmpty()) {
            return new Received.Wrong(PACKAGE + ": " + PackageUpload.unknownFormat(type));
        }
        Optional<MultiPart.Part> given = first(parts, PARAMETERS);
        var parameters = new Fields(true);
        if (given.isPresent()) {
            if (given.get().getLength() > MEMORY_PART_MAX) {
                return new Received.Wrong(
                        "%s: larger than the limit of %,d bytes"
                                .formatted(PARAMETERS, MEMORY_PART_MAX));
            }
            try {
                if (!read(
                        Content.Source.asInputStream(given.get().getContentSource()), parameters)) {
                    return new Received.Wrong(PARAMETERS + ": expected a JSON object");
                }
            } catch (JacksonException e) {
                return new Received.Wrong(
                        PARAMETERS + ": expected a JSON object: " + e.getOriginalMessage());
            }
        }
        archive.get().writeTo(file);
        return new Received.Whole(format.get(), parameters);
    }

    /** Returns the first part with this name. A part may have no name at all. */
    private static Optional<MultiPart.Part> first(MultiPartFormData.Parts parts, String name) {
        return StreamSupport.stream(parts.spliterator(), false)
                .filter(part -> name.equals(part.getName()))
                .findFirst();
    }

    /**
     * Reads the members of a JSON object, except objects and arrays.
     *
     * @return false if it is not an object
     */
    private static boolean read(InputStream json, Fields parameters) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                if (parser.nextToken().isScalarValue()) {
                    parameters.put(name, parser.getString());
                } else {
                    parser.skipChildren();
                }
            }
            return true;
        }
    }
}
