package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every rule on the contents of a package has packages that show it: one that follows it, and one
 * that breaks it, if it can be broken.
 */
class RulesTest {
    private static final Pattern RULE =
            Pattern.compile("([0-9.]+/[a-z0-9-]+) ([VIN]+|elsewhere)(?: .*)?: .+");

    @Test
    void everyRuleIsShown() throws IOException {
        Map<String, String> rules = rules();
        var shown = new TreeMap<String, StringBuilder>();
        int packages = 0;
        for (CorpusFile.Case each : cases()) {
            packages += each.rules().isEmpty() ? 0 : 1;
            for (String rule : each.rules()) {
                StringBuilder by = shown.computeIfAbsent(rule, _ -> new StringBuilder());
                by.append(each.problems().isEmpty() ? 'V' : 'I');
                by.append(each.notices().isEmpty() ? "" : "N");
            }
        }
        var missing = new ArrayList<String>();
        rules.forEach((rule, needed) -> {
            String by = shown.getOrDefault(rule, new StringBuilder()).toString();
            if (!needed.equals("elsewhere")) {
                needed.chars()
                        .filter(kind -> by.indexOf(kind) < 0)
                        .forEach(kind -> missing.add(rule + " " + (char) kind));
            }
        });
        var unknown = new ArrayList<>(shown.keySet());
        unknown.removeAll(rules.keySet());

        assertThat(missing).isEmpty();
        assertThat(unknown).isEmpty();
        System.out.printf("%d rules, shown by %d packages%n", rules.size(), packages);
    }

    private static List<CorpusFile.Case> cases() {
        return Stream.concat(CorpusTest.cases(), CorpusTest.changes()).toList();
    }

    /** Returns which kinds of packages each rule needs: valid, invalid, with notices. */
    private static Map<String, String> rules() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(RulesTest.class.getResourceAsStream("rules.txt"))) {
            var rules = new TreeMap<String, String>();
            List<String> lines =
                    new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
            for (String line : lines) {
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                Matcher rule = RULE.matcher(line);
                assertThat(rule.matches()).as(line).isTrue();
                assertThat(rules.put(rule.group(1), rule.group(2))).as(line).isNull();
            }
            return rules;
        }
    }
}
