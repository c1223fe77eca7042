package org.crabro.perf.packages;

import static org.crabro.perf.packages.HardTexts.SIZE;
import static org.crabro.perf.packages.HardTexts.many;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Packages by a description of their difficulty; each has one difficult file. */
final class MadePackages {
    static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/><document-api/></container>
              <content id="store" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="s" mode="index"/></documents>
              </content>
            </services>
            """;

    static final String SCHEMA =
            """
            schema s {
              document s {
                field t type string { indexing: index | summary }
                field n type int { indexing: attribute }
                field v type tensor<float>(x[4]) { indexing: attribute }
              }
              rank-profile p {
                first-phase { expression: attribute(n) }
              }
            }
            """;

    private final Map<String, Map<String, String>> packages = new LinkedHashMap<>();

    /** Returns them, each a map of paths to texts. */
    Map<String, Map<String, String>> all() {
        return packages;
    }

    /** A profile with {@code items}, which many inherit. */
    void inherited(String name, String items) {
        schema(
                "profiles that inherit " + name,
                SCHEMA.replace(
                        "rank-profile",
                        "rank-profile base {\n%s}\n".formatted(items)
                                + many(
                                        i -> "rank-profile p%d inherits base {}\n".formatted(i),
                                        SIZE / 2 - 2_000)
                                + "rank-profile"));
    }

    static String inDocument(String items) {
        return "schema s {\n  document s {\n" + items + "\n  }\n}\n";
    }

    void script(String name, String script) {
        schema(
                name,
                SCHEMA.replace(
                        "rank-profile",
                        "field e type string { indexing {\n%s\n} }\n  rank-profile"
                                .formatted(script)));
    }

    void expression(String name, String expression) {
        schema(
                "an expression: " + name,
                SCHEMA.replace("expression: attribute(n)", "expression { " + expression + " }"));
    }

    void profile(String name, String items) {
        schema("a profile: " + name, SCHEMA.replace("first-phase", items + "    first-phase"));
    }

    void schema(String name, String text) {
        schema(name, text, "schemas/s.sd", text);
    }

    void schema(String name, String text, String path, String hard) {
        var files = new HashMap<String, String>();
        files.put("schemas/s.sd", text);
        files.put(path, hard);
        add(name, files);
    }

    void other(String name, String path, String text) {
        add(path + ": " + name, Map.of(path, text));
    }

    void add(String name, Map<String, String> files) {
        var whole = new HashMap<>(Map.of("services.xml", SERVICES, "schemas/s.sd", SCHEMA));
        whole.putAll(files);
        files.forEach((path, text) -> {
            if (text.length() > SIZE) {
                throw new IllegalStateException(
                        "%s: %s has %d characters".formatted(name, path, text.length()));
            }
        });
        if (packages.put(name, whole) != null) {
            throw new IllegalStateException(name + " is there twice");
        }
    }
}
