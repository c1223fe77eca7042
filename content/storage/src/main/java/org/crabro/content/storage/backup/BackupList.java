package org.crabro.content.storage.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.FileTransfer.Brought;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.partition.BackupMoment;

/**
 * The file {@code backup}. It is written last, marks a backup as complete, and lists its files.
 * Lines of text; the last line contains the checksum of all lines before it.
 *
 * @param partitions the moment of each, by number
 * @param files the files of the documents, without this one, {@code version} and {@code lock}
 * @param attached the other files
 */
public record BackupList(
        Instant begun,
        Instant ended,
        List<BackupMoment> partitions,
        List<Brought> files,
        List<AttachedFile> attached) {
    public static final String PATH = "backup";

    /** The format that this program writes. It reads format 1 too, which has no attachments. */
    private static final int FORMAT = 2;

    private static final Pattern HEAD = Pattern.compile("crabro backup, format (\\d{1,9})");
    private static final int LENGTH_MAX = 1 << 28;
    private static final Pattern PARTITION =
            Pattern.compile("partition (\\d{1,5}) position (\\d{1,18}) timestamp (\\d{1,18})");
    private static final Pattern FILE = Pattern.compile("file ((?:\\w+/)+[\\w.]+) (\\d{1,18})");

    public BackupList {
        partitions = List.copyOf(partitions);
        files = List.copyOf(files);
        attached = List.copyOf(attached);
    }

    /** Writes this; durable when it returns, with its name. */
    public void write(LogFiles target) throws IOException {
        var text = new StringBuilder();
        text.append("crabro backup, format ").append(FORMAT).append('\n');
        text.append("begun ").append(begun).append('\n');
        text.append("ended ").append(ended).append('\n');
        for (int i = 0; i < partitions.size(); i++) {
            BackupMoment moment = partitions.get(i);
            text.append("partition ").append(i);
            text.append(" position ").append(moment.position());
            text.append(" timestamp ").append(moment.timestamp()).append('\n');
        }
        for (Brought file : files) {
            text.append("file ").append(file.file()).append(' ').append(file.bytes()).append('\n');
        }
        for (AttachedFile file : attached) {
            text.append(file.line()).append('\n');
        }
        text.append(crcLine(text)).append('\n');
        try (LogFiles.LogFile file = target.create(PATH)) {
            file.write(ByteBuffer.wrap(text.toString().getBytes(US_ASCII)), 0);
            file.force();
        }
        target.forceDirectory("");
    }

    private static String crcLine(CharSequence text) {
        var crc = new CRC32C();
        crc.update(text.toString().getBytes(US_ASCII));
        return "crc %08x".formatted(crc.getValue());
    }

    /** Returns the list of the backup in {@code files}; empty if there is no complete backup. */
    public static Optional<BackupList> read(LogFiles files) throws IOException {
        String text;
        try (LogFiles.LogFile file = files.open(PATH)) {
            if (file.size() > LENGTH_MAX) {
                return Optional.empty();
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            text = US_ASCII.decode(bytes.flip()).toString();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
        int end = text.lastIndexOf("crc ");
        if (end < 0 || !text.substring(end).equals(crcLine(text.substring(0, end)) + "\n")) {
            return Optional.empty();
        }
        return Optional.of(parse(text.substring(0, end)));
    }

    /**
     * @throws IOException if the lines are not of a format that this program can read
     */
    private static BackupList parse(String text) throws IOException {
        List<String> lines = text.lines().toList();
        checkFormat(lines.isEmpty() ? "" : lines.getFirst());
        if (lines.size() < 3) {
            throw unreadable(lines.getLast());
        }
        List<BackupMoment> partitions = new ArrayList<>();
        List<Brought> files = new ArrayList<>();
        List<AttachedFile> attached = new ArrayList<>();
        for (String line : lines.subList(3, lines.size())) {
            Matcher partition = PARTITION.matcher(line);
            Matcher file = FILE.matcher(line);
            Optional<AttachedFile> other = AttachedFile.parse(line);
            if (partition.matches()) {
                partitions.add(
                        new BackupMoment(
                                Long.parseLong(partition.group(2)),
                                Long.parseLong(partition.group(3))));
            } else if (file.matches()) {
                files.add(new Brought(file.group(1), Long.parseLong(file.group(2))));
            } else if (other.isPresent()) {
                attached.add(other.get());
            } else {
                throw unreadable(line);
            }
        }
        return new BackupList(
                instant(lines.get(1), "begun "),
                instant(lines.get(2), "ended "),
                partitions,
                files,
                attached);
    }

    private static void checkFormat(String line) throws IOException {
        Matcher head = HEAD.matcher(line);
        if (!head.matches()) {
            throw unreadable(line);
        }
        int format = Integer.parseInt(head.group(1));
        if (format < 1 || format > FORMAT) {
            throw new IOException(
                    "the backup was written in format %d by a newer version; this one reads formats up to %d"
                            .formatted(format, FORMAT));
        }
    }

    private static Instant instant(String line, String name) throws IOException {
        try {
            if (line.startsWith(name)) {
                return Instant.parse(line.substring(name.length()));
            }
        } catch (DateTimeParseException _) {
            // Reported as an unknown line.
        }
        throw unreadable(line);
    }

    private static IOException unreadable(String line) {
        return new IOException(
                "%s: expected the lines of a backup's list, found '%s'".formatted(PATH, line));
    }

    /** Returns the damage: missing and truncated files, and attachments with other bytes. */
    public List<Damage> problems(LogFiles stored) throws IOException {
        List<Damage> problems = new ArrayList<>();
        for (Brought each : files) {
            try (LogFiles.LogFile file = stored.open(each.file())) {
                if (file.size() != each.bytes()) {
                    problems.add(
                            new Damage(
                                    each.file(),
                                    Math.min(file.size(), each.bytes()),
                                    each.bytes() + " bytes, as in the backup",
                                    file.size() + " bytes"));
                }
            } catch (NoSuchFileException _) {
                problems.add(new Damage(each.file(), 0, "a file of the backup", "none"));
            }
        }
        for (AttachedFile each : attached) {
            each.problem(stored).ifPresent(problems::add);
        }
        return problems;
    }
}
