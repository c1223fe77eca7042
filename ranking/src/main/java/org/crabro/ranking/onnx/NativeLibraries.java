package org.crabro.ranking.onnx;

import ai.onnxruntime.OrtEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/**
 * Sets the folder into which the libraries that run models unpack their native parts.
 *
 * <p>By default, the tokenizer unpacks its part into the home directory. ONNX Runtime unpacks its
 * own into a new temporary folder at each start, and a killed process leaves that folder. A server
 * sets one folder before it opens its first model, and later starts use the unpacked files again.
 */
public final class NativeLibraries {
    private NativeLibraries() {}

    /**
     * Makes {@code folder} the place, for the whole process. Has no effect on libraries that were
     * loaded before.
     *
     * @throws IOException if the folder cannot be written
     */
    public static void unpackInto(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        System.setProperty("ENGINE_CACHE_DIR", absolute.toString());
        Path runtime = Files.createDirectories(absolute.resolve("onnxruntime"));
        boolean isComplete = true;
        for (String library : List.of("onnxruntime", "onnxruntime4j_jni")) {
            isComplete &= unpack(System.mapLibraryName(library), runtime);
        }
        // On a platform that the jar has no library for, the runtime itself looks further.
        if (isComplete) {
            System.setProperty("onnxruntime.native.path", runtime.toString());
        }
    }

    /**
     * Prevents network access of the tokenizer's library: it would query a cloud metadata service,
     * and download native parts that it does not contain.
     */
    static void stayOffline() {
        System.setProperty("ai.djl.offline", "true");
        System.setProperty("OPT_OUT_TRACKING", "true");
    }

    private static boolean unpack(String file, Path folder) throws IOException {
        URL resource =
                OrtEnvironment.class.getResource(
                        "/ai/onnxruntime/native/" + platform() + "/" + file);
        if (resource == null) {
            return false;
        }
        URLConnection connection = resource.openConnection();
        connection.setUseCaches(false);
        Path target = folder.resolve(file);
        try (InputStream bytes = connection.getInputStream()) {
            // Versions differ in length; a name with a version would pile up old ones.
            if (!Files.exists(target) || Files.size(target) != connection.getContentLengthLong()) {
                // Two processes may start at once: each moves a whole file into place.
                Path part = Files.createTempFile(folder, file, ".part");
                Files.copy(bytes, part, StandardCopyOption.REPLACE_EXISTING);
                Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        return true;
    }

    private static String platform() {
        String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        String system = name.contains("mac") ? "osx" : name.contains("win") ? "win" : "linux";
        return system + (arch.equals("aarch64") ? "-aarch64" : "-x64");
    }
}
