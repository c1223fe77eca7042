package org.crabro.config.validation;

import static java.util.Map.entry;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration.Property;
import org.crabro.config.schema.RankProfile;

/** Checks rank properties: supported ones must have valid numbers; the others cause a warning. */
final class RankPropertyCheck {
    private static final Pattern OF_FEATURE = Pattern.compile("([a-zA-Z0-9]+)\\((.+)\\)\\.(.+)");

    /** The supported settings of one field, by the name of the feature. */
    private static final Map<String, Set<String>> READ =
            Map.ofEntries(
                    entry("attributeMatch", Set.of("fieldCompletenessImportance", "maxWeight")),
                    entry("bm25", Set.of("k1", "b", "averageFieldLength", "averageElementLength")),
                    entry("closeness", Set.of("maxDistance", "scaleDistance", "halfResponse")),
                    entry("elementCompleteness", Set.of("fieldCompletenessImportance")),
                    entry(
                            "fieldMatch",
                            Set.of(
                                    "proximityCompletenessImportance",
                                    "relatednessImportance",
                                    "earlinessImportance",
                                    "segmentProximityImportance",
                                    "occurrenceImportance",
                                    "fieldCompletenessImportance",
                                    "maxAlternativeSegmentations")),
                    entry("freshness", Set.of("maxAge", "halfResponse")),
                    entry("nativeAttributeMatch", Set.of("weightTable")),
                    entry(
                            "nativeFieldMatch",
                            Set.of(
                                    "firstOccurrenceTable",
                                    "occurrenceCountTable",
                                    "firstOccurrenceImportance",
                                    "averageFieldLength")),
                    entry(
                            "nativeProximity",
                            Set.of(
                                    "proximityTable",
                                    "reverseProximityTable",
                                    "proximityImportance")));

    /** The supported settings of all fields together, by the name of the feature. */
    private static final Map<String, Set<String>> READ_OF_ALL =
            Map.of(
                    "foreach",
                    Set.of("maxTerms"),
                    "nativeFieldMatch",
                    Set.of("minFieldLength"),
                    "nativeProximity",
                    Set.of("slidingWindowSize"),
                    "nativeRank",
                    Set.of(
                            "fieldMatchWeight",
                            "proximityWeight",
                            "attributeMatchWeight",
                            "useTableNormalization"),
                    "random",
                    Set.of("seed", "match.seed"));

    /** A figure of elements: an expression by a name of its own. */
    private static final Pattern OF_ELEMENTS =
            Pattern.compile("elementSimilarity\\((.+)\\)\\.output\\.[a-zA-Z0-9_]+");

    private static final Pattern OF_CHANCE =
            Pattern.compile("random(Normal|NormalStable)?\\(.+\\)(\\.match)?\\.seed");

    private static final Pattern OF_ELEMENT_TEXTS =
            Pattern.compile("elementwise\\(bm25\\(.+\\),.+\\)\\.(k1|b|averageElementLength)");

    /** The value of an input if the query gives none; read by queries. */
    private static final Pattern INPUT = Pattern.compile("query\\(.+\\)|\\$.+");

    private static final Pattern PATH =
            Pattern.compile("\\(\\s*-?[0-9.]+(\\s*,\\s*-?[0-9.]+){3,}\\s*\\)");

    private static final Pattern TABLE =
            Pattern.compile("(expdecay|loggrowth|linear)\\([-0-9., ]+\\)");

    /** Which documents the statistics of words are of; read by queries. */
    private static final String STATISTICS = "ranking.statistics";

    private final ProfileFields fields;
    private final Findings findings;

    RankPropertyCheck(ProfileFields fields, Findings findings) {
        this.fields = fields;
        this.findings = findings;
    }

    void check(Property property) {
        Name key = property.key();
        if (key.text().equals(STATISTICS) || key.text().startsWith(RankProfile.MATCH_PHASE)) {
            return;
        }
        if (key.text().startsWith(RankProfile.ELEMENT_GAP)) {
            checkGap(key, property.value());
            return;
        }
        if (key.text().equals(RankProfile.NOW)) {
            checkNumber(key, property.value());
            return;
        }
        if (INPUT.matcher(key.text()).matches() || key.text().equals(RankProfile.FIELD_INFO)) {
            return;
        }
        if (key.text().matches("dotProduct\\.[^.]+") || isList(property)) {
            return;
        }
        if (key.text().matches("distanceToPath\\(.+\\)\\.path")) {
            checkPath(key, property.value());
            return;
        }
        if (OF_ELEMENT_TEXTS.matcher(key.text()).matches()) {
            checkNumber(key, property.value());
            return;
        }
        if (isOfAll(property)) {
            return;
        }
        Matcher elements = OF_ELEMENTS.matcher(key.text());
        if (elements.matches() && has(elements.group(1))) {
            return;
        }
        Matcher matcher = OF_FEATURE.matcher(key.text());
        if (!matcher.matches() || !READ.containsKey(matcher.group(1))) {
            ignored(key, "");
        } else if (!has(matcher.group(2))) {
            findings.warn(
                    "%s: rank property '%s' is ignored: there is no field '%s'%s"
                            .formatted(
                                    key.at(),
                                    key.text(),
                                    matcher.group(2),
                                    NearestName.hint(matcher.group(2), fields.names(_ -> true))));
        } else if (!READ.get(matcher.group(1)).contains(matcher.group(3))) {
            ignored(key, NearestName.hint(matcher.group(3), READ.get(matcher.group(1))));
        } else {
            checkValue(key, matcher.group(3), property.value());
        }
    }

    private boolean has(String field) {
        return fields.fieldOrPart(field).isPresent();
    }

    /**
     * Checks a property of all fields together, and returns whether it is one. Also accepts an
     * older form of a field property: the feature, the setting and the field, separated by dots.
     */
    private boolean isOfAll(Property property) {
        Name key = property.key();
        if (OF_CHANCE.matcher(key.text()).matches()) {
            checkNumber(key, property.value());
            return true;
        }
        int dot = key.text().indexOf('.');
        if (dot < 0) {
            return false;
        }
        String feature = key.text().substring(0, dot);
        String setting = key.text().substring(dot + 1);
        if (READ_OF_ALL.getOrDefault(feature, Set.of()).contains(setting)) {
            checkValue(key, setting, property.value());
            return true;
        }
        String[] parts = setting.split("\\.", 2);
        boolean isRead =
                feature.startsWith("native")
                        && READ.getOrDefault(feature, Set.of()).contains(parts[0])
                        && (parts.length == 1 || has(parts[1]));
        if (isRead) {
            checkValue(key, parts[0], property.value());
        }
        return isRead;
    }

    private void checkValue(Name key, String setting, String value) {
        if (setting.endsWith("Table")) {
            if (!TABLE.matcher(value).matches()) {
                findings.problem(
                        key.at()
                                .pointing(
                                        "rank property '%s' is '%s' where a table is expected, such as expdecay(500,3)"
                                                .formatted(key.text(), value)));
            }
        } else if (!setting.equals("useTableNormalization")) {
            checkNumber(key, value);
        }
    }

    private void ignored(Name key, String hint) {
        findings.warn(
                "%s: rank property '%s' is ignored: it is not supported%s"
                        .formatted(key.at(), key.text(), hint));
    }

    private void checkGap(Name key, String value) {
        String field = key.text().substring(RankProfile.ELEMENT_GAP.length());
        if (!has(field)) {
            ignored(key, NearestName.hint(field, fields.names(_ -> true)));
        } else if (!value.equals(RankProfile.NO_ELEMENT_GAP) && !value.matches("[0-9]{1,9}")) {
            findings.problem(
                    key.at()
                            .pointing(
                                    "rank property '%s' is '%s' where a whole number from 0 on or infinity is expected"
                                            .formatted(key.text(), value)));
        }
    }

    /** Returns whether the property is a list for a tensor feature, which can have any name. */
    private static boolean isList(Property property) {
        return property.key().text().matches("[a-zA-Z0-9_]+")
                && property.value().matches("(?s)\\{.*}|\\[.*]|\\(.*\\)");
    }

    private void checkPath(Name key, String value) {
        if (!PATH.matcher(value.strip()).matches() || value.split(",", -1).length % 2 != 0) {
            findings.warn(
                    "%s: rank property '%s' is ignored: (x1,y1,x2,y2,...) is expected, not '%s'"
                            .formatted(key.at(), key.text(), value));
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
