package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.crabro.config.application.MapFiles;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compiles packages, and compares all messages. */
class CorpusTest {
    private static final String CHANGES = "changes.txt";
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 20);

    static Stream<CorpusFile.Case> cases() {
        return Stream.of(
                        "package.txt",
                        "xml.txt",
                        "hosts.txt",
                        "container.txt",
                        "chains.txt",
                        "federation.txt",
                        "components.txt",
                        "config.txt",
                        "content.txt",
                        "hints.txt",
                        "query-profiles.txt",
                        "overrides.txt",
                        "references.txt",
                        "schemas.txt",
                        "lexical.txt",
                        "types.txt",
                        "inheritance.txt",
                        "fields.txt",
                        "matching.txt",
                        "fieldsets.txt",
                        "summaries.txt",
                        "models.txt",
                        "profiles.txt",
                        "streaming.txt",
                        "scripts.txt")
                .flatMap(file -> CorpusFile.read(file).stream());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void reportsTheExpectedProblems(CorpusFile.Case expected) {
        PackageMessages told = PackageMessages.of(expected);

        assertThat(told.problems()).isEqualTo(expected.problems());
        assertThat(told.notices()).isEqualTo(expected.notices());
        assertThat(told.values()).isEqualTo(expected.values());
    }

    static Stream<CorpusFile.Case> changes() {
        return CorpusFile.read(CHANGES).stream();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void reportsTheChanges(CorpusFile.Case expected) {
        CompiledApplication before =
                ApplicationCompiler.compile(new MapFiles(CorpusFile.base(CHANGES)), 1);
        CompiledApplication after = ApplicationCompiler.compile(new MapFiles(expected.files()), 2);
        ModelChanges actual = ModelChanges.between(before.model(), after.model());
        var refusals = new ArrayList<>(after.overrides().problems(TODAY));
        refusals.addAll(actual.refusals(after.overrides(), TODAY));

        assertThat(String.join("\n", refusals)).isEqualTo(expected.problems());
        var notices = new ArrayList<String>();
        for (ModelChanges.Removal removal : actual.removals()) {
            notices.add("WARNING " + removal.warning(OptionalLong.of(3)));
        }
        for (ModelChanges.Reindex reindex : actual.reindex()) {
            for (String message : reindex.messages()) {
                notices.add("REINDEX %s: %s".formatted(reindex.cluster(), message));
            }
        }
        assertThat(String.join("\n", notices)).isEqualTo(expected.notices());
    }
}
