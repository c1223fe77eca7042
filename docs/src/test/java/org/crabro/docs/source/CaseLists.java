package org.crabro.docs.source;

import com.sun.source.tree.CaseLabelTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.PatternCaseLabelTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.docs.JavaSource;
import org.crabro.docs.SourceTree;
import org.crabro.docs.SyntaxTrees;

/**
 * Long lists of types in switches: more than {@link #LABELS_MAX} types of ours lead to the same
 * code, in one case or in several with equal code. Cases with a guard, and those that bind
 * variables, are no lists.
 */
final class CaseLists extends TreeScanner<Void, Void> {
    /** A list with more types is a {@code default}, or a sealed group says what they share. */
    static final int LABELS_MAX = 4;

    private final Set<String> ours;
    private int count;

    private CaseLists(Set<String> ours) {
        this.ours = ours;
    }

    /** Returns a line for each file with such lists, tests included: its path and how many. */
    static List<String> tooLong(SourceTree tree) throws IOException {
        List<JavaSource> sources = JavaSource.all(tree);
        Set<String> ours = new HashSet<>();
        sources.forEach(source -> ours.addAll(source.typeNames()));
        List<JavaSource> withCases =
                sources.stream().filter(source -> source.text().contains("case ")).toList();
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (CompilationUnitTree unit : SyntaxTrees.of(withCases)) {
            var lists = new CaseLists(ours);
            lists.scan(unit, null);
            if (lists.count > 0) {
                counts.put(SyntaxTrees.path(unit), lists.count);
            }
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toList();
    }

    @Override
    public Void visitSwitch(SwitchTree tree, Void unused) {
        count(tree.getCases());
        return super.visitSwitch(tree, null);
    }

    @Override
    public Void visitSwitchExpression(SwitchExpressionTree tree, Void unused) {
        count(tree.getCases());
        return super.visitSwitchExpression(tree, null);
    }

    private void count(List<? extends CaseTree> cases) {
        Map<String, Long> labels = new HashMap<>();
        for (CaseTree each : cases) {
            if (each.getGuard() == null && !bindsVariables(each)) {
                labels.merge(
                        String.valueOf(each.getBody()),
                        each.getLabels().stream().filter(this::isOurs).count(),
                        Long::sum);
            }
        }
        count += (int) labels.values().stream().filter(size -> size > LABELS_MAX).count();
    }

    private boolean isOurs(CaseLabelTree label) {
        return label instanceof PatternCaseLabelTree of && ours.contains(typeName(of));
    }

    /** Returns the simple name of the type that a pattern names first. */
    private static String typeName(PatternCaseLabelTree label) {
        String name =
                new TreeScanner<String, Void>() {
                    @Override
                    public String visitMemberSelect(MemberSelectTree tree, Void unused) {
                        return tree.getIdentifier().toString();
                    }

                    @Override
                    public String visitIdentifier(IdentifierTree tree, Void unused) {
                        return tree.getName().toString();
                    }

                    @Override
                    public String reduce(String first, String second) {
                        return second == null ? first : second;
                    }
                }.scan(label, null);
        return name == null ? "" : name;
    }

    private static boolean bindsVariables(CaseTree of) {
        var binds = new AtomicBoolean();
        var scanner =
                new TreeScanner<Void, Void>() {
                    @Override
                    public Void visitVariable(VariableTree tree, Void unused) {
                        binds.set(binds.get() || !tree.getName().isEmpty());
                        return super.visitVariable(tree, null);
                    }
                };
        for (Tree label : of.getLabels()) {
            scanner.scan(label, null);
        }
        return binds.get();
    }
}
