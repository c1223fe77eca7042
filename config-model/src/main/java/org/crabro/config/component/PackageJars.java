package org.crabro.config.component;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.crabro.component.Component;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.jspecify.annotations.Nullable;

/**
 * The jars in a package's {@code components/}, and the classes in them. It reads names in the
 * constructor, and class files on demand. Not thread-safe.
 */
public final class PackageJars {
    /** The maximum number of jars of a package. */
    static final int JARS_MAX = 100;

    /** Bytes of a jar. */
    static final long JAR_BYTES_MAX = 256L << 20;

    /** Files in a jar. */
    static final int ENTRIES_MAX = 100_000;

    /** The maximal bytes of a class file. */
    static final int CLASS_BYTES_MAX = 4 << 20;

    /** How far up the parents of a class are followed. */
    private static final int PARENTS_MAX = 1_000;

    private static final String SUFFIX = ".class";
    private static final String API = Component.class.getPackageName() + ".";

    /** By path in the package, in the order in which classes are looked for. */
    private final Map<String, Jar> jars = new LinkedHashMap<>();

    private final Map<String, Optional<JarClass>> read = new HashMap<>();

    /**
     * A jar.
     *
     * @param bundle its name in services.xml
     */
    private record Jar(String path, String bundle, Path location, Set<String> classes) {}

    private PackageJars() {}

    /** Returns the jars of a package, and reports problems. */
    public static PackageJars read(ApplicationFiles files, Findings findings) {
        var jars = new PackageJars();
        for (String path : files.paths()) {
            if (!path.matches("components/[^/]+\\.jar")) {
                continue;
            }
            if (jars.jars.size() == JARS_MAX) {
                findings.problem(
                        "components/: more than %d jars; at most %d are allowed"
                                .formatted(JARS_MAX, JARS_MAX));
                return jars;
            }
            try {
                jars.jars.put(path, jar(path, files.location(path).orElseThrow(), findings));
            } catch (IOException e) {
                findings.problem("%s: no jar that can be read: %s".formatted(path, e.getMessage()));
            }
        }
        return jars;
    }

    private static Jar jar(String path, Path location, Findings findings) throws IOException {
        if (Files.size(location) > JAR_BYTES_MAX) {
            throw new IOException(
                    "it has more than the %,d bytes that are allowed".formatted(JAR_BYTES_MAX));
        }
        var classes = new HashSet<String>();
        try (var file = new JarFile(location.toFile(), false)) {
            if (file.size() > ENTRIES_MAX) {
                throw new IOException(
                        "it has more than the %,d files that are allowed".formatted(ENTRIES_MAX));
            }
            Optional<String> inside = Optional.empty();
            for (Enumeration<JarEntry> each = file.entries(); each.hasMoreElements(); ) {
                String name = each.nextElement().getName();
                if (name.endsWith(SUFFIX) && !name.startsWith("META-INF/")) {
                    String className = name.substring(0, name.length() - SUFFIX.length());
                    classes.add(className.replace('/', '.'));
                } else if (name.endsWith(".jar")) {
                    inside = inside.or(() -> Optional.of(name));
                }
            }
            inside.ifPresent(name ->
                    findings.warn(
                            "%s: the jar %s inside is not read; put it into components/, or its classes into"
                                            .formatted(path, name)
                                    + " this one"));
            return new Jar(path, bundle(path, file.getManifest()), location, classes);
        }
    }

    private static String bundle(String path, @Nullable Manifest manifest) {
        String name =
                manifest == null
                        ? null
                        : manifest.getMainAttributes().getValue("Bundle-SymbolicName");
        return name == null
                ? path.substring(path.lastIndexOf('/') + 1, path.length() - ".jar".length())
                : name.split(";", 2)[0].strip();
    }

    /** Returns the paths of the jars, in the order of the class search. */
    public List<Path> locations() {
        return jars.values().stream().map(Jar::location).toList();
    }

    /** Returns the paths of the jars in the package. */
    Set<String> paths() {
        return jars.keySet();
    }

    /** Returns the names of jars in services.xml. */
    Set<String> bundles() {
        var bundles = new TreeSet<String>();
        jars.values().forEach(jar -> bundles.add(jar.bundle));
        return bundles;
    }

    /** Returns the paths of the jars that have a class, limited to one bundle if it is given. */
    List<String> holding(String className, Optional<String> bundle) {
        return jars.values().stream()
                .filter(jar -> bundle.isEmpty() || bundle.get().equals(jar.bundle))
                .filter(jar -> jar.classes.contains(className))
                .map(Jar::path)
                .toList();
    }

    /** Returns the names of all classes, limited to one bundle if it is given. */
    Set<String> classes(Optional<String> bundle) {
        var classes = new HashSet<String>();
        jars.values().stream()
                .filter(jar -> bundle.isEmpty() || bundle.get().equals(jar.bundle))
                .forEach(jar -> classes.addAll(jar.classes));
        return classes;
    }

    /**
     * Returns the declarations of a class file; empty if no jar has it.
     *
     * @throws IllegalArgumentException if it is no class file
     */
    Optional<JarClass> find(String className) {
        Optional<JarClass> inJar = read.get(className);
        if (inJar == null) {
            inJar = load(className);
            read.put(className, inJar);
        }
        return inJar;
    }

    private Optional<JarClass> load(String className) {
        for (Jar jar : jars.values()) {
            if (jar.classes.contains(className)) {
                String entry = className.replace('.', '/') + SUFFIX;
                try (var file = new JarFile(jar.location.toFile(), false);
                        InputStream in =
                                file.getInputStream(
                                        Objects.requireNonNull(file.getJarEntry(entry)))) {
                    byte[] bytes = in.readNBytes(CLASS_BYTES_MAX + 1);
                    if (bytes.length > CLASS_BYTES_MAX) {
                        throw new IllegalArgumentException(
                                "it has more than %,d bytes".formatted(CLASS_BYTES_MAX));
                    }
                    return Optional.of(JarClass.read(bytes));
                } catch (IOException e) {
                    // The message of an EOFException is null.
                    throw new IllegalArgumentException("it cannot be read: " + e, e);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether a class is a subtype of a type, as far as the jars and the interface show.
     */
    boolean isA(String className, String type) {
        var seen = new HashSet<String>();
        var open = new ArrayList<>(List.of(className));
        while (!open.isEmpty() && seen.size() < PARENTS_MAX) {
            String next = open.removeLast();
            if (!seen.add(next)) {
                continue;
            }
            if (next.equals(type) || isOfInterface(next, type)) {
                return true;
            }
            find(next)
                    .ifPresent(jarClass -> {
                        jarClass.supertypes().parent().ifPresent(open::add);
                        open.addAll(jarClass.supertypes().interfaces());
                    });
        }
        return false;
    }

    /** Returns whether a class is one that components see, and a kind of {@code type}. */
    private static boolean isOfInterface(String className, String type) {
        if (!className.startsWith(API) || !type.startsWith(API)) {
            return false;
        }
        try {
            ClassLoader own = PackageJars.class.getClassLoader();
            return Class.forName(type, false, own)
                    .isAssignableFrom(Class.forName(className, false, own));
        } catch (ClassNotFoundException _) {
            return false;
        }
    }
}
