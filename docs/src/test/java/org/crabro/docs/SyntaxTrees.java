package org.crabro.docs;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Java files as the trees that the compiler parses. Names are not resolved. */
public final class SyntaxTrees {
    private SyntaxTrees() {}

    public static Iterable<? extends CompilationUnitTree> of(List<JavaSource> sources)
            throws IOException {
        if (sources.isEmpty()) {
            return List.of();
        }
        List<JavaFileObject> files = sources.stream().<JavaFileObject>map(SourceFile::new).toList();
        var task =
                (JavacTask)
                        ToolProvider.getSystemJavaCompiler()
                                .getTask(null, null, null, List.of("-proc:none"), null, files);
        return task.parse();
    }

    /** Returns the path of the file from the root of the repository. */
    public static String path(CompilationUnitTree unit) {
        return unit.getSourceFile().toUri().getPath().substring(1);
    }

    private static final class SourceFile extends SimpleJavaFileObject {
        private final JavaSource source;

        SourceFile(JavaSource source) {
            super(URI.create("string:///" + source.path()), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source.text();
        }
    }
}
