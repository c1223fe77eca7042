package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.crabro.config.application.Findings;
import org.crabro.config.application.MapFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidationOverridesTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 20);

    private final Findings findings = new Findings();

    @Test
    void allowsThroughTheWholeDay() {
        ValidationOverrides overrides =
                read(
                        """
                        <validation-overrides>
                          <allow until="2026-11-20" comment="today">content-type-removal</allow>
                          <allow until="2026-11-19">field-type-change</allow>
                          <allow until="2026-12-20">certificate-removal</allow>
                        </validation-overrides>
                        """);

        assertThat(findings.problems()).isEmpty();
        assertThat(overrides.problems(TODAY)).isEmpty();
        assertThat(overrides.allows(ValidationId.SCHEMA_REMOVAL, TODAY)).isTrue();
        assertThat(overrides.allows(ValidationId.SCHEMA_REMOVAL, TODAY.plusDays(1))).isFalse();
        assertThat(overrides.allows(ValidationId.FIELD_TYPE_CHANGE, TODAY)).isFalse();
    }

    @Test
    void expires() {
        ValidationOverrides overrides =
                read(
                        "<validation-overrides><allow until='2026-12-21'>schema-removal</allow></validation-overrides>");

        assertThat(overrides.problems(TODAY))
                .isEqualTo(
                        List.of(
                                "validation-overrides.xml:1:23: schema-removal is allowed until"
                                        + " 2026-12-21, more than 30 days ahead; expected 2026-12-20"
                                        + " or before\n"
                                        + "  1: <validation-overrides><allow"
                                        + " until='2026-12-21'>schema-removal</allow></validation-overrides>\n"
                                        + "                           ^"));
        assertThat(overrides.problems(TODAY.plusDays(1))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    <allow/> | 1:1: expected validation-overrides, but found 'allow'
                    <validation-overrides><deny/></validation-overrides> | 1:23: expected <allow until="yyyy-mm-dd" comment="why">id</allow>, but found 'deny'
                    <validation-overrides><allow>x</allow></validation-overrides> | 1:23: allow needs until, as in <allow until="yyyy-mm-dd" comment="why">id</allow>
                    <validation-overrides><allow until='soon'>x</allow></validation-overrides> | 1:30: expected a day such as 2026-12-31, but found 'soon'
                    """)
    void rejectsWrongOverrides(String text, String problem) {
        read(text);

        assertThat(findings.problems().getFirst().lines().findFirst().orElseThrow())
                .isEqualTo("validation-overrides.xml:" + problem);
    }

    private ValidationOverrides read(String text) {
        return ValidationOverrides.read(
                new MapFiles(Map.of("validation-overrides.xml", text)), findings);
    }
}
