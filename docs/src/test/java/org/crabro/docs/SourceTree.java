package org.crabro.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of the repository.
 *
 * @param texts path, with slashes and relative to the root, to content; of a file that is not text
 *     the content is empty
 */
public record SourceTree(SortedMap<String, String> texts) {
    private static final Set<String> FOLDERS_LEFT_OUT =
            Set.of(
                    "target",
                    ".git",
                    ".idea",
                    ".vscode",
                    ".settings",
                    "__pycache__",
                    "node_modules");

    private static final Set<String> TEXT_ENDINGS =
            Set.of(
                    "config",
                    "java",
                    "md",
                    "properties",
                    "py",
                    "sd",
                    "sh",
                    "txt",
                    "xml",
                    "yml",
                    "yaml");

    public static SourceTree of(Map<String, String> texts) {
        return new SourceTree(new TreeMap<>(texts));
    }

    /** Reads the repository that the build stands in, or, outside of a build, the module. */
    public static SourceTree ofRepository() throws IOException {
        Path root = Path.of(System.getProperty("crabro.root", ".."));
        var texts = new TreeMap<String, String>();
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes of) {
                        String name = String.valueOf(folder.getFileName());
                        return FOLDERS_LEFT_OUT.contains(name)
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes of) {
                        String path = root.relativize(file).toString().replace('\\', '/');
                        texts.put(path, isText(path) ? read(file) : "");
                        return FileVisitResult.CONTINUE;
                    }
                });
        return new SourceTree(texts);
    }

    /** Returns what stands in a file; of a file that is not there, nothing. */
    public String text(String path) {
        return texts.getOrDefault(path, "");
    }

    boolean has(String fileOrFolder) {
        if (fileOrFolder.isEmpty() || texts.containsKey(fileOrFolder)) {
            return true;
        }
        String folder = fileOrFolder.endsWith("/") ? fileOrFolder : fileOrFolder + "/";
        SortedMap<String, String> after = texts.tailMap(folder);
        return !after.isEmpty() && after.firstKey().startsWith(folder);
    }

    /** Returns whether {@code path} is text by its ending, or a script of ours. */
    static boolean isText(String path) {
        return path.startsWith("bin/")
                || path.startsWith(".ci/")
                || TEXT_ENDINGS.contains(path.substring(path.lastIndexOf('.') + 1));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " is not UTF-8 text", e);
        }
    }
}
