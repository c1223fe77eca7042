package org.crabro.content.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Files that track which bytes were forced, and that fail on request.
 *
 * <p>{@link #afterCrash} returns the files after a crash of the process, or a loss of power, at
 * this moment. {@link #stopAfter} stops the process in the middle of an effect, and tears it if it
 * is a write. {@link #failAfter} makes a single effect fail, {@link #limitFree} limits the space.
 * Random choices use the random numbers given at the start.
 *
 * <p>Registered as an extension, they fail a test that leaves a file open or mapped.
 */
public final class FaultyLogFiles implements LogFiles, AfterEachCallback {
    /** The effect of a crash on bytes and names that were not forced. */
    public enum Loss {
        /** All of them are lost. */
        EVERYTHING,
        /** Each sector and each name has a random one of its states since the last force. */
        SOME,
        /**
         * None is lost: the process ended and the machine continues. They are still not forced, so
         * the next crash may lose them.
         */
        NOTHING
    }

    /** The effects that can fail. */
    public enum Effect {
        CREATE,
        OPEN,
        READ,
        MAP,
        WRITE,
        RESIZE,
        /** The state of the bytes to force is unknown, and the next force does not write them. */
        FORCE,
        DELETE,
        /** The file has one of both paths afterwards. */
        MOVE,
        FORCE_DIRECTORY
    }

    /** The process ended here. */
    public static final class StoppedException extends IOException {
        private static final long serialVersionUID = 1;

        StoppedException(String effect) {
            super("stopped before or during: " + effect);
        }
    }

    private final Random random;
    private final Map<String, FaultyContent> names = new TreeMap<>();
    private final Map<String, FaultyContent> durableNames = new TreeMap<>();
    private final Semaphore forcing = new Semaphore(1);
    private final Map<String, List<Arena>> mapped = new TreeMap<>();

    /** The files whose name was deleted, and that take space until they are closed. */
    private final List<FaultyContent> nameless = new ArrayList<>();

    /** By content: the previous path of files that were moved and whose new path was not forced. */
    private final IdentityHashMap<FaultyContent, String> moved = new IdentityHashMap<>();

    private final Map<Effect, Integer> counts = new EnumMap<>(Effect.class);
    private final Map<Effect, Integer> failing = new EnumMap<>(Effect.class);

    private long capacity = Long.MAX_VALUE;
    private int effects;
    private int forces;
    private int openFiles;
    private String failingNames = "";
    private int stopAt = Integer.MAX_VALUE;

    public FaultyLogFiles(Random random) {
        this.random = random;
    }

    /** Stops the process in the {@code count}-th write, force, or change of names from now on. */
    public synchronized void stopAfter(int count) {
        stopAt = effects + count;
    }

    /** Makes the {@code count}-th force of a file from now on fail. */
    public synchronized void failForceAfter(int count) {
        failAfter(Effect.FORCE, count);
    }

    /** Makes the {@code count}-th effect of a kind from now on fail; later ones succeed. */
    public synchronized void failAfter(Effect effect, int count) {
        failing.put(effect, counts.getOrDefault(effect, 0) + count);
    }

    /** Cancels the pending failures of {@link #failAfter}. */
    public synchronized void failNothing() {
        failing.clear();
    }

    /** Limits the stored bytes to {@code bytes}. */
    public synchronized void limitCapacity(long bytes) {
        capacity = bytes;
    }

    /** Limits the stored bytes to {@code bytes} more than now. */
    public synchronized void limitFree(long bytes) {
        capacity = used() + bytes;
    }

    /** Makes the creation of files fail whose path begins with {@code prefix}. */
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

    /** Returns the number of forces of files that began. */
    public synchronized int forces() {
        return forces;
    }

    /** Returns the number of writes. */
    public synchronized int writes() {
        return counts.getOrDefault(Effect.WRITE, 0);
    }

    /** Returns the number of reads and mappings. */
    public synchronized int reads() {
        return counts.getOrDefault(Effect.READ, 0) + counts.getOrDefault(Effect.MAP, 0);
    }

    /** Returns the number of effects: writes, forces, changes of names and sizes. */
    public synchronized int effects() {
        return effects;
    }

    /** Returns whether the process was stopped by {@link #stopAfter}. */
    public synchronized boolean hasStopped() {
        return effects >= stopAt;
    }

    /** Returns the files that have a name, with their sizes. */
    public synchronized Map<String, Integer> names() {
        var sizes = new TreeMap<String, Integer>();
        names.forEach((path, content) -> sizes.put(path, content.size()));
        return sizes;
    }

    /** Returns the number of open files. */
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

    /** Fails if a file is open or mapped. */
    public void checkNothingIsLeft() {
        assertThat(openFiles()).as("files left open").isZero();
        assertThat(mappedFiles()).as("files left mapped").isEmpty();
    }

    /** Flips a bit of the stored and forced bytes, like a faulty device. */
    public synchronized void damage(String path, long offset) throws IOException {
        damage(path, offset, 0);
    }

    /** Flips one of the eight bits of a stored and forced byte. */
    public synchronized void damage(String path, long offset, int bit) throws IOException {
        existing(path).flip((int) offset, bit);
    }

    /** Returns the files after a crash at this moment. */
    public synchronized FaultyLogFiles afterCrash(Loss loss) {
        var recovered = new FaultyLogFiles(random);
        var retained = new TreeMap<>(loss == Loss.NOTHING ? names : durableNames);
        if (loss == Loss.SOME) {
            names.forEach((path, content) -> keepByChance(retained, path, content));
            durableNames.forEach((path, _) -> {
                if (!names.containsKey(path) && random.nextBoolean()) {
                    retained.remove(path);
                }
            });
        }
        if (loss == Loss.SOME) {
            keepMoved(retained);
        }
        var after = new IdentityHashMap<FaultyContent, FaultyContent>();
        retained.forEach((path, content) ->
                recovered.names.put(
                        path, after.computeIfAbsent(content, each -> each.after(loss, random))));
        if (loss == Loss.NOTHING) {
            durableNames.forEach((path, content) ->
                    recovered.durableNames.put(
                            path,
                            after.computeIfAbsent(content, each -> each.after(loss, random))));
        } else {
            recovered.durableNames.putAll(recovered.names);
        }
        return recovered;
    }

    /** A change of a name is atomic. */
    private void keepMoved(Map<String, FaultyContent> retained) {
        moved.forEach((content, before) -> {
            if (durableNames.get(before) == content && !retained.containsValue(content)) {
                retained.put(before, content);
            }
        });
    }

    private void keepByChance(
            Map<String, FaultyContent> retained, String path, FaultyContent content) {
        if (retained.get(path) != content && random.nextBoolean()) {
            retained.put(path, content);
        }
    }

    @Override
    public synchronized LogFile create(String path) throws IOException {
        begin(Effect.CREATE, "create " + path);
        if (!failingNames.isEmpty() && path.startsWith(failingNames)) {
            throw new IOException("input/output error: create " + path);
        }
        if (names.containsKey(path)) {
            throw new FileAlreadyExistsException(path);
        }
        var content = new FaultyContent();
        names.put(path, content);
        end("create " + path);
        openFiles++;
        return new FaultyFile(path, content);
    }

    @Override
    public synchronized LogFile open(String path) throws IOException {
        refuseWhenStopped("open " + path);
        count(Effect.OPEN, path);
        FaultyContent content = existing(path);
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
        begin(Effect.DELETE, "delete " + path);
        FaultyContent content = names.remove(path);
        if (content != null) {
            nameless.add(content);
        }
        end("delete " + path);
    }

    @Override
    public synchronized void move(String path, String newPath) throws IOException {
        begin(Effect.MOVE, "move " + path);
        FaultyContent content = existing(path);
        if (names.putIfAbsent(newPath, content) != null) {
            throw new FileAlreadyExistsException(newPath);
        }
        names.remove(path);
        moved.put(content, path);
        end("move " + path);
        forceDirectory(directoryOf(newPath));
        forceDirectory(directoryOf(path));
        moved.remove(content);
    }

    private static String directoryOf(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    @Override
    public synchronized void forceDirectory(String directory) throws IOException {
        begin(Effect.FORCE_DIRECTORY, "force names of " + directory);
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
        count(Effect.MAP, path);
        FaultyContent content = existing(path);
        mapped.computeIfAbsent(path, _ -> new ArrayList<>()).add(arena);
        return content.map(arena);
    }

    @Override
    public synchronized OptionalLong totalBytes() {
        return capacity == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(capacity);
    }

    @Override
    public synchronized long freeBytes() throws IOException {
        refuseWhenStopped("ask for free bytes");
        return Math.max(0, capacity - used());
    }

    private long used() {
        nameless.removeIf(content -> !content.isInUse());
        long used = 0;
        for (FaultyContent content : names.values()) {
            used += content.size();
        }
        for (FaultyContent content : nameless) {
            used += content.size();
        }
        return used;
    }

    private FaultyContent existing(String path) throws NoSuchFileException {
        FaultyContent content = names.get(path);
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
     * Counts an effect. If the process stops in it, the effect is randomly either not performed, or
     * performed without returning: then {@link #end} throws.
     */
    private void begin(Effect kind, String effect) throws IOException {
        refuseWhenStopped(effect);
        count(kind, effect);
        effects++;
        if (hasStopped() && random.nextBoolean()) {
            throw new StoppedException(effect);
        }
    }

    private void count(Effect kind, String effect) throws IOException {
        int count = counts.merge(kind, 1, Integer::sum);
        if (count == failing.getOrDefault(kind, 0)) {
            throw new IOException("input/output error: " + effect);
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

    private final class FaultyFile implements LogFile {
        private final String path;
        private @Nullable FaultyContent content;

        private FaultyFile(String path, FaultyContent content) {
            this.path = path;
            this.content = content;
            content.open();
        }

        @Override
        public long size() throws IOException {
            synchronized (FaultyLogFiles.this) {
                refuseWhenStopped("ask for the size of " + path);
                return content().size();
            }
        }

        @Override
        public void write(ByteBuffer source, long offset) throws IOException {
            synchronized (FaultyLogFiles.this) {
                String effect = "write " + path;
                refuseWhenStopped(effect);
                int start = Math.toIntExact(offset);
                long grows = start + source.remaining() - (long) content().size();
                long excess = Math.min(grows, used() + grows - capacity);
                if (excess > 0) {
                    // A system may write the part that fits, or nothing.
                    int fits = random.nextBoolean() ? source.remaining() - (int) excess : 0;
                    content().write(source.slice(source.position(), Math.max(0, fits)), start);
                    throw new IOException("no space left on device: " + path);
                }
                count(Effect.WRITE, effect);
                effects++;
                if (hasStopped()) {
                    source.limit(source.position() + random.nextInt(source.remaining() + 1));
                }
                content().write(source, start);
                end(effect);
            }
        }

        @Override
        public int read(ByteBuffer into, long offset) throws IOException {
            synchronized (FaultyLogFiles.this) {
                refuseWhenStopped("read " + path);
                count(Effect.READ, "read " + path);
                return content().read(into, offset);
            }
        }

        @Override
        public void force() throws IOException {
            String effect = "force " + path;
            FaultyContent forced;
            long changes;
            synchronized (FaultyLogFiles.this) {
                forced = content();
                forces++;
                try {
                    begin(Effect.FORCE, effect);
                } catch (StoppedException e) {
                    throw e;
                } catch (IOException e) {
                    forced.failForce(random);
                    throw e;
                }
                changes = forced.changes();
            }
            forcing.acquireUninterruptibly();
            forcing.release();
            synchronized (FaultyLogFiles.this) {
                forced.makeDurable(changes);
                end(effect);
            }
        }

        @Override
        public void resize(long size) throws IOException {
            synchronized (FaultyLogFiles.this) {
                if (used() + size - content().size() > Math.max(capacity, used())) {
                    throw new IOException("no space left on device: " + path);
                }
                begin(Effect.RESIZE, "resize " + path);
                content().resize(Math.toIntExact(size));
                end("resize " + path);
            }
        }

        @Override
        public void close() {
            synchronized (FaultyLogFiles.this) {
                if (content != null) {
                    content.close();
                    content = null;
                    openFiles--;
                }
            }
        }

        private FaultyContent content() {
            if (content == null) {
                throw new IllegalStateException("the file is closed: " + path);
            }
            return content;
        }
    }
}
