package org.crabro.content.storage.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;

/**
 * An attachment in the list of a backup.
 *
 * @param path in the backup, parts joined by slashes
 * @param bytes its size
 * @param crc crc-32c of its bytes
 */
public record AttachedFile(String path, long bytes, int crc) {
    private static final int STEP = 1 << 20;
    private static final Pattern LINE =
            Pattern.compile("attached (\\S{1,60000}) (\\d{1,18}) ([0-9a-f]{8})");

    public AttachedFile {
        for (String part : path.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                throw new IllegalArgumentException("'" + path + "' is not a path in a backup");
            }
        }
    }

    /** Returns the line of the list. */
    public String line() {
        return "attached %s %d %08x"
                .formatted(eachPart(path, part -> URLEncoder.encode(part, UTF_8)), bytes, crc);
    }

    /** Returns the attachment in {@code line}; empty if the line is not one of an attachment. */
    public static Optional<AttachedFile> parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new AttachedFile(
                            eachPart(matcher.group(1), part -> URLDecoder.decode(part, UTF_8)),
                            Long.parseLong(matcher.group(2)),
                            Integer.parseUnsignedInt(matcher.group(3), 16)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static String eachPart(String path, UnaryOperator<String> change) {
        return Arrays.stream(path.split("/", -1)).map(change).collect(Collectors.joining("/"));
    }

    /** Returns how the file in {@code files} differs from this; empty if it does not. */
    public Optional<Damage> problem(LogFiles files) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            if (file.size() != bytes) {
                return Optional.of(
                        new Damage(
                                path,
                                Math.min(file.size(), bytes),
                                bytes + " bytes, as in the backup",
                                file.size() + " bytes"));
            }
            int actual = crc(file);
            return actual == crc
                    ? Optional.empty()
                    : Optional.of(
                            new Damage(
                                    path,
                                    0,
                                    "crc-32c %08x".formatted(crc),
                                    "%08x".formatted(actual)));
        } catch (NoSuchFileException _) {
            return Optional.of(new Damage(path, 0, "a file of the backup", "none"));
        }
    }

    private int crc(LogFiles.LogFile file) throws IOException {
        var crc32 = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate(Math.clamp(bytes, 1, STEP));
        for (long at = 0; at < bytes; at += buffer.limit()) {
            file.read(buffer.clear(), at);
            if (buffer.flip().limit() == 0) {
                throw new IOException(
                        "%s ended at byte %d, expected %d".formatted(path, at, bytes));
            }
            crc32.update(buffer);
        }
        return (int) crc32.getValue();
    }
}
