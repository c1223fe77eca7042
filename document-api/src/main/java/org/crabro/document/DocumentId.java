package org.crabro.document;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.crabro.text.Excerpt;
import org.jspecify.annotations.Nullable;

/**
 * The id of a document: {@code id:namespace:type:key:user}.
 *
 * <pre>
 *   id        := "id:" namespace ":" type ":" [ key ] ":" user
 *   namespace := 1*char            ; no colon
 *   type      := 1*char            ; no colon
 *   key       := "n=" number       ; 0 to 2^64-1, decimal
 *              | "g=" 1*char       ; no colon, no comma
 *   user      := 1*char            ; colons and slashes are allowed
 *   char      := a character that {@link LegalText} allows
 * </pre>
 *
 * <p>Two ids identify the same document if their texts are equal. The constructor checks the
 * grammar.
 *
 * @param namespace not empty, without a colon
 * @param documentType not empty, without a colon
 * @param key determines the location: empty, a number or a group
 * @param user the rest of the id, not empty; may contain colons and slashes
 */
public record DocumentId(String namespace, String documentType, LocationKey key, String user) {
    /** The maximum number of characters of an id. */
    public static final int LENGTH_MAX = 65_536;

    /** The part before the user part must have fewer characters than this. */
    public static final int PREFIX_LENGTH_LIMIT = 0xff00;

    private static final int SHOWN_CHARS = 200;

    private static final String SCHEME = "id:";
    private static final String GROUP = "g=";

    /** A prototype, which is only cloned. */
    private static final MessageDigest MD5 = md5();

    /**
     * A cache of the locations of recent groups. The index of an entry is derived from the hash of
     * the name. A thread sees an entry of another thread completely or not at all.
     */
    private static final @Nullable CachedGroup[] KNOWN_GROUPS = new CachedGroup[1 << 14];

    /** The maximum length of a name in the cache. */
    private static final int KNOWN_LENGTH_MAX = 128;

    /** A cache of parts that were found to be legal, in the same way. */
    private static final @Nullable String[] LEGAL_PARTS = new String[1 << 6];

    private static final @Nullable String[] LEGAL_GROUPS = new String[1 << 14];

    private record CachedGroup(String name, long location) {}

    /**
     * @throws InvalidDocumentException if a part does not match the grammar; the message names the
     *     part
     */
    public DocumentId {
        if (!isLegalPart(LEGAL_PARTS, namespace)) {
            checkPart("namespace", namespace);
            know(LEGAL_PARTS, namespace);
        }
        if (!isLegalPart(LEGAL_PARTS, documentType)) {
            checkPart("document type", documentType);
            know(LEGAL_PARTS, documentType);
        }
        if (key instanceof LocationKey.Group(String name) && !isLegalPart(LEGAL_GROUPS, name)) {
            checkGroup(name);
            know(LEGAL_GROUPS, name);
        }
        if (user.isEmpty()) {
            throw new InvalidDocumentException(
                    "document id has an empty user part, the text after the fourth colon");
        }
        LegalText.check("user part of document id", user);
        int prefixLength =
                SCHEME.length() + namespace.length() + documentType.length() + length(key) + 3;
        if (prefixLength >= PREFIX_LENGTH_LIMIT) {
            throw new InvalidDocumentException(
                    "document id has %d characters before its user part, at most %d are allowed"
                            .formatted(prefixLength, PREFIX_LENGTH_LIMIT - 1));
        }
        if (prefixLength + user.length() > LENGTH_MAX) {
            throw new InvalidDocumentException(
                    "document id has %d characters, at most %d are allowed"
                            .formatted(prefixLength + user.length(), LENGTH_MAX));
        }
    }

    /** Returns the length of a key's text. */
    private static int length(LocationKey key) {
        // The text is not created, because that would dominate the cost for many documents.
        return key instanceof LocationKey.Group(String name)
                ? 2 + name.length()
                : key.text().length();
    }

    /**
     * Parses an id.
     *
     * @throws InvalidDocumentException if the text does not match the grammar; the message names
     *     the part
     */
    public static DocumentId parse(String text) {
        int scheme = text.indexOf(':');
        if (scheme < 0) {
            throw unparseable(text, "the scheme 'id:' is missing");
        }
        if (!text.startsWith(SCHEME)) {
            throw unparseable(
                    text, "unknown scheme '" + shown(text.substring(0, scheme)) + "', not 'id'");
        }
        int namespace = colon(text, scheme, "the namespace is missing");
        int type = colon(text, namespace, "the document type is missing");
        int key = colon(text, type, "the key/value section, which may be empty, is missing");
        try {
            return new DocumentId(
                    text.substring(scheme + 1, namespace),
                    text.substring(namespace + 1, type),
                    keyOf(text.substring(type + 1, key)),
                    text.substring(key + 1));
        } catch (InvalidDocumentException e) {
            throw unparseable(text, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Parses an id like {@link #parse(String)}. It is faster if all but the user part equals that
     * of a known id.
     *
     * @throws InvalidDocumentException if the text does not match the grammar; the message names
     *     the part
     */
    public static DocumentId parse(String text, DocumentId previous) {
        if (!(previous.key instanceof LocationKey.Group(String group))
                || !text.startsWith(SCHEME)) {
            return parse(text);
        }
        int type = behind(text, SCHEME.length(), previous.namespace);
        int key = type < 0 ? -1 : behind(text, type, previous.documentType);
        int user =
                key < 0 || !text.startsWith(GROUP, key)
                        ? -1
                        : behind(text, key + GROUP.length(), group);
        if (user < 0) {
            return parse(text);
        }
        try {
            return new DocumentId(
                    previous.namespace, previous.documentType, previous.key, text.substring(user));
        } catch (InvalidDocumentException e) {
            throw unparseable(text, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the id with another user part.
     *
     * @throws InvalidDocumentException if {@code other} does not match the grammar
     */
    public DocumentId withUser(String other) {
        return new DocumentId(namespace, documentType, key, other);
    }

    /** Returns the index after a part and its colon, or -1 if the text differs. */
    private static int behind(String text, int at, String part) {
        int end = at + part.length();
        return text.startsWith(part, at) && end < text.length() && text.charAt(end) == ':'
                ? end + 1
                : -1;
    }

    private static int colon(String text, int last, String problem) {
        int next = text.indexOf(':', last + 1);
        if (next < 0) {
            throw unparseable(
                    text, problem + ": expected id:namespace:type:[n=number|g=group]:user");
        }
        return next;
    }

    private static LocationKey keyOf(String section) {
        if (section.isEmpty()) {
            return new LocationKey.Plain();
        }
        int comma = section.indexOf(',');
        if (comma < 0) {
            return keyOfPair(section);
        }
        for (String pair : section.split(",", -1)) {
            keyOfPair(pair);
        }
        throw new InvalidDocumentException(
                "illegal key combination '" + shown(section) + "': one of 'n' and 'g', once");
    }

    private static LocationKey keyOfPair(String pair) {
        int equals = pair.indexOf('=');
        if (equals < 0) {
            throw new InvalidDocumentException(
                    "illegal key-value pair '" + shown(pair) + "': expected n=number or g=group");
        }
        String name = pair.substring(0, equals);
        String value = pair.substring(equals + 1);
        if (!name.equals("n") && !name.equals("g")) {
            throw new InvalidDocumentException("illegal key '" + shown(name) + "': 'n' or 'g'");
        }
        if (value.isEmpty()) {
            throw new InvalidDocumentException("the location value of key '" + name + "' is empty");
        }
        return name.equals("n") ? LocationKey.Numbered.parse(value) : new LocationKey.Group(value);
    }

    private static void checkPart(String name, String value) {
        if (value.isEmpty()) {
            throw new InvalidDocumentException(name + " of document id must be non-empty");
        }
        if (value.indexOf(':') >= 0) {
            throw new InvalidDocumentException(
                    name + " of document id holds a colon: '" + shown(value) + "'");
        }
        LegalText.check(name + " of document id", value);
    }

    private static void checkGroup(String name) {
        checkPart("group", name);
        if (name.indexOf(',') >= 0) {
            throw new InvalidDocumentException(
                    "group of document id holds a comma: '" + shown(name) + "'");
        }
    }

    private static boolean isLegalPart(@Nullable String[] legal, String part) {
        return part.equals(legal[place(part, legal.length)]);
    }

    private static void know(@Nullable String[] legal, String part) {
        if (part.length() <= KNOWN_LENGTH_MAX) {
            legal[place(part, legal.length)] = part;
        }
    }

    private static int place(String text, int places) {
        int hash = text.hashCode();
        return (hash ^ (hash >>> 14) ^ (hash >>> 28)) & (places - 1);
    }

    /** Returns the 64-bit location: documents with equal locations are stored together. */
    public long location() {
        return switch (key) {
            case LocationKey.Plain() -> littleEndian(md5(user), 0);
            case LocationKey.Numbered(long value) -> value;
            case LocationKey.Group(String name) -> locationOfGroup(name);
        };
    }

    /** Returns the location of the documents of group {@code name}. */
    public static long locationOfGroup(String name) {
        int place = place(name, KNOWN_GROUPS.length);
        CachedGroup group = KNOWN_GROUPS[place];
        if (group != null && group.name.equals(name)) {
            return group.location;
        }
        long location = littleEndian(md5(name), 0);
        if (name.length() <= KNOWN_LENGTH_MAX) {
            KNOWN_GROUPS[place] = new CachedGroup(name, location);
        }
        return location;
    }

    /** Returns the 96-bit id by which the store identifies and sorts documents. */
    public GlobalId globalId() {
        return new GlobalId((int) location(), littleEndian(md5(toString()), 4));
    }

    /** Returns the id in the form that {@link #parse} accepts. */
    @Override
    public String toString() {
        return SCHEME + namespace + ':' + documentType + ':' + key.text() + ':' + user;
    }

    private static byte[] md5(String text) {
        try {
            // Cloning takes a fraction of the time of a lookup.
            var digest = (MessageDigest) MD5.clone();
            return digest.digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("MD5 that can be copied could not be", e);
        }
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    private static long littleEndian(byte[] bytes, int offset) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(offset);
    }

    private static InvalidDocumentException unparseable(String text, String problem) {
        return new InvalidDocumentException(
                "unparseable document id '" + shown(text) + "': " + problem);
    }

    /** Ids from outside may be long, so an error shows only their start. */
    private static String shown(String text) {
        return Excerpt.of(text, SHOWN_CHARS);
    }
}
