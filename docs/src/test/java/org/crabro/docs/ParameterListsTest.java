package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * New methods, constructors and records have at most six parameters. Those that have more are in
 * the list {@code long-parameter-lists.txt}, which only shrinks.
 *
 * <p>The methods of {@code ranking.kernel} stay in the list: they are inner loops, and their
 * parameters are passed in registers, while a record would be one more object per call. {@code
 * CompactionSettings} stays too: the names of its components are the names of settings.
 */
class ParameterListsTest {
    @Test
    void onlyThoseOfTheListAreLong() throws IOException {
        ShrinkingList.of("long-parameter-lists.txt")
                .check(
                        ParameterLists.tooLong(
                                new ClassFileImporter()
                                        .withImportOption(new ImportOption.DoNotIncludeTests())
                                        .importPackages("org.crabro")));
    }

    @Test
    void countsWhatIsWritten() {
        var classes =
                new ClassFileImporter()
                        .importClasses(Six.class, Seven.class, Inner.class, Kind.class, getClass());

        String here = getClass().getName() + ".";
        assertThat(ParameterLists.tooLong(classes))
                .containsExactly(here + "Seven 7", here + "seven 7");
    }

    private record Six(int a, int b, int c, int d, int e, int f) {}

    private record Seven(int a, int b, int c, int d, int e, int f, int g) {}

    @SuppressWarnings("unused") // only its signature is read
    private static void seven(int a, int b, int c, int d, int e, int f, int g) {}

    @SuppressWarnings({"unused", "ClassCanBeStatic"})
    private final class Inner {
        Inner(int a, int b, int c, int d, int e, int f) {}
    }

    @SuppressWarnings("UnusedVariable") // only its signature is read
    private enum Kind {
        ONE(1, 2, 3, 4, 5, 6);

        Kind(int a, int b, int c, int d, int e, int f) {}
    }
}
