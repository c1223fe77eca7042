package org.crabro.container.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The static files of the console, in memory. A browser asks for each again by its ETag. */
final class ConsoleFiles {
    /** All files. No other name is read from the resources. */
    static final List<String> NAMES =
            List.of(
                    "index.html",
                    "console.css",
                    "console.js",
                    "dom.js",
                    "server.js",
                    "theme.js",
                    "search.js",
                    "words.js",
                    "groups.js",
                    "facets.js",
                    "dates.js",
                    "hits.js",
                    "overview.js",
                    "schemas.js",
                    "documents.js",
                    "query.js",
                    "metrics.js",
                    "applications.js",
                    "logs.js",
                    "uPlot.iife.min.js",
                    "uPlot.min.css",
                    "uPlot.LICENSE.txt",
                    "icon.svg");

    /** The suffix of an ETag whose content was compressed on the way. */
    private static final String COMPRESSED = "--gzip";

    private final Map<String, StaticFile> files;

    private ConsoleFiles(Map<String, StaticFile> files) {
        this.files = files;
    }

    private record StaticFile(String type, String tag, ByteBuffer content) {}

    /** Reads all files. */
    static ConsoleFiles ofResources() {
        return new ConsoleFiles(
                NAMES.stream()
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        Function.identity(), ConsoleFiles::read)));
    }

    private static StaticFile read(String name) {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the file " + name + " of the console is missing");
            }
            byte[] content = in.readAllBytes();
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return new StaticFile(
                    type(name),
                    '"' + HexFormat.of().formatHex(hash, 0, 16) + '"',
                    ByteBuffer.wrap(content).asReadOnlyBuffer());
        } catch (IOException e) {
            throw new UncheckedIOException("the file " + name + " of the console", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.'))) {
            case ".html" -> "text/html; charset=UTF-8";
            case ".css" -> "text/css; charset=UTF-8";
            case ".js" -> "text/javascript; charset=UTF-8";
            case ".svg" -> "image/svg+xml";
            default -> "text/plain; charset=UTF-8";
        };
    }

    /**
     * Answers with a file.
     *
     * @param name below {@code /console/}; empty for the page itself
     * @return false if there is no such file; nothing was sent then
     */
    boolean send(String name, Request request, Response response, Callback callback) {
        Optional<StaticFile> match =
                Optional.ofNullable(files.get(name.isEmpty() ? "index.html" : name));
        if (match.isEmpty()) {
            return false;
        }
        StaticFile file = match.get();
        var headers = response.getHeaders();
        headers.put(HttpHeader.ETAG, file.tag());
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache");
        if (isSame(request, file.tag())) {
            response.setStatus(HttpStatus.NOT_MODIFIED_304);
            response.write(true, ByteBuffer.allocate(0), callback);
            return true;
        }
        response.setStatus(HttpStatus.OK_200);
        headers.put(HttpHeader.CONTENT_TYPE, file.type());
        headers.put(HttpHeader.CONTENT_LENGTH, file.content().capacity());
        ByteBuffer content =
                HttpMethod.HEAD.is(request.getMethod())
                        ? ByteBuffer.allocate(0)
                        : file.content().duplicate();
        response.write(true, content, callback);
        return true;
    }

    private static boolean isSame(Request request, String tag) {
        return request.getHeaders().getValuesList(HttpHeader.IF_NONE_MATCH).stream()
                .flatMap(header -> Arrays.stream(header.split(",", -1)))
                .map(String::strip)
                .map(given -> given.startsWith("W/") ? given.substring(2) : given)
                .map(given -> given.replace(COMPRESSED, ""))
                .anyMatch(given -> given.equals("*") || given.equals(tag));
    }
}
