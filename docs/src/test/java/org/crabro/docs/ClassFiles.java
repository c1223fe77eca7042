package org.crabro.docs;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The bytes of compiled classes. */
final class ClassFiles {
    /** Modules that this one does not depend on, so that a build of it may not contain them. */
    private static final Set<String> BUILT_APART = Set.of("perf", "samples");

    private ClassFiles() {}

    static List<byte[]> of(JavaClasses classes) throws IOException {
        var files = new ArrayList<byte[]>();
        for (JavaClass type : classes) {
            try (InputStream file = type.getSource().orElseThrow().getUri().toURL().openStream()) {
                files.add(file.readAllBytes());
            }
        }
        return files;
    }

    /** Returns the classes of the modules below this one. */
    static List<byte[]> ofProduct() throws IOException {
        return ofModules("target/classes");
    }

    /** Returns the tests of the modules below this one. They are not on its class path. */
    static List<byte[]> ofTests() throws IOException {
        return ofModules("target/test-classes");
    }

    private static List<byte[]> ofModules(String name) throws IOException {
        Path root = Path.of(System.getProperty("crabro.root", ".."));
        var files = new ArrayList<byte[]>();
        for (String module :
                JavaSource.all(SourceTree.ofRepository()).stream()
                        .map(JavaSource::module)
                        .filter(module -> !BUILT_APART.contains(module))
                        .distinct()
                        .toList()) {
            Path folder = root.resolve(module).resolve(name);
            if (Files.isDirectory(folder)) {
                addAll(folder, files);
            }
        }
        if (files.isEmpty()) {
            throw new IOException("no classes in " + name + " of any module");
        }
        return files;
    }

    private static void addAll(Path folder, List<byte[]> into) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.filter(each -> each.toString().endsWith(".class")).toList()) {
                into.add(Files.readAllBytes(path));
            }
        }
    }
}
