package org.crabro.content.storage.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;

/**
 * The file {@code version} of a data directory: one line, such as {@code crabro data, format 1, 16
 * partitions}. It is durable before any other file is written.
 *
 * <p>In a backup the line begins with {@code crabro backup}. A copy of a backup becomes data when a
 * node opens it: after all files of the backup were found, the node appends the line of data.
 */
public final class DataVersion {
    /** The format that this program can read and write. */
    public static final int FORMAT = 1;

    private static final String PATH = "version";
    private static final int LENGTH_MAX = 200;
    private static final Pattern BACKUP =
            Pattern.compile("crabro backup, format (\\d{1,9}), (\\d{1,9}) partitions\n");
    private static final Pattern LINE =
            Pattern.compile("crabro data, format (\\d{1,9}), (\\d{1,9}) partitions\n");

    private DataVersion() {}

    /**
     * Checks that this program can read the data in {@code files}, marks an empty directory as
     * data, and converts a complete backup to data.
     *
     * @throws IOException if the format is missing or another, the number of partitions is another,
     *     or a file of a backup is missing
     */
    public static void check(LogFiles files, int partitions) throws IOException {
        List<String> names = files.list("");
        String actual = names.contains(PATH) ? read(files) : "";
        Matcher backup = BACKUP.matcher(actual);
        int firstLength = backup.lookingAt() ? backup.end() : 0;
        Matcher line = LINE.matcher(actual.substring(firstLength));
        if (line.matches()) {
            if (firstLength > 0) {
                checkLine(backup, partitions);
            }
            checkLine(line, partitions);
        } else if (firstLength > 0) {
            checkLine(backup, partitions);
            takeOver(files, firstLength, partitions);
        } else {
            begin(files, names, actual, partitions);
        }
    }

    private static void checkLine(Matcher line, int partitions) throws IOException {
        int format = Integer.parseInt(line.group(1));
        if (format > FORMAT) {
            throw new IOException(
                    "the data was written in format %d by a newer version; this one reads format %d"
                            .formatted(format, FORMAT));
        }
        if (format < FORMAT) {
            throw new IOException(
                    ("the data is of format %d; until issue B is closed only format %d is read:"
                                    + " feed the documents again into an empty directory")
                            .formatted(format, FORMAT));
        }
        int count = Integer.parseInt(line.group(2));
        if (count != partitions) {
            throw new IOException(
                    "the data has %d partitions, but the node is set up for %d"
                            .formatted(count, partitions));
        }
    }

    /** Appends the line of data. This is atomic, because both lines are in one sector. */
    private static void takeOver(LogFiles files, int length, int partitions) throws IOException {
        Optional<BackupList> list = BackupList.read(files);
        if (list.isEmpty()) {
            throw new IOException(
                    "the directory contains an incomplete backup or restore, or an incomplete"
                            + " copy: its file '"
                            + BackupList.PATH
                            + "' is missing or damaged");
        }
        List<Damage> problems = list.get().problems(files);
        if (!problems.isEmpty()) {
            throw new IOException(
                    "the directory is an incomplete copy of a backup, %d of its files are missing: %s"
                            .formatted(problems.size(), problems.getFirst()));
        }
        try (LogFiles.LogFile file = files.open(PATH)) {
            file.write(ByteBuffer.wrap(line("data", partitions)), length);
            file.force();
        }
        files.delete(BackupList.PATH);
        files.forceDirectory("");
    }

    /** Marks an empty directory as a backup, durably. */
    public static void beginBackup(LogFiles files, int partitions) throws IOException {
        write(files, line("backup", partitions));
    }

    /** Returns whether {@code files} contain a version file. */
    public static boolean isIn(LogFiles files) throws IOException {
        return files.list("").contains(PATH);
    }

    /**
     * Returns the number of partitions of the data in {@code files}.
     *
     * @throws IOException if there is no data, or it has another format
     */
    public static int partitions(LogFiles files) throws IOException {
        if (!isIn(files)) {
            throw new IOException("the directory holds no data: it has no file '" + PATH + "'");
        }
        String version = read(files);
        Matcher backup = BACKUP.matcher(version);
        Matcher line = LINE.matcher(version);
        Matcher first = backup.lookingAt() ? backup : line;
        if ((first == line && !line.matches()) || Integer.parseInt(first.group(1)) != FORMAT) {
            throw new IOException(
                    "%s at byte 0: expected format %d, found '%s'"
                            .formatted(PATH, FORMAT, version.strip()));
        }
        return Integer.parseInt(first.group(2));
    }

    /** Returns whether {@code files} are a backup that no node has opened. */
    public static boolean isBackup(LogFiles files) throws IOException {
        String version = read(files);
        Matcher backup = BACKUP.matcher(version);
        return backup.lookingAt() && !LINE.matcher(version.substring(backup.end())).matches();
    }

    /**
     * Writes the version. An incomplete version file was being written, if there is no other file.
     */
    private static void begin(LogFiles files, List<String> names, String version, int partitions)
            throws IOException {
        for (String data : List.of("journal", "partitions", "schemas")) {
            if (names.contains(data)) {
                throw new IOException(
                        "the directory has data in '%s', but its version reads '%s'"
                                .formatted(data, version.strip()));
            }
        }
        files.delete(PATH);
        write(files, line("data", partitions));
    }

    private static byte[] line(String what, int partitions) {
        return "crabro %s, format %d, %d partitions\n"
                .formatted(what, FORMAT, partitions)
                .getBytes(US_ASCII);
    }

    private static void write(LogFiles files, byte[] line) throws IOException {
        try (LogFiles.LogFile file = files.create(PATH)) {
            file.write(ByteBuffer.wrap(line), 0);
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
