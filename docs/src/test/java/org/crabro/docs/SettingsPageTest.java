package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.server.ServerSettings;
import org.crabro.server.SettingMeanings;
import org.crabro.server.settings.Setting;
import org.crabro.server.warmup.QueryWarmUp;
import org.junit.jupiter.api.Test;

/**
 * The table of settings has a row for each setting of the code, with its default, and the sentence
 * that {@code bin/crabro settings} prints.
 */
class SettingsPageTest {
    private static final Pattern ROW = Pattern.compile("\\| `([\\w.]+)` \\| (.*?) \\| (.*) \\|");

    private record Row(String standard, String meaning) {}

    private final SettingMeanings meanings = SettingMeanings.read();
    private final List<Setting> settings =
            ServerSettings.onAnyPorts(Path.of("data"))
                    .withWarmUp(QueryWarmUp.BEFORE_READY)
                    .tree()
                    .settings();

    @Test
    void listsDefaultAndMeaningOfExactlyTheSettings() throws IOException {
        String page = SourceTree.ofRepository().text("docs/settings.md");
        var wrong = new ArrayList<String>();
        Map<String, Row> rows = new HashMap<>();
        page.lines()
                .dropWhile(line -> !line.equals("## All settings"))
                .takeWhile(line -> !line.equals("## Fixed limits"))
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .forEach(row -> {
                    if (rows.put(row.group(1), new Row(row.group(2), row.group(3))) != null) {
                        wrong.add("two rows: " + row.group(1));
                    }
                });
        for (Setting setting : settings) {
            Row row = rows.remove(setting.name());
            if (row == null || !isDefault(row.standard(), setting)) {
                wrong.add(
                        "wanted: | `%s` | %s | %s |"
                                .formatted(
                                        setting.name(),
                                        setting.text(),
                                        meanings.of(setting.name())));
            } else if (!row.meaning().equals(meanings.of(setting.name()))) {
                wrong.add(
                        "settings.properties has '%s', not '%s'"
                                .formatted(meanings.of(setting.name()), row.meaning()));
            }
        }
        rows.keySet().forEach(name -> wrong.add("no setting: " + name));

        assertThat(settings).hasSizeGreaterThan(60);
        assertThat(wrong).isEmpty();
    }

    @Test
    void everySettingHasAMeaningAndNothingElseHas() {
        var names = new TreeSet<String>();
        settings.forEach(setting -> names.add(setting.name()));

        assertThat(new TreeSet<>(meanings.names())).isEqualTo(names);
    }

    @Test
    void statesFixedLimitsAsInTheCode() throws Exception {
        List<Matcher> rows =
                SourceTree.ofRepository()
                        .text("docs/settings.md")
                        .lines()
                        .dropWhile(line -> !line.equals("## Fixed limits"))
                        .map(ROW::matcher)
                        .filter(Matcher::matches)
                        .toList();
        var wrong = new ArrayList<String>();
        for (Matcher row : rows) {
            Object value = constant("org.crabro." + row.group(1));
            Object told =
                    value instanceof Duration
                            ? Duration.parse("PT" + row.group(2))
                            : SettingDefault.value(row.group(2));
            if (!told.equals(value instanceof Integer number ? number.longValue() : value)) {
                wrong.add("%s is %s, not %s".formatted(row.group(1), value, row.group(2)));
            }
        }

        assertThat(rows).hasSizeGreaterThan(20);
        assertThat(wrong).isEmpty();
    }

    private static Object constant(String name) throws ReflectiveOperationException {
        int dot = name.lastIndexOf('.');
        Field field =
                Class.forName(name.substring(0, dot)).getDeclaredField(name.substring(dot + 1));
        field.setAccessible(true);
        return field.get(null);
    }

    private static boolean isDefault(String text, Setting setting) {
        return SettingDefault.isComputed(text)
                ? ((Number) setting.value()).longValue() == SettingDefault.value(text)
                : text.equals(setting.text());
    }
}
