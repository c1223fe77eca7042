package org.crabro.content.replication.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.crabro.content.storage.journal.LogFiles;

/**
 * The name of a data directory in Raft: the host and a random number. An empty directory is a new
 * peer. A replica that lost its disk and voted under its old name could lose acknowledged writes.
 */
public final class PeerName {
    static final String PATH = "peer";

    private static final String NEW_PATH = "peer.new";
    private static final Pattern NAME = Pattern.compile("(?<name>[A-Za-z0-9._-]{1,240})\n");
    private static final int LENGTH_MAX = 256;

    private PeerName() {}

    /**
     * Returns the name that is kept in the data directory; makes one, durably, if there is none.
     *
     * @param host letters, digits, dots, dashes and underscores; used for a new name only
     * @throws IOException if the file is damaged. Nothing is changed then
     */
    public static String of(LogFiles files, String host, RandomGenerator random)
            throws IOException {
        if (!files.list("").contains(PATH)) {
            String line = host + "-" + HexFormat.of().toHexDigits(random.nextLong()) + "\n";
            if (!NAME.matcher(line).matches()) {
                throw new IllegalArgumentException("'%s' is no name of a host".formatted(host));
            }
            files.delete(NEW_PATH);
            try (LogFiles.LogFile file = files.create(NEW_PATH)) {
                file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)), 0);
                file.force();
            }
            files.move(NEW_PATH, PATH);
        }
        return read(files);
    }

    /**
     * Returns the name that is kept in the data directory; empty if there is none.
     *
     * @throws IOException if the file is damaged
     */
    public static Optional<String> find(LogFiles files) throws IOException {
        return files.list("").contains(PATH) ? Optional.of(read(files)) : Optional.empty();
    }

    private static String read(LogFiles files) throws IOException {
        try (LogFiles.LogFile file = files.open(PATH)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), LENGTH_MAX));
            file.read(bytes, 0);
            String line = StandardCharsets.US_ASCII.decode(bytes.flip()).toString();
            var matcher = NAME.matcher(line);
            if (!matcher.matches()) {
                throw new IOException(
                        "'%s' at byte 0: expected the name of a peer, found '%s'"
                                .formatted(PATH, line));
            }
            return matcher.group("name");
        }
    }
}
