package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rules about files, held against this repository. */
class TidyTest {
    private static SourceTree repository = SourceTree.of(Map.of());

    @BeforeAll
    static void read() throws IOException {
        repository = SourceTree.ofRepository();
    }

    @Test
    void readsTheRepositoryItStandsIn() {
        assertThat(repository.texts()).containsKeys("pom.xml", "bin/verify", "docs/README.md");
    }

    @Test
    void everyPackageSaysWhatItIsFor() {
        assertThat(Rooms.findings(repository)).isEmpty();
    }

    @Test
    void noTwoTopLevelTypesHaveTheSameSimpleName() {
        assertThat(SimpleNames.findings(repository)).isEmpty();
    }

    @Test
    void theMapOfTheCodeNamesWhatExists() {
        assertThat(CodeMap.findings(repository)).isEmpty();
    }

    @Test
    void pagesNameTypesInTheirPackages() {
        assertThat(TypePlaces.findings(repository)).isEmpty();
    }

    @Test
    void linksBetweenPagesLeadSomewhere() {
        assertThat(MarkdownLinks.findings(repository)).isEmpty();
    }

    @Test
    void everyPageIsInTheIndex() {
        assertThat(MarkdownLinks.pagesOutsideOfTheIndex(repository)).isEmpty();
    }

    @Test
    void pagesForUsersDoNotLinkIntoTheLab() {
        assertThat(MarkdownLinks.linksIntoTheLab(repository)).isEmpty();
    }

    @Test
    void recipesNameWhatExists() {
        assertThat(Recipes.findings(repository)).isEmpty();
    }

    @Test
    void everyLibraryHasItsLine() {
        assertThat(DependencyNotes.findings(repository)).isEmpty();
    }

    @Test
    void decisionsAreNumberedOnceAndWhole() {
        assertThat(DecisionRecords.findings(repository)).isEmpty();
    }

    @Test
    void nothingForbiddenIsWritten() {
        assertThat(ForbiddenText.findings(repository)).isEmpty();
    }

    @Test
    void pagesAreInPlainEnglish() {
        System.out.print(Prose.table(repository));

        assertThat(Prose.findings(repository)).isEmpty();
    }

    @Test
    void threadsHaveNamesOfThePageForOperators() {
        assertThat(NamedThreads.names(repository)).hasSizeGreaterThan(40);
        assertThat(NamedThreads.findings(repository)).isEmpty();
    }

    @Test
    void pagesDeployOnServersOfTheirOwn() {
        assertThat(PageServers.findings(repository)).isEmpty();
    }

    @Test
    void longClassesAreInTheList() throws IOException {
        ShrinkingList list = ShrinkingList.of("long-classes.txt");

        list.check(FileSizes.longClasses(repository, list.lines()));
    }

    /** Printed, not failed: sizes are an example and not a limit. */
    @Test
    void sizesAreShown() {
        String table = FileSizes.table(repository);

        System.out.print(table);
        assertThat(table).startsWith("module");
    }
}
