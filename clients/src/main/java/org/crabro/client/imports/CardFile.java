package org.crabro.client.imports;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.client.cards.CardRecords;
import org.crabro.client.file.TextHash;

/** The contacts or events of a file. They are named by their {@code UID}s. */
final class CardFile implements RecordReader {
    static final int BYTES_MAX = 64 << 20;

    private static final Set<String> ENDINGS = Set.of("vcf", "vcard", "ics", "ical");

    private final Path file;
    private final CardRecords records;
    private final Set<Long> names = new HashSet<>();
    private String name = "";
    private long number;

    private CardFile(Path file, CardRecords records) {
        this.file = file;
        this.records = records;
    }

    /** Returns whether an ending of a name is one of contacts or events. */
    static boolean isEnding(String ending) {
        return ENDINGS.contains(ending);
    }

    static CardFile open(Path file, ImportLosses losses) throws IOException {
        DecodedBytes decoded = DecodedBytes.of(TextFiles.bytes(file, BYTES_MAX), null);
        var opened = new CardFile[1];
        var records =
                new CardRecords(
                        decoded.text(),
                        (field, change) -> losses.add(field, change, opened[0].place()));
        opened[0] = new CardFile(file, records);
        return opened[0];
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        Optional<Map<String, Object>> next;
        try {
            next = records.next();
        } catch (IOException e) {
            throw new IOException(file + ", " + e.getMessage(), e);
        }
        next.ifPresent(record -> {
            number++;
            name = name(record);
        });
        return next;
    }

    /** An event that replaces one of several has the same id as these. */
    private String name(Map<String, Object> record) {
        Object instead = record.get("instead_of");
        if (record.get("uid") instanceof String uid && uid.length() <= DocumentNames.LENGTH_MAX) {
            String given = instead == null ? uid : uid + "#" + instead;
            if (names.add(TextHash.of(given))) {
                return given;
            }
        }
        return String.format(Locale.ROOT, "%d", number);
    }

    @Override
    public String place() {
        return "line " + records.line();
    }

    @Override
    public Optional<String> name() {
        return Optional.of(name);
    }

    @Override
    public void close() {
        // The file was closed when it was read.
    }
}
