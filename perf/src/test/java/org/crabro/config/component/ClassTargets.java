package org.crabro.config.component;

import java.io.IOException;
import java.lang.classfile.constantpool.ConstantPoolException;
import java.util.List;
import java.util.Optional;
import org.crabro.component.Component;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.Findings;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedDirectory;

/** The jars of packages, and class files in them. */
public final class ClassTargets {
    private ClassTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes(
                        "class-files", ClassTargets::read, IllegalArgumentException.class),
                FuzzTarget.ofBytes("component-jars", ClassTargets::jar).slow());
    }

    /** A jar that cannot be read is a problem of the package. */
    private static void jar(byte[] bytes) throws IOException {
        try (var directory = FuzzedDirectory.create()) {
            directory.write("components/a.jar", bytes);
            PackageJars jars =
                    PackageJars.read(DirectoryFiles.of(directory.path()), new Findings());
            for (String name : jars.classes(Optional.empty())) {
                try {
                    jars.isA(name, Component.class.getName());
                } catch (IllegalArgumentException e) {
                    if (e.getMessage() == null) {
                        throw e;
                    }
                }
            }
        }
    }

    private static void read(byte[] bytes) {
        try {
            JarClass.read(bytes);
        } catch (ConstantPoolException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
