package org.crabro.docs;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Classes compiled from a few lines of text, to see whether a rule finds what it should. */
final class MadeUpClasses {
    private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile("(?:class|interface) (\\w+)");

    private MadeUpClasses() {}

    /**
     * Compiles and reads {@code sources}, each a whole file.
     *
     * @param folder an empty folder for the class files
     */
    static JavaClasses compiled(Path folder, String... sources) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var problems = new DiagnosticCollector<JavaFileObject>();
        List<JavaFileObject> files = new ArrayList<>();
        for (String source : sources) {
            files.add(new SourceText(source));
        }
        List<String> options = List.of("-d", folder.toString(), "-proc:none");
        try (var fileManager = compiler.getStandardFileManager(problems, null, null)) {
            boolean compiled =
                    compiler.getTask(null, fileManager, problems, options, null, files).call();
            if (!compiled) {
                throw new IllegalArgumentException(problems.getDiagnostics().toString());
            }
        }
        return new ClassFileImporter().importPath(folder);
    }

    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(String text) {
            String path = first(PACKAGE, text).replace('.', '/') + "/" + first(TYPE, text);
            super(URI.create("text:///" + path + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        private static String first(Pattern pattern, String text) {
            Matcher matcher = pattern.matcher(text);
            if (!matcher.find()) {
                throw new IllegalArgumentException("no " + pattern + " in: " + text);
            }
            return matcher.group(1);
        }
    }
}
