package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A new interface has two implementations. One of them can be in tests. The list {@code
 * lone-interfaces.txt} names the exceptions, and only shrinks. Most exceptions separate two
 * packages: the package of the caller must not depend on the package of the class.
 */
class LoneInterfacesTest {
    private static final String INTERFACE =
            "package org.crabro.some; public interface Some { void go(); }";
    private static final String CLASS =
            "package org.crabro.some; class One implements Some { public void go() {} }";

    @TempDir private Path folder;

    @Test
    void onlyThoseOfTheListHaveOneImplementation() throws IOException {
        ShrinkingList.of("lone-interfaces.txt")
                .check(LoneInterfaces.of(ClassFiles.ofProduct(), ClassFiles.ofTests()));
    }

    @Test
    void findsAnInterfaceWithOneClass() throws IOException {
        assertThat(lone(INTERFACE, CLASS)).containsExactly("org.crabro.some.Some");
    }

    @Test
    void ignoresAnInterfaceWithTwoClasses() throws IOException {
        assertThat(
                        lone(
                                INTERFACE,
                                CLASS,
                                "package org.crabro.some; class Two implements Some {"
                                        + " public void go() {} }"))
                .isEmpty();
    }

    @Test
    void ignoresAnInterfaceOfALambda() throws IOException {
        assertThat(lone(INTERFACE, "package org.crabro.some; class One { Some some = () -> {}; }"))
                .isEmpty();
    }

    @Test
    void countsTestDoubles() throws IOException {
        List<byte[]> files = ClassFiles.of(MadeUpClasses.compiled(folder, INTERFACE, CLASS));

        assertThat(LoneInterfaces.of(files, files)).containsExactly("org.crabro.some.Some");
        assertThat(
                        LoneInterfaces.of(
                                files,
                                ClassFiles.of(
                                        MadeUpClasses.compiled(
                                                folder,
                                                INTERFACE,
                                                "package org.crabro.some; class Double implements"
                                                        + " Some { public void go() {} }"))))
                .isEmpty();
    }

    @Test
    void countsClassesBelowAnAbstractOne() throws IOException {
        assertThat(
                        lone(
                                INTERFACE,
                                "package org.crabro.some; abstract class Base implements Some {}",
                                "package org.crabro.some; class One extends Base {"
                                        + " public void go() {} }"))
                .containsExactly("org.crabro.some.Some");
    }

    @Test
    void ignoresSealedInterfaces() throws IOException {
        assertThat(
                        lone(
                                "package org.crabro.some; sealed interface Some permits One {}",
                                "package org.crabro.some; final class One implements Some {}"))
                .isEmpty();
    }

    private List<String> lone(String... sources) throws IOException {
        return LoneInterfaces.of(ClassFiles.of(MadeUpClasses.compiled(folder, sources)), List.of());
    }
}
