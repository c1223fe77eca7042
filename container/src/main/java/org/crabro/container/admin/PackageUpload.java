package org.crabro.container.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.application.PackageArchive.Format;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Receives packages into files: memory does not depend on their size. */
final class PackageUpload {
    private static final int BUFFER_SIZE = 64 << 10;

    private static final Map<String, Format> FORMATS =
            Map.of(
                    "application/zip", Format.ZIP,
                    "application/x-gzip", Format.TAR_GZIP,
                    "application/gzip", Format.TAR_GZIP);

    private PackageUpload() {}

    /** Returns how a package of this content type is packed, if we know how to unpack it. */
    static Optional<Format> format(@Nullable String contentType) {
        return Optional.ofNullable(FORMATS.get(mediaType(contentType)));
    }

    /** Says which content types are known, and which was given. */
    static String unknownFormat(@Nullable String contentType) {
        String given = mediaType(contentType);
        return "expected Content-Type application/zip, application/x-gzip or application/gzip, but"
                + " found "
                + (given.isEmpty() ? "none" : "'" + given + "'");
    }

    /** Returns the content type without its parameters, empty where there is none. */
    static String mediaType(@Nullable String given) {
        return given == null ? "" : given.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    }

    /**
     * Writes the body of {@code request} into {@code file}.
     *
     * @return false where it is larger than {@code maxBytes}; the file holds a part of it then
     */
    static boolean receive(Request request, Path file, long maxBytes) throws IOException {
        if (request.getLength() > maxBytes) {
            return false;
        }
        byte[] buffer = new byte[BUFFER_SIZE];
        long received = 0;
        try (InputStream body = Content.Source.asInputStream(request);
                OutputStream out = Files.newOutputStream(file)) {
            for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                received += count;
                if (received > maxBytes) {
                    return false;
                }
                out.write(buffer, 0, count);
            }
        }
        return true;
    }
}
