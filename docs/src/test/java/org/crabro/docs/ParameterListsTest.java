package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * New methods, constructors and records have at most six parameters. Those that have more are in
 * the list {@code long-parameter-lists.txt}, which only shrinks.
 */
class ParameterListsTest {
    private static final String LIST = "/long-parameter-lists.txt";

    @Test
    void onlyThoseOfTheListAreLong() throws IOException {
        List<String> found =
                ParameterLists.tooLong(
                        new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("org.crabro"));
        List<String> listed = listed();

        var added = new ArrayList<>(found);
        added.removeAll(listed);
        assertThat(added).as("group parameters into a record").isEmpty();
        var mended = new ArrayList<>(listed);
        mended.removeAll(found);
        assertThat(mended).as("take out of %s", LIST).isEmpty();
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

    private static List<String> listed() throws IOException {
        try (InputStream list = ParameterListsTest.class.getResourceAsStream(LIST)) {
            assertThat(list).isNotNull();
            return new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private record Six(int a, int b, int c, int d, int e, int f) {}

    private record Seven(int a, int b, int c, int d, int e, int f, int g) {}

    @SuppressWarnings("unused") // only its signature is read
    private static void seven(int a, int b, int c, int d, int e, int f, int g) {}

    @SuppressWarnings({"unused", "ClassCanBeStatic"})
    private final class Inner {
        Inner(int a, int b, int c, int d, int e, int f) {}
    }

    private enum Kind {
        ONE(1, 2, 3, 4, 5, 6);

        Kind(int a, int b, int c, int d, int e, int f) {}
    }
}
