package org.crabro.docs.source;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.crabro.docs.JavaSource;
import org.crabro.docs.SourceTree;

/**
 * Words in names that say little to a reader who does not know the code.
 *
 * <p>The names are those of types, methods, fields, parameters, local variables and components of
 * records, in main code, tests and benchmarks. A name is divided where an upper-case letter begins
 * a part. Names and parts in upper case only, such as {@code REST}, are ignored.
 *
 * <p>Where a word counts:
 *
 * <ul>
 *   <li>{@code tells}, {@code takes}, {@code leave}: the first part of the name of a method
 *   <li>{@code isNotFor}: the first parts of the name of a method
 *   <li>{@code found}, {@code known}, {@code kept}: any part, unless a verb before it makes the
 *       name a statement, as in {@code isFound} or {@code areKnown}
 *   <li>{@code Goes}: any part of the name of a type
 *   <li>{@code letGo}: any two parts in this order
 *   <li>{@code sought}, {@code hurry}, {@code rest}, {@code doze}, {@code sidecar}: any part
 * </ul>
 */
final class NameWords {
    static final List<String> WORDS =
            List.of(
                    "Goes",
                    "doze",
                    "found",
                    "hurry",
                    "isNotFor",
                    "kept",
                    "known",
                    "leave",
                    "letGo",
                    "rest",
                    "sidecar",
                    "sought",
                    "takes",
                    "tells");

    /** What a file must contain, in any case, to be read by the compiler's parser. */
    private static final Pattern ANY =
            Pattern.compile(String.join("|", WORDS), Pattern.CASE_INSENSITIVE);

    private static final Pattern BETWEEN_PARTS =
            Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

    private static final Set<String> VERBS =
            Set.of("is", "are", "was", "were", "be", "been", "not");

    /** Files that are parsed together: the trees of all would need a gigabyte. */
    private static final int BATCH = 200;

    private enum Declared {
        TYPE,
        METHOD,
        VARIABLE
    }

    /** A name that has a word. */
    record Use(String word, String path, long line, String name) {}

    private NameWords() {}

    /** Returns a line for each word: the word and how many names have it, sorted. */
    static List<String> counts(List<Use> uses) {
        var counts = new TreeMap<String, Integer>();
        WORDS.forEach(word -> counts.put(word, 0));
        uses.forEach(use -> counts.merge(use.word(), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toList();
    }

    /** Returns the declared names of the repository that have a word of {@link #WORDS}. */
    static List<Use> uses(SourceTree tree) throws IOException {
        List<JavaSource> sources =
                JavaSource.all(tree).stream()
                        .filter(source -> ANY.matcher(source.text()).find())
                        .toList();
        var uses = new ArrayList<Use>();
        for (int from = 0; from < sources.size(); from += BATCH) {
            addUses(sources.subList(from, Math.min(from + BATCH, sources.size())), uses);
        }
        return uses;
    }

    private static void addUses(List<JavaSource> sources, List<Use> into) throws IOException {
        var task =
                (JavacTask)
                        ToolProvider.getSystemJavaCompiler()
                                .getTask(
                                        Writer.nullWriter(),
                                        null,
                                        null,
                                        null,
                                        null,
                                        sources.stream().map(SourceText::new).toList());
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : task.parse()) {
            unit.accept(new NameScanner(unit, positions), into);
        }
    }

    private static boolean has(String word, Declared kind, List<String> parts) {
        int at = parts.indexOf(word);
        return switch (word) {
            case "tells", "takes", "leave" -> kind == Declared.METHOD && at == 0;
            case "isNotFor" ->
                    kind == Declared.METHOD
                            && Collections.indexOfSubList(parts, List.of("is", "not", "for")) == 0;
            case "letGo" -> Collections.indexOfSubList(parts, List.of("let", "go")) >= 0;
            case "Goes" -> kind == Declared.TYPE && parts.contains("goes");
            case "found", "known", "kept" ->
                    at >= 0 && Collections.disjoint(parts.subList(0, at), VERBS);
            default -> at >= 0;
        };
    }

    private static List<String> parts(String name) {
        return Arrays.stream(BETWEEN_PARTS.split(name)).map(NameWords::part).toList();
    }

    private static String part(String part) {
        boolean isUpper = part.length() > 1 && part.equals(part.toUpperCase(Locale.ROOT));
        return isUpper ? part : part.toLowerCase(Locale.ROOT);
    }

    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(JavaSource source) {
            super(URI.create("source:///" + source.path()), JavaFileObject.Kind.SOURCE);
            this.text = source.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class NameScanner extends TreeScanner<Void, List<Use>> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;

        NameScanner(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
        }

        @Override
        public Void visitClass(ClassTree tree, List<Use> into) {
            add(tree, Declared.TYPE, tree.getSimpleName().toString(), into);
            return super.visitClass(tree, into);
        }

        @Override
        public Void visitMethod(MethodTree tree, List<Use> into) {
            add(tree, Declared.METHOD, tree.getName().toString(), into);
            return super.visitMethod(tree, into);
        }

        @Override
        public Void visitVariable(VariableTree tree, List<Use> into) {
            add(tree, Declared.VARIABLE, tree.getName().toString(), into);
            return super.visitVariable(tree, into);
        }

        private void add(Tree tree, Declared kind, String name, List<Use> into) {
            List<String> parts = parts(name);
            String path = unit.getSourceFile().toUri().getPath().substring(1);
            for (String word : WORDS) {
                if (has(word, kind, parts)) {
                    long start = positions.getStartPosition(unit, tree);
                    into.add(new Use(word, path, unit.getLineMap().getLineNumber(start), name));
                }
            }
        }
    }
}
