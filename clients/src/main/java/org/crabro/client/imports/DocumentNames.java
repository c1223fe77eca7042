package org.crabro.client.imports;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.client.file.TextHash;

/** How the documents of records are named, and which names they have. */
public final class DocumentNames {
    /** What the name of a document is made of. */
    public enum Way {
        /** The source has names, such as paths. */
        SOURCE,
        /** A member whose values differ. */
        MEMBER,
        /** The number of the record in its file, from 1. */
        NUMBER
    }

    /** Longer values are no names. */
    static final int LENGTH_MAX = 200;

    private final Way way;
    private final String member;
    private final Set<Long> hashes;
    private final long count;

    private DocumentNames(Way way, String member, Set<Long> hashes, long count) {
        this.way = way;
        this.member = member;
        this.hashes = hashes;
        this.count = count;
    }

    static DocumentNames ofSource(Set<Long> hashes) {
        return new DocumentNames(Way.SOURCE, "", hashes, hashes.size());
    }

    static DocumentNames ofMember(String path, Set<Long> hashes) {
        return new DocumentNames(Way.MEMBER, path, hashes, hashes.size());
    }

    /** Returns the names of numbered records. */
    public static DocumentNames numbers(long count) {
        return new DocumentNames(Way.NUMBER, "", Set.of(), count);
    }

    /** Returns what names are made of. */
    public Way way() {
        return way;
    }

    /** Returns the path of the member whose values are the names. */
    Optional<String> member() {
        return way == Way.MEMBER ? Optional.of(member) : Optional.empty();
    }

    /**
     * Returns the name of the document of a record.
     *
     * @param records the reader of the record
     * @param number of the record, from 1
     * @throws IOException if the record has no name any more, because the source has changed
     */
    public String of(Map<String, Object> record, RecordReader records, long number)
            throws IOException {
        return switch (way) {
            case SOURCE ->
                    records.name()
                            .orElseThrow(() -> new IOException(records.place() + " has no name"));
            case MEMBER -> {
                Object value = record.get(member);
                if (value == null) {
                    throw new IOException(
                            "%s has no value in '%s' any more: the source has changed while it was read"
                                    .formatted(records.place(), MemberPath.shown(member)));
                }
                yield RecordPuts.name(value);
            }
            case NUMBER -> Long.toString(number);
        };
    }

    /** Returns whether a document of the source has this name. */
    public boolean contains(String name) {
        if (way != Way.NUMBER) {
            return hashes.contains(TextHash.of(name));
        }
        return name.length() <= 18 && name.matches("[1-9][0-9]*") && Long.parseLong(name) <= count;
    }

    /** Returns a line that says how documents are named. */
    public String note() {
        return switch (way) {
            case SOURCE ->
                    "Documents are named by their paths or message ids, so a later import replaces"
                            + " them.";
            case MEMBER ->
                    "Documents are named by '%s', so a later import replaces them."
                            .formatted(MemberPath.shown(member));
            case NUMBER ->
                    "Documents are named by the numbers of their rows. If rows can move, choose a"
                            + " column whose values differ: --id COLUMN";
        };
    }
}
