package org.crabro.config.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.crabro.config.application.Findings;
import org.crabro.config.application.Notice;
import org.crabro.config.application.XmlText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutlineTest {
    private static final Outline OUTLINE =
            Outline.parse(
                    """
                    # A comment.
                    root @a! @n:number(1..9)
                      + leaf required once :truth
                      - hint
                        - inner :size(1MiB..2MiB)
                      ~ later *
                      ! never; nobody can
                      + tree &tree

                    &tree @b
                      + tree &tree
                    """);

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    <root a='1' n='9'><leaf>true</leaf></root>                 => ``
                    <root a='1'><leaf>true</leaf><tree b='1'><tree b='2'><tree/></tree></tree></root> => ``
                    <root n='10'><leaf>true</leaf></root>                      => root/@n: expected a number from 1 to 9, but found '10' | root needs a
                    <root a='1' n='x'><leaf>1</leaf></root>                    => root/@n: expected a number from 1 to 9, but found 'x' | leaf: expected true or false, but found '1'
                    <root a='1'/>                                              => root needs leaf
                    <root a='1'><leaf>true</leaf><leaf>true</leaf></root>      => root/leaf is declared twice
                    <root a='1'><leaf>true</leaf><hint><inner>3MiB</inner></hint></root> => inner: expected a size from 1MiB to 2MiB, as in 100MiB, but found '3MiB'
                    <root a='1'><leaf>true</leaf><never><x/></never></root>    => root/never cannot be used: nobody can
                    <root a='1'><leaf>true</leaf><later x='1'>y<z/></later></root> => ``
                    <root a='1'><leaf>true</leaf><tree><trea/></tree></root>   => unknown element 'trea' in tree; expected elements out of tree; did you mean 'tree'?
                    <root a='1'><leaf>true</leaf><tree c='1'/></root>          => unknown attribute 'c' of tree; expected attributes out of b
                    <root a='1'>x<leaf>true</leaf></root>                      => expected no text in root
                    """)
    void reportsElementsOutOfPlace(String xml, String problems) {
        var findings = new Findings();

        OUTLINE.check("root", new XmlText("f", xml, findings).root().orElseThrow(), findings);

        assertThat(
                        String.join(
                                " | ",
                                findings.problems().stream()
                                        .map(text -> text.lines().findFirst().orElse(""))
                                        .map(text -> text.replaceFirst("f:1:[0-9]+: ", ""))
                                        .toList()))
                .isEqualTo(problems);
    }

    @Test
    void warnsOnceOfElementsWithoutEffectAndAlwaysOfIgnoredOnes() {
        var findings = new Findings();
        String xml =
                "<root a='1'><leaf>true</leaf><hint/><hint><inner>1MiB</inner></hint><later/><later/></root>";

        OUTLINE.check("root", new XmlText("f", xml, findings).root().orElseThrow(), findings);

        assertThat(findings.notices())
                .containsExactly(
                        new Notice(Notice.Level.INFO, "f:1:30: root/hint has no effect"),
                        new Notice(
                                Notice.Level.WARNING,
                                "f:1:69: root/later is left out: it is not used"),
                        new Notice(
                                Notice.Level.WARNING,
                                "f:1:77: root/later is left out: it is not used"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\n    + b",
                "a\n  b",
                "a @b:nothing",
                "a :number",
                "a :truth(1..2)",
                "a &b",
                "a sometimes"
            })
    void refusesWhatIsNoOutline(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Outline.parse(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    number(-1..5)     => -1 0 5          => -2 6 1.0 x 99999999999999999999
                    decimal(0..1)     => 0 0.5 1         => -0.1 1.1 1e-1 NaN x
                    share             => 0.1 1           => 0 1.01 80% 0,8
                    seconds           => 0 0.5 180 60s   => -1 x 1m
                    size(1MiB..1GiB)  => 1MiB 1024KiB 1GiB 2000000B => 1 1KB 1025MiB 1TiB big
                    truth             => true false      => yes 1 True
                    (a|b)             => a b             => c A
                    """)
    void knowsForms(String form, String good, String bad) {
        TextForm parsed = TextForm.parse(form);

        for (String text : good.split(" ", -1)) {
            assertThat(parsed.problem(text)).as(text).isEmpty();
        }
        for (String text : bad.split(" ", -1)) {
            assertThat(parsed.problem(text)).as(text).isPresent();
        }
    }
}
