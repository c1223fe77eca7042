package org.crabro.samples;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.crabro.component.Component;

/** Compiles what somebody writes who knows no more than the module of documents. */
final class OwnJar {
    private OwnJar() {}

    /**
     * Returns a jar.
     *
     * @param sources by path, such as {@code shop/Hello.java}
     * @param work an empty directory
     */
    static byte[] of(Map<String, String> sources, Path work) throws Exception {
        Path classes = Files.createDirectories(work.resolve("classes"));
        Path documents =
                Path.of(
                        Component.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        var arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "-cp",
                                documents.toString(),
                                "-d",
                                classes.toString()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = work.resolve("src").resolve(source.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
            arguments.add(file.toString());
        }
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, arguments.toArray(String[]::new));
        if (status != 0) {
            throw new IllegalStateException("the classes cannot be compiled");
        }
        return packed(classes);
    }

    private static byte[] packed(Path classes) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var jar = new JarOutputStream(bytes);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                jar.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, jar);
            }
        }
        return bytes.toByteArray();
    }
}
