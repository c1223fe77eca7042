package org.crabro.docs;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import java.util.TreeSet;

/** The types of storage that another module of content uses. */
final class StorageWalls {
    private static final String CONTENT = "org.crabro.content.";
    private static final String STORAGE = CONTENT + "storage.";

    private StorageWalls() {}

    /**
     * Returns the top-level types of storage, without the package that all have, sorted.
     *
     * @param module such as {@code search}
     */
    static List<String> typesUsedBy(String module, JavaClasses classes) {
        var types = new TreeSet<String>();
        for (JavaClass type : classes) {
            if (!type.getPackageName().startsWith(CONTENT + module + ".")) {
                continue;
            }
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass used = dependency.getTargetClass().getBaseComponentType();
                if (used.getPackageName().startsWith(STORAGE)) {
                    types.add(topLevel(used).getName().substring(STORAGE.length()));
                }
            }
        }
        return List.copyOf(types);
    }

    private static JavaClass topLevel(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }
}
