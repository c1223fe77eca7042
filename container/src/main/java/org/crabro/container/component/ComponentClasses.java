package org.crabro.container.component;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.crabro.component.Component;
import org.crabro.document.Document;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.tensor.TensorType;

/**
 * The class loader of a package's jars. They see the Java platform and the packages that components
 * are compiled against. A jar contains all other libraries that it needs, and these are separate
 * from the server's.
 */
final class ComponentClasses extends URLClassLoader {
    static {
        ClassLoader.registerAsParallelCapable();
    }

    ComponentClasses(List<Path> jars) {
        super(
                "components",
                jars.stream().map(ComponentClasses::url).toArray(URL[]::new),
                new Seen());
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The classes of the server that components can use. */
    private static final class Seen extends ClassLoader {
        private static final Set<String> PACKAGES =
                Set.of(
                        Component.class.getPackageName(),
                        Document.class.getPackageName(),
                        DocumentOperation.class.getPackageName(),
                        TensorType.class.getPackageName());

        static {
            ClassLoader.registerAsParallelCapable();
        }

        Seen() {
            super("component-interface", ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            int end = name.lastIndexOf('.');
            if (end > 0 && PACKAGES.contains(name.substring(0, end))) {
                return Component.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }
}
