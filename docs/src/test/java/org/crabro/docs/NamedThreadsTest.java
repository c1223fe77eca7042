package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamedThreadsTest {
    private static final String FILE =
            "content/node/src/main/java/org/crabro/content/node/Node.java";
    private static final String PAGE = "docs/operations.md";

    @Test
    void findsThreadsWithoutAName() {
        assertThat(findings("new Thread(work).start();")).hasSize(1);
        assertThat(findings("Executors.newVirtualThreadPerTaskExecutor()")).hasSize(1);
        assertThat(findings("Executors.newCachedThreadPool()")).hasSize(1);
        assertThat(findings("Executors.newSingleThreadScheduledExecutor()")).hasSize(1);
        assertThat(findings("Thread.ofVirtual().start(work);"))
                .containsExactly(FILE + ": a thread without a name");
        assertThat(findings("Thread.ofPlatform()\n.daemon().factory()")).hasSize(1);
    }

    @Test
    void findsNamesThatThePageDoesNotList() {
        assertThat(findings("Thread.ofPlatform().name(\"scan-\", 0).factory()")).isEmpty();
        assertThat(findings("Thread.ofPlatform().name(name).start(work)")).isEmpty();
        assertThat(findings("Thread.ofPlatform().name(\"other\").start(work)"))
                .containsExactly(PAGE + ": the thread 'other' is missing");
    }

    @Test
    void benchmarksNeedNoNames() {
        String file = "perf/src/main/java/org/crabro/perf/Perf.java";
        assertThat(NamedThreads.findings(SourceTree.of(Map.of(file, "new Thread(work)"))))
                .isEmpty();
    }

    private static List<String> findings(String code) {
        return NamedThreads.findings(
                SourceTree.of(Map.of(FILE, code, PAGE, "| `scan-N` | searches |")));
    }
}
