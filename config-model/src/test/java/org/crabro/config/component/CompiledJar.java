package org.crabro.config.component;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A jar of classes that a test writes down. */
final class CompiledJar {
    private final Map<String, String> sources = new TreeMap<>();
    private final Map<String, String> manifest = new TreeMap<>();

    /** Adds a class of package {@code my}, of which the component interface is imported. */
    CompiledJar with(String name, String source) {
        sources.put(
                name,
                "package my;\nimport java.util.*;\nimport org.crabro.component.*;\n" + source);
        return this;
    }

    CompiledJar calledBundle(String name) {
        manifest.put("Bundle-SymbolicName", name);
        return this;
    }

    /** Compiles the classes into a jar at {@code jar}. */
    void write(Path jar) throws IOException {
        Path work = Files.createTempDirectory("jar");
        var arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "-nowarn",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                work.resolve("classes").toString()));
        for (var source : sources.entrySet()) {
            Path file = work.resolve("my").resolve(source.getKey() + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
            arguments.add(file.toString());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("the classes of a test cannot be compiled");
        }
        var all = new Manifest();
        all.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.forEach((name, value) -> all.getMainAttributes().putValue(name, value));
        Files.createDirectories(jar.toAbsolutePath().getParent());
        Path classes = work.resolve("classes");
        try (OutputStream out = Files.newOutputStream(jar);
                var entries = new JarOutputStream(out, all);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                entries.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, entries);
            }
        }
    }
}
