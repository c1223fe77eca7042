package org.crabro.docs;

import static java.util.Objects.requireNonNull;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssertTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.crabro.docs.Refusal.Effect;
import org.crabro.docs.Refusal.Stage;

/**
 * Finds the messages with which deployment, feeding and queries refuse something or warn.
 *
 * <p>Messages reach users through many methods. So each text in the code counts that has at least
 * {@value #WORDS_MIN} words, two of them plain: no way to pass a message is overlooked. What is
 * certainly none is left out: texts of annotations, assertions, logs, {@code toString}, and of
 * exceptions that mean a defect of ours.
 *
 * <p>A text is the whole of a concatenation or of {@code formatted}; what is put into it is {@code
 * %s}. A message that is put together from two texts has a row for each.
 */
final class RefusalScan extends TreeScanner<Void, Effect> {
    private static final int WORDS_MIN = 3;
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z][a-z']*[,;:.]?");
    private static final String FORMATTED = "formatted";

    /** The packages whose messages users see, by the start of their names, the nearest first. */
    private static final List<Map.Entry<String, Stage>> PACKAGES =
            List.of(
                    Map.entry("org.crabro.config.", Stage.DEPLOY),
                    Map.entry("org.crabro.ranking.expression.", Stage.DEPLOY),
                    Map.entry("org.crabro.ranking.forest.", Stage.DEPLOY),
                    Map.entry("org.crabro.ranking.json.", Stage.DEPLOY),
                    Map.entry("org.crabro.ranking.onnx.", Stage.DEPLOY),
                    Map.entry("org.crabro.ranking.significance.", Stage.DEPLOY),
                    Map.entry("org.crabro.ranking.tensor.", Stage.DEPLOY),
                    Map.entry("org.crabro.ranking.type.", Stage.DEPLOY),
                    Map.entry("org.crabro.document.", Stage.FEED),
                    Map.entry("org.crabro.tensor.", Stage.FEED),
                    Map.entry("org.crabro.text.", Stage.FEED),
                    Map.entry("org.crabro.container.bulk.", Stage.FEED),
                    Map.entry("org.crabro.container.document.", Stage.FEED),
                    Map.entry("org.crabro.container.processing.", Stage.FEED),
                    Map.entry("org.crabro.container.route.", Stage.FEED),
                    Map.entry("org.crabro.container.visit.", Stage.FEED),
                    Map.entry("org.crabro.container.dispatch.", Stage.QUERY),
                    Map.entry("org.crabro.container.query.", Stage.QUERY),
                    Map.entry("org.crabro.container.render.", Stage.QUERY),
                    Map.entry("org.crabro.container.search.", Stage.QUERY),
                    Map.entry("org.crabro.container.yql.", Stage.QUERY),
                    Map.entry("org.crabro.protocol.grouping.", Stage.QUERY),
                    Map.entry("org.crabro.protocol.query.", Stage.QUERY));

    /** Exceptions that mean a defect of ours, or of the machine. */
    private static final Set<String> DEFECTS =
            Set.of(
                    "AssertionError",
                    "IOException",
                    "IllegalStateException",
                    "InterruptedIOException",
                    "UncheckedIOException");

    /** Its texts explain each annotation of YQL. */
    private static final String EXPLANATIONS = "StandardAnnotation";

    private final Stage stage;
    private final SortedSet<Refusal> refusals;

    private RefusalScan(Stage stage, SortedSet<Refusal> refusals) {
        this.stage = stage;
        this.refusals = refusals;
    }

    static SortedSet<Refusal> of(SourceTree tree) throws IOException {
        List<JavaSource> sources =
                JavaSource.all(tree).stream().filter(RefusalScan::isSeen).toList();
        var refusals = new TreeSet<Refusal>();
        for (CompilationUnitTree unit : SyntaxTrees.of(sources)) {
            Stage stage = stage(requireNonNull(unit.getPackageName()).toString()).orElseThrow();
            new RefusalScan(stage, refusals).scan(unit, Effect.REFUSED);
        }
        return refusals;
    }

    private static boolean isSeen(JavaSource source) {
        return source.isMain()
                && !source.isPackageInfo()
                && stage(source.packageName()).isPresent();
    }

    private static Optional<Stage> stage(String packageName) {
        return PACKAGES.stream()
                .filter(entry -> (packageName + ".").startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    @Override
    public Void visitLiteral(LiteralTree literal, Effect effect) {
        add(literal, effect);
        return null;
    }

    @Override
    public Void visitBinary(BinaryTree binary, Effect effect) {
        if (isText(binary)) {
            add(binary, effect);
            return null;
        }
        return super.visitBinary(binary, effect);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Effect effect) {
        if (isText(call)) {
            add(call, effect);
            return null;
        }
        return isLog(call) ? null : super.visitMethodInvocation(call, effect(call, effect));
    }

    @Override
    public Void visitNewClass(NewClassTree made, Effect effect) {
        return DEFECTS.contains(made.getIdentifier().toString())
                ? null
                : super.visitNewClass(made, effect);
    }

    @Override
    public Void visitClass(ClassTree type, Effect effect) {
        return type.getSimpleName().contentEquals(EXPLANATIONS)
                ? null
                : super.visitClass(type, effect);
    }

    @Override
    public Void visitMethod(MethodTree method, Effect effect) {
        return method.getName().contentEquals("toString")
                ? null
                : super.visitMethod(method, effect);
    }

    @Override
    public Void visitAnnotation(AnnotationTree annotation, Effect effect) {
        return null;
    }

    @Override
    public Void visitAssert(AssertTree assertion, Effect effect) {
        return null;
    }

    private void add(ExpressionTree text, Effect effect) {
        String message = text(text);
        List<String> words = List.of(BLANKS.split(message.strip()));
        long plain = words.stream().filter(word -> PLAIN_WORD.matcher(word).matches()).count();
        if (words.size() >= WORDS_MIN && plain > 1) {
            refusals.add(new Refusal(stage, effect, message));
        }
    }

    private static boolean isText(Tree tree) {
        return switch (tree) {
            case LiteralTree literal -> literal.getValue() instanceof String;
            case ParenthesizedTree inner -> isText(inner.getExpression());
            case BinaryTree sum when sum.getKind() == Tree.Kind.PLUS ->
                    isText(sum.getLeftOperand()) || isText(sum.getRightOperand());
            case MethodInvocationTree call ->
                    name(call).equals(FORMATTED) && isText(receiver(call));
            default -> false;
        };
    }

    private static String text(Tree tree) {
        return switch (tree) {
            case LiteralTree literal -> String.valueOf(literal.getValue());
            case ParenthesizedTree inner -> text(inner.getExpression());
            case BinaryTree sum when isText(sum) ->
                    text(sum.getLeftOperand()) + text(sum.getRightOperand());
            case MethodInvocationTree call when isText(call) -> text(receiver(call));
            default -> "%s";
        };
    }

    private static Effect effect(MethodInvocationTree call, Effect around) {
        String name = name(call);
        return name.startsWith("warn") || name.equals("inform") ? Effect.WARNED : around;
    }

    private static boolean isLog(MethodInvocationTree call) {
        return receiver(call).toString().equals("LOG");
    }

    private static String name(MethodInvocationTree call) {
        return call.getMethodSelect() instanceof MemberSelectTree select
                ? select.getIdentifier().toString()
                : call.getMethodSelect().toString();
    }

    /** Returns what a method is called on; of a method of the class itself, its name. */
    private static Tree receiver(MethodInvocationTree call) {
        return call.getMethodSelect() instanceof MemberSelectTree select
                ? select.getExpression()
                : call.getMethodSelect();
    }
}
