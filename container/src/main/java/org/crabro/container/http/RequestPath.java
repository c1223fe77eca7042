package org.crabro.container.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/**
 * The path of a request in the one form that permissions, bindings and handlers are chosen by. A
 * path that another program could read as a different path has no such form.
 *
 * <pre>
 *   path      := { "/" segment } [ "/" ] | prefix "/document/v1" [ ids ]
 *   prefix    := { "/" segment }
 *   ids       := { "/" id } { "/" }
 * </pre>
 *
 * <p>Segments and ids are decoded once. Neither is empty, {@code .} or {@code ..}, and both are
 * UTF-8 without NUL. A segment contains no slash, backslash, {@code ;} or control character, also
 * not if it is decoded again. An id is opaque: it can contain all of these, because ids of
 * documents do.
 *
 * <p>Dots as a whole id are rejected, like by the reference. So no prefix of a path is left by what
 * follows it, for every decoder.
 */
public final class RequestPath {
    private static final String ATTRIBUTE = RequestPath.class.getName();
    private static final String DOCUMENTS = "/document/v1";

    /** Decoding a segment often enough removes all percent signs; more is no name of a file. */
    private static final int DECODINGS_MAX = 8;

    private final String raw;
    private final String text;
    private final Optional<Documents> documents;
    private final Optional<String> opaque;

    /**
     * The part of a path that names documents.
     *
     * @param root the decoded path before it; empty or with a slash at its beginning
     * @param path from {@code /document/v1} on, as it was sent
     */
    public record Documents(String root, String path) {}

    /**
     * @param opaque why the path is one of documents only; empty if it is none, or needs no rule of
     *     its own
     */
    private RequestPath(
            String raw, String text, Optional<Documents> documents, Optional<String> opaque) {
        this.raw = raw;
        this.text = text;
        this.documents = documents;
        this.opaque = opaque;
    }

    /**
     * Returns the path of a request.
     *
     * @throws NotCanonicalException if it is not canonical; a listener has rejected such requests
     *     before
     */
    public static RequestPath of(Request request) {
        String raw = Optional.ofNullable(request.getHttpURI().getPath()).orElse("");
        if (request.getAttribute(ATTRIBUTE) instanceof RequestPath parsed
                && parsed.raw.equals(raw)) {
            return parsed;
        }
        return parse(raw);
    }

    /** Keeps this for later calls of {@link #of}. */
    void keepIn(Request request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /**
     * Parses a path.
     *
     * @param raw as it was sent, without the query
     * @throws NotCanonicalException if it is not canonical; the message says why
     */
    public static RequestPath parse(String raw) {
        if (!raw.startsWith("/")) {
            throw new NotCanonicalException("the path must begin with a slash");
        }
        if (isPlain(raw)) {
            return new RequestPath(raw, raw, documents(raw), Optional.empty());
        }
        return new Parse(raw).path();
    }

    /** Returns whether a path has no character and no pair of characters that need a look. */
    private static boolean isPlain(String raw) {
        char before = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            boolean isPlain = isWord(c) || ((c == '/' || c == '.') && before != '/');
            if (!isPlain) {
                return false;
            }
            before = c;
        }
        return true;
    }

    private static boolean isWord(char c) {
        return c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_');
    }

    private static Optional<Documents> documents(String raw) {
        for (int at = raw.indexOf(DOCUMENTS); at >= 0; at = raw.indexOf(DOCUMENTS, at + 1)) {
            int end = at + DOCUMENTS.length();
            if (end == raw.length() || raw.charAt(end) == '/') {
                return Optional.of(
                        new Documents(raw.substring(0, at), at == 0 ? raw : raw.substring(at)));
            }
        }
        return Optional.empty();
    }

    /** Returns the path as it was sent. */
    public String raw() {
        return raw;
    }

    /**
     * Returns the decoded path. In ids of documents, {@code /} stays {@code %2F} and {@code %}
     * stays {@code %25}, so that two different paths have different texts.
     */
    public String text() {
        return text;
    }

    /** Returns whether the path is {@code root}, or below it. */
    public boolean isBelow(String root) {
        return text.startsWith(root)
                && (text.length() == root.length() || text.charAt(root.length()) == '/');
    }

    /** Returns the part that names documents; empty if the path has no such part. */
    public Optional<Documents> documents() {
        return documents;
    }

    /** Returns the decoded path, also with the slashes and percent signs of ids. */
    public String decoded() {
        if (documents.isEmpty()) {
            return text;
        }
        String root = documents.get().root();
        return root + text.substring(root.length()).replace("%2F", "/").replace("%25", "%");
    }

    /**
     * Returns why only handlers of documents may answer: an id has what a segment must not have.
     * Empty if every handler may.
     */
    public Optional<String> opaque() {
        return opaque;
    }

    @Override
    public String toString() {
        return text;
    }

    /** One pass over the segments of a path. */
    private static final class Parse {
        private final String raw;
        private final StringBuilder text = new StringBuilder();

        /** The start of the part that begins with {@code /document/v1}; -1 for none. */
        private int documents = -1;

        /** The length of the decoded path before it. */
        private int root;

        private Optional<String> opaque = Optional.empty();

        Parse(String raw) {
            this.raw = raw;
        }

        RequestPath path() {
            int last = raw.length();
            while (last > 0 && raw.charAt(last - 1) == '/') {
                last--;
            }
            String before = "";
            int start = 0;
            boolean isId = false;
            while (start < last) {
                int slash = raw.indexOf('/', start + 1);
                int end = slash < 0 ? raw.length() : slash;
                String sent = raw.substring(start + 1, end);
                String segment = isId ? id(sent) : segment(sent);
                text.append('/').append(isId ? shown(segment) : segment);
                if (!isId && before.equals("document") && segment.equals("v1")) {
                    isId = true;
                    documents = raw.lastIndexOf('/', start - 1);
                    root = text.length() - DOCUMENTS.length();
                }
                before = segment;
                start = end;
            }
            if (raw.length() > last + 1 && !isId) {
                throw empty();
            }
            text.append(raw, last, raw.length());
            return new RequestPath(
                    raw,
                    text.toString(),
                    documents < 0
                            ? Optional.empty()
                            : Optional.of(
                                    new Documents(
                                            text.substring(0, root),
                                            DOCUMENTS + raw.substring(endOfRoot()))),
                    opaque);
        }

        /** Returns the end of the second segment after {@link #documents}. */
        private int endOfRoot() {
            int end = raw.indexOf('/', raw.indexOf('/', documents + 1) + 1);
            return end < 0 ? raw.length() : end;
        }

        private String segment(String sent) {
            String segment = decoded(sent, false);
            checkDots(sent, segment);
            problem(sent, segment)
                    .ifPresent(problem -> {
                        throw new NotCanonicalException(problem);
                    });
            return segment;
        }

        private String id(String sent) {
            String id = decoded(sent, true);
            checkDots(sent, id);
            if (opaque.isEmpty()) {
                opaque = problem(sent, id);
            }
            return id;
        }

        private static String shown(String id) {
            return id.replace("%", "%25").replace("/", "%2F");
        }

        private static void checkDots(String sent, String segment) {
            int parameter = sent.indexOf(';');
            if (segment.isEmpty()) {
                throw empty();
            }
            if (isDots(segment)
                    || (parameter >= 0 && isDots(decoded(sent.substring(0, parameter), true)))) {
                throw new NotCanonicalException(
                        "a path segment may not be '%s'; a path is sent without such segments"
                                .formatted(segment));
            }
        }

        private static NotCanonicalException empty() {
            return new NotCanonicalException(
                    "a path segment may not be ''; a slash in an id is sent as %2F where it would"
                            + " make one");
        }

        /** Returns why a decoded segment is none; empty if it is one. */
        private static Optional<String> problem(String sent, String segment) {
            String decoded = segment;
            for (int i = 0; i < DECODINGS_MAX; i++) {
                Optional<String> problem = ofCharacters(sent, decoded);
                String again = decodedAgain(decoded);
                if (problem.isPresent() || again.equals(decoded)) {
                    return problem;
                }
                if (isDots(again)) {
                    return Optional.of(
                            "the path segment '%s' is dots that are encoded twice".formatted(sent));
                }
                decoded = again;
            }
            return Optional.of("the path segment '%s' is encoded too often".formatted(sent));
        }

        private static Optional<String> ofCharacters(String sent, String decoded) {
            for (int i = 0; i < decoded.length(); i++) {
                char c = decoded.charAt(i);
                if (c == '/' || c == '\\' || c == ';') {
                    return Optional.of(
                            "the path segment '%s' contains '%c'; only ids of documents may"
                                    .formatted(sent, c));
                }
                if (Character.isISOControl(c)) {
                    return Optional.of(
                            "the path segment '%s' contains the control character U+%04X"
                                    .formatted(sent, (int) c));
                }
            }
            return Optional.empty();
        }

        private static boolean isDots(String segment) {
            return segment.equals(".") || segment.equals("..");
        }

        /** Decodes what looks encoded, byte by byte, like a careless reader. */
        private static String decodedAgain(String segment) {
            if (segment.indexOf('%') < 0) {
                return segment;
            }
            var again = new StringBuilder(segment.length());
            for (int i = 0; i < segment.length(); i++) {
                int escaped = segment.charAt(i) == '%' ? escaped(segment, i) : -1;
                again.append(escaped < 0 ? segment.charAt(i) : (char) escaped);
                i += escaped < 0 ? 0 : 2;
            }
            return again.toString();
        }

        /** Returns the byte that three characters mean; -1 if they mean none. */
        private static int escaped(String text, int at) {
            if (at + 2 >= text.length()) {
                return -1;
            }
            int high = hex(text.charAt(at + 1));
            int low = hex(text.charAt(at + 2));
            return high < 0 || low < 0 ? -1 : high << 4 | low;
        }

        private static int hex(char c) {
            return c < 128 ? Character.digit(c, 16) : -1;
        }

        /** Decodes once. In ids, as in forms, a plus is a blank. */
        private static String decoded(String sent, boolean isId) {
            byte[] bytes = sent.getBytes(StandardCharsets.UTF_8);
            if (sent.chars().anyMatch(c -> c == '\uFFFD' || c < ' ' || c == 0x7f)
                    || !sent.equals(new String(bytes, StandardCharsets.UTF_8))) {
                throw new NotCanonicalException(
                        "the path contains a character that is not UTF-8, or a control character"
                                + " that is not encoded");
            }
            int to = 0;
            for (int at = 0; at < bytes.length; at++) {
                byte b = bytes[at];
                if (b == '%') {
                    int end = Math.min(at + 3, bytes.length);
                    int escaped =
                            escaped(
                                    new String(bytes, at, end - at, StandardCharsets.ISO_8859_1),
                                    0);
                    if (escaped < 0) {
                        throw new NotCanonicalException(
                                "the path segment '%s' has a '%%' that two hexadecimal digits do not follow"
                                        .formatted(sent));
                    }
                    if (escaped == 0) {
                        throw new NotCanonicalException(
                                "the path segment '%s' contains NUL".formatted(sent));
                    }
                    b = (byte) escaped;
                    at += 2;
                } else if (isId && b == '+') {
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
                throw new NotCanonicalException(
                        "the path segment '" + sent + "' does not decode to UTF-8", e);
            }
        }
    }
}
