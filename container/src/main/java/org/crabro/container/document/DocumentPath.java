package org.crabro.container.document;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LocationKey;

/**
 * The target of a path under {@code /document/v1}.
 *
 * <pre>
 *   path := "/document/v1" [ "/" namespace "/" type "/" ( "group" | "number" | place ) ] { "/" }
 *   place := "docid"           [ "/" user ]
 *          | "group/" group    [ "/" user ]
 *          | "number/" number  [ "/" user ]
 *   user := segment { "/" segment }
 * </pre>
 *
 * <p>The path is split as it was sent; then each segment is decoded once, as forms are: {@code %XX}
 * is a byte of UTF-8 and {@code +} a blank.
 */
public sealed interface DocumentPath {
    /** The beginning of all paths. */
    String PREFIX = "/document/v1";

    /** All paths, for error messages. */
    List<String> TEMPLATES =
            List.of(
                    "/document/v1/",
                    "/document/v1/{namespace}/{documentType}/group/",
                    "/document/v1/{namespace}/{documentType}/number/",
                    "/document/v1/{namespace}/{documentType}/docid/",
                    "/document/v1/{namespace}/{documentType}/group/{group}/",
                    "/document/v1/{namespace}/{documentType}/number/{number}/",
                    "/document/v1/{namespace}/{documentType}/docid/{docid}",
                    "/document/v1/{namespace}/{documentType}/group/{group}/{docid}",
                    "/document/v1/{namespace}/{documentType}/number/{number}/{docid}");

    /** Returns the allowed methods, in the order of answers. */
    List<String> methods();

    /** Every document. */
    record Root() implements DocumentPath {
        @Override
        public List<String> methods() {
            return List.of("GET", "POST", "DELETE");
        }
    }

    /** The documents of a type, of a group or of a number. */
    record Range(String namespace, String documentType, LocationKey key) implements DocumentPath {
        @Override
        public List<String> methods() {
            return List.of("GET", "POST", "PUT", "DELETE");
        }
    }

    /**
     * The groups of a type.
     *
     * @param areNumbers whether the groups are numbers, not names
     */
    record Groups(String namespace, String documentType, boolean areNumbers)
            implements DocumentPath {
        @Override
        public List<String> methods() {
            return List.of("GET");
        }
    }

    /** One document. */
    record One(DocumentId id) implements DocumentPath {
        @Override
        public List<String> methods() {
            return List.of("GET", "POST", "PUT", "DELETE");
        }
    }

    /** Returns whether {@code rawPath} belongs to this API, valid or not. */
    static boolean isUnder(String rawPath) {
        return rawPath.equals(PREFIX) || rawPath.startsWith(PREFIX + "/");
    }

    /**
     * Returns the target of {@code rawPath}; empty if the API has no such path.
     *
     * @param rawPath as it was sent, without the query
     * @throws InvalidDocumentException if a segment is empty, cannot be decoded, or does not fit an
     *     id
     */
    static Optional<DocumentPath> parse(String rawPath) {
        int end = rawPath.length();
        while (rawPath.charAt(end - 1) == '/') {
            end--;
        }
        if (end <= PREFIX.length()) {
            return Optional.of(new Root());
        }
        List<String> segments = segments(rawPath.substring(PREFIX.length() + 1, end));
        if (segments.size() < 3) {
            return Optional.empty();
        }
        boolean plain = segments.get(2).equals("docid");
        int userStart = plain ? 3 : 4;
        if (segments.size() < userStart) {
            return groups(segments);
        }
        return key(segments)
                .map(key ->
                        segments.size() == userStart
                                ? range(segments, key)
                                : one(segments, key, userStart));
    }

    private static Optional<DocumentPath> groups(List<String> segments) {
        return switch (segments.get(2)) {
            case "group" -> Optional.of(new Groups(segments.get(0), segments.get(1), false));
            case "number" -> Optional.of(new Groups(segments.get(0), segments.get(1), true));
            default -> Optional.empty();
        };
    }

    private static Optional<LocationKey> key(List<String> segments) {
        return switch (segments.get(2)) {
            case "docid" -> Optional.of(new LocationKey.Plain());
            case "group" -> Optional.of(new LocationKey.Group(segments.get(3)));
            case "number" -> Optional.of(LocationKey.Numbered.parse(segments.get(3)));
            default -> Optional.empty();
        };
    }

    private static DocumentPath range(List<String> segments, LocationKey key) {
        return new Range(segments.get(0), segments.get(1), key);
    }

    private static DocumentPath one(List<String> segments, LocationKey key, int userStart) {
        String user = String.join("/", segments.subList(userStart, segments.size()));
        return new One(new DocumentId(segments.get(0), segments.get(1), key, user));
    }

    private static List<String> segments(String path) {
        var segments = new ArrayList<String>();
        for (String raw : path.split("/", -1)) {
            String segment = decoded(raw);
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw new InvalidDocumentException(
                        "a path segment may not be '"
                                + segment
                                + "'; a slash in an id is sent as %2F where it would make one");
            }
            segments.add(segment);
        }
        return segments;
    }

    private static String decoded(String raw) {
        byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
        int to = 0;
        for (int at = 0; at < bytes.length; at++) {
            byte b = bytes[at];
            if (b == '%') {
                b = escaped(bytes, at, raw);
                at += 2;
            } else if (b == '+') {
                b = ' ';
            }
            bytes[to++] = b;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Arrays.copyOf(bytes, to)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidDocumentException(
                    "the path segment '" + raw + "' does not decode to UTF-8", e);
        }
    }

    private static byte escaped(byte[] bytes, int at, String raw) {
        int high = at + 2 < bytes.length ? Character.digit(bytes[at + 1], 16) : -1;
        int low = at + 2 < bytes.length ? Character.digit(bytes[at + 2], 16) : -1;
        if (high < 0 || low < 0) {
            throw new InvalidDocumentException(
                    "the path segment '%s' has a '%%' that two hexadecimal digits do not follow"
                            .formatted(raw));
        }
        return (byte) (high << 4 | low);
    }
}
