package org.crabro.content;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.content.journal.LogFiles;

/**
 * The file {@code version} of a data directory: one line, such as {@code crabro data, format 1, 16
 * partitions}. It is durable before anything else is written.
 */
final class DataVersion {
    /** The format that this program reads and writes. */
    static final int FORMAT = 1;

    private static final String PATH = "version";
    private static final int LENGTH_MAX = 200;
    private static final Pattern LINE =
            Pattern.compile("crabro data, format (\\d{1,9}), (\\d{1,9}) partitions\n");

    private DataVersion() {}

    /**
     * Checks that the data in {@code files} is ours to read, and marks an empty directory as ours.
     *
     * @throws IOException if it is of another format, says no format, or has another number of
     *     partitions
     */
    static void check(LogFiles files, int partitions) throws IOException {
        List<String> names = files.list("");
        String found = names.contains(PATH) ? read(files) : "";
        Matcher line = LINE.matcher(found);
        if (!line.matches()) {
            begin(files, names, found, partitions);
            return;
        }
        int format = Integer.parseInt(line.group(1));
        if (format > FORMAT) {
            throw new IOException(
                    "the data was written in format %d by a newer version; this one reads format %d"
                            .formatted(format, FORMAT));
        }
        if (format < FORMAT) {
            throw new IOException(
                    ("the data is of format %d; until issue B is closed only format %d is read: feed"
                                    + " the documents again into an empty directory")
                            .formatted(format, FORMAT));
        }
        int count = Integer.parseInt(line.group(2));
        if (count != partitions) {
            throw new IOException(
                    "the data lies in %d partitions, but the node is set up for %d"
                            .formatted(count, partitions));
        }
    }

    /**
     * Returns how many partitions the data in {@code files} lies in.
     *
     * @throws IOException if there is no data, or in another format
     */
    static int partitions(LogFiles files) throws IOException {
        if (!files.list("").contains(PATH)) {
            throw new IOException("the directory holds no data: it has no file '" + PATH + "'");
        }
        String found = read(files);
        Matcher line = LINE.matcher(found);
        if (!line.matches() || Integer.parseInt(line.group(1)) != FORMAT) {
            throw new IOException(
                    "%s at byte 0: expected format %d, found '%s'"
                            .formatted(PATH, FORMAT, found.strip()));
        }
        return Integer.parseInt(line.group(2));
    }

    /** A version that is not whole was being written, if nothing else was. */
    private static void begin(LogFiles files, List<String> names, String found, int partitions)
            throws IOException {
        for (String data : List.of("journal", "partitions", "schemas")) {
            if (names.contains(data)) {
                throw new IOException(
                        "the directory has data in '%s', but its version reads '%s'"
                                .formatted(data, found.strip()));
            }
        }
        files.delete(PATH);
        String line = "crabro data, format %d, %d partitions\n".formatted(FORMAT, partitions);
        try (LogFiles.LogFile file = files.create(PATH)) {
            file.write(ByteBuffer.wrap(line.getBytes(US_ASCII)), 0);
            file.force();
        }
        files.forceDirectory("");
    }

    private static String read(LogFiles files) throws IOException {
        try (LogFiles.LogFile file = files.open(PATH)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), LENGTH_MAX));
            file.read(bytes, 0);
            return US_ASCII.decode(bytes.flip()).toString();
        }
    }
}
