package org.crabro.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether threads get names where they are created, and whether the page for operators lists those
 * of servers. Benchmarks are left out.
 */
final class NamedThreads {
    /** Creates threads with names such as {@code pool-1-thread-1}, or without any. */
    private static final Pattern UNNAMED =
            Pattern.compile(
                    "new Thread\\(|newVirtualThreadPerTaskExecutor\\(|startVirtualThread\\("
                            + "|new(Cached|WorkStealing|SingleThread)\\w*\\(\\)");

    private static final Pattern BUILDER =
            Pattern.compile(
                    "Thread\\.of(?:Platform|Virtual)\\(\\)(.*?)\\.(?:start|unstarted|factory)\\(",
                    Pattern.DOTALL);

    private static final Pattern NAME = Pattern.compile("\\.name\\(\\s*(?:\"([^\"]+)\")?");

    /** Modules whose code runs in a server. */
    private static final Set<String> SERVER =
            Set.of(
                    "document-api",
                    "ranking",
                    "config-model",
                    "protocol",
                    "content/storage",
                    "content/search",
                    "content/replication",
                    "content/node",
                    "container",
                    "server");

    private static final String PAGE = "docs/operations.md";

    private NamedThreads() {}

    static List<String> findings(SourceTree tree) {
        List<String> findings = new ArrayList<>();
        programs(tree)
                .forEach(source -> {
                    UNNAMED.matcher(source.text())
                            .results()
                            .forEach(each ->
                                    findings.add(
                                            "%s: threads without a name: %s"
                                                    .formatted(source.path(), each.group())));
                    BUILDER.matcher(source.text())
                            .results()
                            .filter(each -> !NAME.matcher(each.group(1)).find())
                            .forEach(
                                    _ -> findings.add(source.path() + ": a thread without a name"));
                });
        for (String name : names(tree)) {
            if (!tree.text(PAGE).contains("`" + name)) {
                findings.add("%s: the thread '%s' is missing".formatted(PAGE, name));
            }
        }
        return findings;
    }

    /** Returns the names of threads of servers, as they are written in the code. */
    static Set<String> names(SourceTree tree) {
        Set<String> names = new TreeSet<>();
        programs(tree)
                .filter(source -> SERVER.contains(source.module()))
                .flatMap(source -> BUILDER.matcher(source.text()).results())
                .flatMap(each -> NAME.matcher(each.group(1)).results())
                .map(NamedThreads::literal)
                .flatMap(Optional::stream)
                .forEach(names::add);
        return names;
    }

    private static Optional<String> literal(MatchResult name) {
        return Optional.ofNullable(name.group(1));
    }

    private static Stream<JavaSource> programs(SourceTree tree) {
        return JavaSource.all(tree).stream()
                .filter(source -> source.isMain() && !source.module().equals("perf"));
    }
}
