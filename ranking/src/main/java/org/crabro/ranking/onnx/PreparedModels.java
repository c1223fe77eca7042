package org.crabro.ranking.onnx;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Copies of model files that ONNX Runtime has optimized for this processor. They contain the
 * weights in the order in which its kernels read them. Sessions map these weights to memory and
 * have no copy of their own, so a further session needs memory only for its runs.
 *
 * <p>A copy is made when a model is first loaded, and used again after a restart. It is as large as
 * its model, or twice as large. Safe for use by many threads.
 */
public final class PreparedModels {
    /** Smaller models gain too little. */
    static final long MODEL_BYTES_MIN = 4 << 20;

    /** The maximum size of all copies. */
    static final long FOLDER_BYTES_MAX = 32L << 30;

    /** The disk keeps this much. */
    private static final long FREE_BYTES_MIN = 2L << 30;

    /** A copy is at most this many times as large as its model. */
    private static final int GROWTH_MAX = 3;

    /** A start removes copies that no model was loaded from for so long. */
    private static final Duration UNUSED_MAX = Duration.ofDays(30);

    /** So many names are remembered. */
    private static final int NAMES_MAX = 1_000;

    private static final String MODEL = "model.onnx";
    private static final String WEIGHTS = "weights";

    /** The end of the names of copies that are being made. */
    private static final String PART = ".part";

    private static volatile Optional<PreparedModels> shared = Optional.empty();

    private final Path folder;
    private final long bytesMax;

    /** How many models are loaded from a copy; guarded by this. */
    private final Map<Path, Integer> uses = new HashMap<>();

    /** The names of the copies of files that were read; guarded by this. */
    private final Map<FileVersion, Optional<String>> names = new HashMap<>();

    /** A file with its content. */
    private record FileVersion(Path file, long bytes, FileTime modified) {}

    private PreparedModels(Path folder, long bytesMax) {
        this.folder = folder;
        this.bytesMax = bytesMax;
    }

    /**
     * Keeps the copies of this process in {@code folder}, which no other process uses. Models that
     * are loaded before have none.
     *
     * @throws IOException if the folder cannot be written
     */
    public static void keepIn(Path folder) throws IOException {
        shared = Optional.of(in(folder, FOLDER_BYTES_MAX));
    }

    /**
     * Keeps copies of up to {@code bytesMax} bytes in a folder, and removes unused ones from it.
     */
    static PreparedModels in(Path folder, long bytesMax) throws IOException {
        Instant oldest = Instant.now().minus(UNUSED_MAX);
        for (Path each : copies(Files.createDirectories(folder))) {
            if (each.toString().endsWith(PART) || used(each).isBefore(oldest)) {
                remove(each);
            }
        }
        return new PreparedModels(folder, bytesMax);
    }

    /** Returns those of this process; empty without a folder for them. */
    static Optional<PreparedModels> shared() {
        return shared;
    }

    /** A copy in use. The owner closes it after the sessions. */
    final class Copy implements SessionSource {
        private final Path directory;

        private Copy(Path directory) {
            this.directory = directory;
        }

        @Override
        public OrtSession load(SessionOptions options) throws OrtException {
            // The copy is optimized already.
            options.setOptimizationLevel(SessionOptions.OptLevel.NO_OPT);
            return OnnxEnvironment.session(directory.resolve(MODEL), options);
        }

        @Override
        public void close() {
            synchronized (PreparedModels.this) {
                uses.computeIfPresent(
                        directory, (_, count) -> count == 1 ? null : Integer.valueOf(count - 1));
            }
        }
    }

    /**
     * Returns the copy of a model, and makes it if there is none.
     *
     * @return empty for models that are small or have weights in other files, on a processor that
     *     does not describe itself, and if the disk or the folder is full
     * @throws IOException if the copy cannot be written
     * @throws OrtException if ONNX Runtime does not take the model
     */
    synchronized Optional<Copy> of(Path model, ModelSessions.Options options)
            throws IOException, OrtException {
        long bytes = Files.size(model);
        if (bytes < MODEL_BYTES_MIN || ModelSignature.read(model).hasExternalData()) {
            return Optional.empty();
        }
        Optional<String> name = name(model);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Path directory = folder.resolve(name.get());
        if (Files.isDirectory(directory)) {
            Files.setLastModifiedTime(directory, FileTime.from(Instant.now()));
        } else if (!hasRoom(bytes * GROWTH_MAX)) {
            return Optional.empty();
        } else {
            make(model, options, directory);
        }
        uses.merge(directory, 1, Integer::sum);
        return Optional.of(new Copy(directory));
    }

    /** Returns the name of a copy; the same file is read once. */
    private Optional<String> name(Path model) throws IOException {
        var version = new FileVersion(model, Files.size(model), Files.getLastModifiedTime(model));
        Optional<String> cached = names.get(version);
        if (cached == null) {
            cached = PreparedName.of(model);
            if (names.size() == NAMES_MAX) {
                names.clear();
            }
            names.put(version, cached);
        }
        return cached;
    }

    private static void make(Path model, ModelSessions.Options options, Path directory)
            throws IOException, OrtException {
        Path part = directory.resolveSibling(directory.getFileName() + PART);
        remove(part);
        Files.createDirectories(part);
        try {
            try (SessionOptions made = options.create()) {
                made.setIntraOpNumThreads(1);
                made.setInterOpNumThreads(1);
                // A warning says that the copy is for this processor alone.
                made.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
                made.setOptimizedModelFilePath(part.resolve(MODEL).toString());
                made.addConfigEntry(
                        "session.optimized_model_external_initializers_file_name", WEIGHTS);
                made.addConfigEntry(
                        "session.optimized_model_external_initializers_min_size_in_bytes",
                        Long.toString(ModelWeights.SHARED_BYTES));
                made.addConfigEntry("session.save_external_prepacked_constant_initializers", "1");
                OnnxEnvironment.session(model, made).close();
            }
            // A copy that a power cut leaves incomplete must not get its final name.
            for (Path each : files(part)) {
                force(each, StandardOpenOption.WRITE);
            }
            force(part, StandardOpenOption.READ);
            Files.move(part, directory, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            remove(part);
        }
    }

    private static void force(Path path, StandardOpenOption access) throws IOException {
        try (FileChannel channel = FileChannel.open(path, access)) {
            channel.force(true);
        }
    }

    /** Removes copies that no model uses, the longest unused ones first, if room is needed. */
    private boolean hasRoom(long bytes) throws IOException {
        var others = new ArrayList<Path>(copies(folder));
        others.sort(Comparator.comparing(PreparedModels::used));
        long free = Files.getFileStore(folder).getUsableSpace() - FREE_BYTES_MIN;
        long total = 0;
        for (Path each : others) {
            total += size(each);
        }
        for (Path each : others) {
            if (!uses.containsKey(each) && (total + bytes > bytesMax || bytes > free)) {
                long size = size(each);
                remove(each);
                total -= size;
                free += size;
            }
        }
        return total + bytes <= bytesMax && bytes <= free;
    }

    private static List<Path> copies(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isDirectory).toList();
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        }
    }

    private static Instant used(Path copy) {
        try {
            return Files.getLastModifiedTime(copy).toInstant();
        } catch (IOException _) {
            // It can be removed first.
            return Instant.MIN;
        }
    }

    private static long size(Path copy) throws IOException {
        long bytes = 0;
        for (Path each : files(copy)) {
            bytes += Files.size(each);
        }
        return bytes;
    }

    private static void remove(Path copy) throws IOException {
        try {
            for (Path each : files(copy)) {
                Files.delete(each);
            }
            Files.delete(copy);
        } catch (NoSuchFileException _) {
            // There is none.
        }
    }
}
