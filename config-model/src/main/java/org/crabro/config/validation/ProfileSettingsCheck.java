package org.crabro.config.validation;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration;

/**
 * Checks that settings of a rank profile which exclude or need each other agree, whether the
 * profile has them itself or inherits them.
 */
final class ProfileSettingsCheck {
    /** Counts per node; with {@code total-} before the last word they are counts over all nodes. */
    private static final List<String> COUNTS =
            List.of(
                    "first-phase keep-rank-count",
                    "second-phase rerank-count",
                    "match-phase max-hits");

    private final SchemaFindings findings;

    ProfileSettingsCheck(SchemaFindings findings) {
        this.findings = findings;
    }

    /**
     * @param settings those of the profile and of its parents
     */
    void check(RankProfileDeclaration profile, Map<String, Name> settings) {
        Map<String, Name> own = profile.settings().values();
        for (String count : COUNTS) {
            String total = count.replace(" ", " total-");
            boolean isOwn = own.containsKey(count) != own.containsKey(total);
            if (isOwn && settings.containsKey(count) && settings.containsKey(total)) {
                Name given = Objects.requireNonNull(own.getOrDefault(count, own.get(total)));
                Name other =
                        Objects.requireNonNull(
                                settings.get(own.containsKey(count) ? total : count));
                problem(
                        SchemaStep.PROFILES,
                        given,
                        "%s does not go with %s, which is inherited from %s"
                                .formatted(
                                        given.text(),
                                        other.text(),
                                        other.at().seenFrom(given.at())));
            }
        }
        Name diversity = own.get("diversity");
        if (diversity != null
                && settings.keySet().stream()
                        .noneMatch(key -> key.matches("match-phase|second-phase .*"))) {
            problem(
                    SchemaStep.DIVERSITY,
                    diversity,
                    "diversity needs a match-phase or a second-phase, whose hits it chooses from");
        }
    }

    private void problem(SchemaStep step, Name at, String problem) {
        findings.at(step).problem(at.at().pointing(problem));
    }
}
