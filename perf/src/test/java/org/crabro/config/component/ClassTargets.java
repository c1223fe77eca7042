package org.crabro.config.component;

import java.lang.classfile.constantpool.ConstantPoolException;
import java.util.List;
import org.crabro.perf.FuzzTarget;

/** Class files in the jars of packages. */
public final class ClassTargets {
    private ClassTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes(
                        "class-files", ClassTargets::read, IllegalArgumentException.class));
    }

    private static void read(byte[] bytes) {
        try {
            JarClass.read(bytes);
        } catch (ConstantPoolException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
