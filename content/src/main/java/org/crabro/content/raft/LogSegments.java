package org.crabro.content.raft;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of the log of a group, while it is not started. */
final class LogSegments {
    private static final Logger LOG = LoggerFactory.getLogger(LogSegments.class);

    private LogSegments() {}

    /**
     * Deletes all files of a log that ends before an entry, durably. The next entry of a replica
     * that was installed is a later one, and Ratis would refuse the gap.
     *
     * @param directory of the group
     * @param index the log is kept if it has this entry: other replicas may count on its later ones
     */
    static void deleteIfBefore(Path directory, long index, SizeInBytes largestEntry)
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
