package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of formats names every format of stored files, with the version in the code. */
class FormatTableTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| .* \\| (\\d+) \\| `([\\w.]+)\\.(\\w+)` \\|$");
    private static final Pattern CONSTANT =
            Pattern.compile("static final (?:int (VERSION|FORMAT)\\b|String (HEAD)\\b)");
    private static final Pattern NUMBER_AT_END = Pattern.compile("(\\d+)$");

    private final SourceTree tree = SourceTree.ofRepository();

    FormatTableTest() throws IOException {}

    @Test
    void versionsAreThoseOfTheCode() throws ReflectiveOperationException {
        Map<String, Integer> inCode = new TreeMap<>();
        for (String name : table().keySet()) {
            inCode.put(name, version(name));
        }

        assertThat(table()).isEqualTo(inCode).hasSizeGreaterThan(8);
    }

    @Test
    void namesEveryFormatOfTheStore() {
        List<String> inCode = new ArrayList<>();
        tree.texts()
                .forEach((path, text) -> {
                    Matcher constant = CONSTANT.matcher(text);
                    if (path.matches("content/[a-z]+/src/main/java/.*") && constant.find()) {
                        String name =
                                constant.group(1) == null ? constant.group(2) : constant.group(1);
                        inCode.add(
                                path.substring(path.indexOf("org/crabro/") + "org/crabro/".length())
                                                .replace(".java", "")
                                                .replace('/', '.')
                                        + "."
                                        + name);
                    }
                });

        assertThat(table().keySet()).containsAll(inCode);
        assertThat(inCode).hasSizeGreaterThan(5);
    }

    private Map<String, Integer> table() {
        Map<String, Integer> versions = new TreeMap<>();
        for (MatchResult row : ROW.matcher(tree.text("docs/store.md")).results().toList()) {
            versions.put(row.group(2) + "." + row.group(3), Integer.valueOf(row.group(1)));
        }
        return versions;
    }

    private static int version(String name) throws ReflectiveOperationException {
        int dot = name.lastIndexOf('.');
        Field field =
                Class.forName("org.crabro." + name.substring(0, dot))
                        .getDeclaredField(name.substring(dot + 1));
        field.setAccessible(true);
        if (field.get(null) instanceof String text) {
            Matcher number = NUMBER_AT_END.matcher(text);
            assertThat(number.find()).as(text).isTrue();
            return Integer.parseInt(number.group(1));
        }
        return field.getInt(null);
    }
}
