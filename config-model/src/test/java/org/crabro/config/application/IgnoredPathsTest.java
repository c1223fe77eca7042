package org.crabro.config.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IgnoredPathsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    README.md     | README.md         | true
                    README.md     | docs/README.md    | false
                    *.md          | a.md              | true
                    *.md          | docs/a.md         | false
                    */*.md        | docs/a.md         | true
                    ext/          | ext/a/b.txt       | true
                    ext/          | ext               | false
                    ext/          | text/a            | false
                    ext           | ext/a             | false
                    a?c           | abc               | true
                    a?c           | a/c               | false
                    [ab]x         | bx                | true
                    [a-c]x        | bx                | true
                    [^ab]x        | bx                | false
                    [^ab]x        | cx                | true
                    a+(b).txt     | a+(b).txt         | true
                    a\\*          | a*                | true
                    a\\*          | ab                | false
                    *a*b*c        | xaxbxaxbxc        | true
                    *a*b*c        | xaxbxaxbx         | false
                    *a*b          | ca/ab             | false
                    *a/*b         | aa/cb             | true
                    d*/           | docs/a/b          | true
                    a\\b*        | ab/c              | false
                    [a-c-]x       | -x                | true
                    []]x          | ]x                | true
                    [/]x          | /x                | true
                    none          | .DS_Store         | true
                    none          | schemas/.DS_Store | true
                    none          | .vespaignore      | true
                    """)
    void leavesOut(String glob, String path, boolean expected) {
        assertThat(IgnoredPaths.parse("# why\n\n  " + glob + " \n").contains(path))
                .isEqualTo(expected);
    }

    @Test
    void rejectsAnUnclosedGlobWithItsPlace() {
        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() -> IgnoredPaths.parse("a\n[b"))
                .withMessage(".vespaignore:2: expected ] after '[b'");
        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() -> IgnoredPaths.parse("a\\"))
                .withMessage(".vespaignore:1: expected a character after \\");
    }

    @Test
    void rejectsFallingCharacterRanges() {
        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() -> IgnoredPaths.parse("[a-[]x"))
                .withMessage(".vespaignore:1: expected characters in rising order in '[a-[]'");
    }

    /** A matcher that tries every way to divide the path among the stars would not end. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void matchesManyStarsInAShortTime() {
        IgnoredPaths ignored = IgnoredPaths.parse("*a".repeat(500) + "b");

        assertThat(ignored.contains("a".repeat(10_000))).isFalse();
    }
}
