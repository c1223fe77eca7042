package org.crabro.container.admin;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.application.PackageArchive.Format;
import org.jspecify.annotations.Nullable;

/** The archive formats of uploads. */
final class PackageUpload {
    private static final Map<String, Format> FORMATS =
            Map.of(
                    "application/zip", Format.ZIP,
                    "application/x-gzip", Format.TAR_GZIP,
                    "application/gzip", Format.TAR_GZIP);

    private PackageUpload() {}

    /** Returns the archive format of a content type; empty if it is unknown. */
    static Optional<Format> format(@Nullable String contentType) {
        return Optional.ofNullable(FORMATS.get(mediaType(contentType)));
    }

    /** Returns the error of an unknown content type, which names the known ones. */
    static String unknownFormat(@Nullable String contentType) {
        String given = mediaType(contentType);
        return "expected Content-Type application/zip, application/x-gzip or application/gzip, but"
                + " found "
                + (given.isEmpty() ? "none" : "'" + given + "'");
    }

    /** Returns the content type without its parameters, empty if there is none. */
    static String mediaType(@Nullable String given) {
        return given == null ? "" : given.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    }
}
