package org.crabro.content.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Files that remember what was forced and what was not, and go wrong when told to.
 *
 * <p>{@link #afterCrash} gives the files that a machine would find after losing its power now: what
 * was forced, and of the rest nothing, or every other sector. {@link #stopAfter} ends everything in
 * the middle of an effect, tearing it where it is a write.
 *
 * <p>Registered as an extension, they fail a test that leaves a file open or mapped.
 */
public final class FaultyLogFiles implements LogFiles, AfterEachCallback {
    /** What a crash does to bytes and names that were not forced. */
    public enum Loss {
        /** All of them are gone. */
        EVERYTHING,
        /** Each sector and each name is gone or not, by chance. */
        SOME
    }

    /** Says that the process ended here. */
    public static final class StoppedException extends IOException {
        private static final long serialVersionUID = 1;

        StoppedException(String effect) {
            super("stopped before or during: " + effect);
        }
    }

    private static final int SECTOR = 512;

    private final Random random;
    private final Map<String, Content> names = new TreeMap<>();
    private final Map<String, Content> durableNames = new TreeMap<>();
    private final Semaphore forcing = new Semaphore(1);
    private final Map<String, List<Arena>> mapped = new TreeMap<>();

    private long capacity = Long.MAX_VALUE;
    private int effects;
    private int writes;
    private int forces;
    private int reads;
    private int openFiles;
    private String failingNames = "";
    private int stopAt = Integer.MAX_VALUE;
    private int failingForce = Integer.MAX_VALUE;

    public FaultyLogFiles(Random random) {
        this.random = random;
    }

    /** Ends everything in the {@code count}-th write, force, or change of names from now on. */
    public synchronized void stopAfter(int count) {
        stopAt = effects + count;
    }

    /** Lets the {@code count}-th force from now on fail, and keep nothing. */
    public synchronized void failForceAfter(int count) {
        failingForce = forces + count;
    }

    /** Lets no more than {@code bytes} be stored. */
    public synchronized void limitCapacity(long bytes) {
        capacity = bytes;
    }

    /** Lets no file be created any more whose path begins with {@code prefix}. */
    public synchronized void failNames(String prefix) {
        failingNames = prefix;
    }

    /** Makes every force that begins from now on wait until {@link #releaseForces}. */
    public void holdForces() {
        forcing.acquireUninterruptibly();
    }

    public void releaseForces() {
        forcing.release();
    }

    /** Returns how many forces began. */
    public synchronized int forces() {
        return forces;
    }

    /** Returns how many writes were done. */
    public synchronized int writes() {
        return writes;
    }

    /** Returns how often bytes were read, or a file mapped. */
    public synchronized int reads() {
        return reads;
    }

    /** Returns how many effects there were: writes, forces, changes of names and sizes. */
    public synchronized int effects() {
        return effects;
    }

    /** Returns whether {@link #stopAfter} has come to pass. */
    public synchronized boolean hasStopped() {
        return effects >= stopAt;
    }

    /** Returns the files that have a name, and how large they are. */
    public synchronized Map<String, Integer> names() {
        var sizes = new TreeMap<String, Integer>();
        names.forEach((path, content) -> sizes.put(path, content.size));
        return sizes;
    }

    /** Returns how many files are open. */
    public synchronized int openFiles() {
        return openFiles;
    }

    /** Returns the files that are mapped. */
    public synchronized List<String> mappedFiles() {
        return mapped.entrySet().stream()
                .filter(file -> file.getValue().stream().anyMatch(arena -> arena.scope().isAlive()))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        checkNothingIsLeft();
    }

    /** Fails where a file is open or mapped. */
    public void checkNothingIsLeft() {
        assertThat(openFiles()).as("files left open").isZero();
        assertThat(mappedFiles()).as("files left mapped").isEmpty();
    }

    /** Turns a bit of what is stored and forced, as a bad device does. */
    public synchronized void damage(String path, long offset) throws IOException {
        Content content = existing(path);
        content.bytes[(int) offset] ^= 1;
        content.durable[(int) offset] ^= 1;
    }

    /** Returns what would be found after a loss of power at this moment. */
    public synchronized FaultyLogFiles afterCrash(Loss loss) {
        var found = new FaultyLogFiles(random);
        var kept = new TreeMap<>(durableNames);
        if (loss == Loss.SOME) {
            names.forEach((path, content) -> keepByChance(kept, path, content));
            durableNames.forEach((path, _) -> {
                if (!names.containsKey(path) && random.nextBoolean()) {
                    kept.remove(path);
                }
            });
        }
        kept.forEach((path, content) -> {
            Content after = content.afterCrash(loss, random);
            found.names.put(path, after);
            found.durableNames.put(path, after);
        });
        return found;
    }

    private void keepByChance(Map<String, Content> kept, String path, Content content) {
        if (kept.get(path) != content && random.nextBoolean()) {
            kept.put(path, content);
        }
    }

    @Override
    public synchronized LogFile create(String path) throws IOException {
        begin("create " + path);
        if (!failingNames.isEmpty() && path.startsWith(failingNames)) {
            throw new IOException("input/output error: create " + path);
        }
        if (names.containsKey(path)) {
            throw new FileAlreadyExistsException(path);
        }
        var content = new Content();
        names.put(path, content);
        end("create " + path);
        openFiles++;
        return new FaultyFile(path, content);
    }

    @Override
    public synchronized LogFile open(String path) throws IOException {
        refuseWhenStopped("open " + path);
        Content content = existing(path);
        openFiles++;
        return new FaultyFile(path, content);
    }

    @Override
    public synchronized List<String> list(String directory) throws IOException {
        refuseWhenStopped("list " + directory);
        String prefix = directory.isEmpty() ? "" : directory + "/";
        return names.keySet().stream()
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()).split("/", 2)[0])
                .distinct()
                .sorted()
                .toList();
    }

    @Override
    public synchronized void delete(String path) throws IOException {
        begin("delete " + path);
        names.remove(path);
        end("delete " + path);
    }

    @Override
    public synchronized void forceDirectory(String directory) throws IOException {
        begin("force names of " + directory);
        durableNames.keySet().removeIf(path -> isIn(path, directory) && !names.containsKey(path));
        names.forEach((path, content) -> {
            if (isIn(path, directory)) {
                durableNames.put(path, content);
            }
        });
        end("force names of " + directory);
    }

    @Override
    public synchronized MemorySegment map(String path, Arena arena) throws IOException {
        refuseWhenStopped("map " + path);
        reads++;
        Content content = existing(path);
        mapped.computeIfAbsent(path, _ -> new ArrayList<>()).add(arena);
        MemorySegment segment = arena.allocate(content.size, 4_096);
        MemorySegment.copy(MemorySegment.ofArray(content.bytes), 0, segment, 0, content.size);
        return segment.asReadOnly();
    }

    @Override
    public synchronized long freeBytes() throws IOException {
        refuseWhenStopped("ask for free bytes");
        return Math.max(0, capacity - used());
    }

    private long used() {
        return names.values().stream().mapToLong(content -> content.size).sum();
    }

    private Content existing(String path) throws NoSuchFileException {
        Content content = names.get(path);
        if (content == null) {
            throw new NoSuchFileException(path);
        }
        return content;
    }

    private static boolean isIn(String path, String directory) {
        int slash = path.lastIndexOf('/');
        return directory.equals(slash < 0 ? "" : path.substring(0, slash));
    }

    /**
     * Counts an effect. Where everything stops in it, it is by chance not done at all, or done
     * without anybody hearing of it: then {@link #end} says so.
     */
    private void begin(String effect) throws IOException {
        refuseWhenStopped(effect);
        effects++;
        if (hasStopped() && random.nextBoolean()) {
            throw new StoppedException(effect);
        }
    }

    private void end(String effect) throws IOException {
        refuseWhenStopped(effect);
    }

    private void refuseWhenStopped(String what) throws IOException {
        if (effects >= stopAt) {
            throw new StoppedException(what);
        }
    }

    private static final class Content {
        private byte[] bytes = new byte[0];
        private int size;
        private byte[] durable = new byte[0];
        private int durableSize;

        private void write(ByteBuffer source, int start) {
            int length = source.remaining();
            reserve(start + length);
            source.get(bytes, start, length);
            size = Math.max(size, start + length);
        }

        private void reserve(int capacity) {
            if (capacity > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(capacity, 2 * bytes.length));
            }
        }

        private void resize(int newSize) {
            if (newSize < size) {
                Arrays.fill(bytes, newSize, size, (byte) 0);
            }
            reserve(newSize);
            size = newSize;
        }

        private Content afterCrash(Loss loss, Random random) {
            var after = new Content();
            after.bytes = Arrays.copyOf(durable, Math.max(durable.length, bytes.length));
            after.size = durableSize;
            if (loss == Loss.SOME) {
                after.size = random.nextBoolean() ? size : durableSize;
                for (int sector = 0; sector < size; sector += SECTOR) {
                    if (random.nextBoolean()) {
                        int end = Math.min(size, sector + SECTOR);
                        System.arraycopy(bytes, sector, after.bytes, sector, end - sector);
                    }
                }
                Arrays.fill(after.bytes, after.size, after.bytes.length, (byte) 0);
            }
            after.durable = after.bytes.clone();
            after.durableSize = after.size;
            return after;
        }
    }

    private final class FaultyFile implements LogFile {
        private final String path;
        private @Nullable Content content;

        private FaultyFile(String path, Content content) {
            this.path = path;
            this.content = content;
        }

        @Override
        public long size() throws IOException {
            synchronized (FaultyLogFiles.this) {
                refuseWhenStopped("ask for the size of " + path);
                return content().size;
            }
        }

        @Override
        public void write(ByteBuffer source, long offset) throws IOException {
            synchronized (FaultyLogFiles.this) {
                refuseWhenStopped("write " + path);
                int start = Math.toIntExact(offset);
                long grows = Math.max(0, start + source.remaining() - (long) content().size);
                if (used() + grows > capacity) {
                    throw new IOException("no space left on device: " + path);
                }
                effects++;
                writes++;
                if (hasStopped()) {
                    source.limit(source.position() + random.nextInt(source.remaining() + 1));
                }
                content().write(source, start);
                end("write " + path);
            }
        }

        @Override
        public int read(ByteBuffer into, long offset) throws IOException {
            synchronized (FaultyLogFiles.this) {
                refuseWhenStopped("read " + path);
                reads++;
                int start = (int) Math.min(offset, content().size);
                int length = Math.min(into.remaining(), content().size - start);
                into.put(content().bytes, start, length);
                return length;
            }
        }

        @Override
        public void force() throws IOException {
            Content forced;
            byte[] bytes;
            int size;
            synchronized (FaultyLogFiles.this) {
                begin("force " + path);
                forces++;
                if (forces == failingForce) {
                    throw new IOException("input/output error: force of " + path);
                }
                forced = content();
                bytes = forced.bytes.clone();
                size = forced.size;
            }
            forcing.acquireUninterruptibly();
            forcing.release();
            synchronized (FaultyLogFiles.this) {
                forced.durable = bytes;
                forced.durableSize = size;
                end("force " + path);
            }
        }

        @Override
        public void resize(long size) throws IOException {
            synchronized (FaultyLogFiles.this) {
                begin("resize " + path);
                content().resize(Math.toIntExact(size));
                end("resize " + path);
            }
        }

        @Override
        public void close() {
            synchronized (FaultyLogFiles.this) {
                if (content != null) {
                    content = null;
                    openFiles--;
                }
            }
        }

        private Content content() {
            if (content == null) {
                throw new IllegalStateException("the file is closed: " + path);
            }
            return content;
        }
    }
}
