package org.crabro.config.validation;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration.Property;
import org.crabro.config.schema.RankProfile;

/** Checks rank properties: those that are read have numbers, and of the others it is told. */
final class RankPropertyCheck {
    private static final Pattern OF_FEATURE = Pattern.compile("([a-zA-Z0-9]+)\\((.+)\\)\\.(.+)");

    /** By the names of features. */
    private static final Map<String, Set<String>> READ =
            Map.of(
                    "bm25", Set.of("k1", "b", "averageFieldLength"),
                    "freshness", Set.of("maxAge", "halfResponse"));

    /** Which documents the statistics of words are of; read by queries. */
    private static final String STATISTICS = "ranking.statistics";

    private final Set<String> fields;
    private final Findings findings;

    RankPropertyCheck(Set<String> fields, Findings findings) {
        this.fields = fields;
        this.findings = findings;
    }

    void check(Property property) {
        Name key = property.key();
        if (key.text().equals(STATISTICS)) {
            return;
        }
        if (key.text().startsWith(RankProfile.ELEMENT_GAP)) {
            checkGap(key, property.value());
            return;
        }
        Matcher matcher = OF_FEATURE.matcher(key.text());
        if (!matcher.matches() || !READ.containsKey(matcher.group(1))) {
            ignored(key, "");
        } else if (!fields.contains(matcher.group(2))) {
            ignored(key, NearestName.hint(matcher.group(2), fields));
        } else if (!READ.get(matcher.group(1)).contains(matcher.group(3))) {
            ignored(key, NearestName.hint(matcher.group(3), READ.get(matcher.group(1))));
        } else {
            checkNumber(key, property.value());
        }
    }

    private void ignored(Name key, String hint) {
        findings.warn(
                "%s: rank property '%s' is ignored: nothing reads it%s"
                        .formatted(key.at(), key.text(), hint));
    }

    private void checkGap(Name key, String value) {
        String field = key.text().substring(RankProfile.ELEMENT_GAP.length());
        if (!fields.contains(field)) {
            ignored(key, NearestName.hint(field, fields));
        } else if (!value.equals(RankProfile.NO_ELEMENT_GAP) && !value.matches("[0-9]{1,9}")) {
            findings.problem(
                    key.at()
                            .pointing(
                                    "rank property '%s' is '%s' where a whole number from 0 on or infinity is expected"
                                            .formatted(key.text(), value)));
        }
    }

    private void checkNumber(Name key, String value) {
        try {
            Double.parseDouble(value);
        } catch (NumberFormatException _) {
            findings.problem(
                    key.at()
                            .pointing(
                                    "rank property '%s' is '%s' where a number is expected"
                                            .formatted(key.text(), value)));
        }
    }
}
