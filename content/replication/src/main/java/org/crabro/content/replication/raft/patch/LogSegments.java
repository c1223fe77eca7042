package org.crabro.content.replication.raft.patch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of the log of a group, while it is not started. */
public final class LogSegments {
    private static final Logger LOG = LoggerFactory.getLogger(LogSegments.class);

    /** The name of a file that gets no more entries. */
    private static final Pattern CLOSED = Pattern.compile("log_\\d{1,18}-(?<end>\\d{1,18})");

    private LogSegments() {}

    /**
     * Deletes all files of a log that ends before an entry, durably. The next entry of a replica
     * that was installed is a later one, and Ratis would refuse the gap.
     *
     * @param directory of the group
     * @param index the log is kept if it has this entry: other replicas may count on its later ones
     */
    public static void deleteIfBefore(Path directory, long index, SizeInBytes largestEntry)
            throws IOException {
        Path current = directory.resolve("current");
        if (!Files.isDirectory(current)) {
            return;
        }
        List<LogSegmentPath> segments;
        try (Stream<Path> names = Files.list(current)) {
            segments =
                    names.map(LogSegmentPath::matchLogSegment)
                            .filter(Objects::nonNull)
                            .sorted(Comparator.comparing(LogSegmentPath::getStartEnd))
                            .toList();
        }
        if (segments.isEmpty() || has(segments, index, largestEntry)) {
            return;
        }
        LOG.info(
                "The log in {} ends before entry {}, which is in runs: it is deleted",
                current,
                index);
        for (LogSegmentPath each : segments) {
            Files.delete(each.getPath());
        }
        try (FileChannel names = FileChannel.open(current, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /** Returns the size of the files whose entries are all before or at an index, in bytes. */
    public static long bytesUpTo(Path directory, long index) throws IOException {
        Path current = directory.resolve("current");
        if (!Files.isDirectory(current)) {
            return 0;
        }
        List<Path> all;
        try (Stream<Path> names = Files.list(current)) {
            all = names.toList();
        }
        long bytes = 0;
        for (Path each : all) {
            Matcher closed = CLOSED.matcher(each.getFileName().toString());
            if (closed.matches() && Long.parseLong(closed.group("end")) <= index) {
                bytes += Files.size(each);
            }
        }
        return bytes;
    }

    /** Returns whether the last entry of segments is not before an index. */
    private static boolean has(List<LogSegmentPath> segments, long index, SizeInBytes largestEntry)
            throws IOException {
        var last = new AtomicLong(-1);
        // The newest segment may be empty.
        for (LogSegmentPath each : segments.reversed()) {
            int _ =
                    LogSegment.readSegmentFile(
                            each.getPath().toFile(),
                            each.getStartEnd(),
                            largestEntry,
                            CorruptionPolicy.EXCEPTION,
                            null,
                            entry -> last.set(entry.getIndex()));
            if (last.get() >= 0) {
                break;
            }
        }
        return last.get() >= index;
    }
}
