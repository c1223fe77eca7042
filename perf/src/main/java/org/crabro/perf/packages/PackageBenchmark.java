package org.crabro.perf.packages;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.InvalidApplicationException;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;

/** Compiles a large application, and one with a misspelt word in a large schema. */
public final class PackageBenchmark implements Benchmark {
    private static final int SCHEMAS = 100;
    private static final int FIELDS = 100;
    private static final int WARM_UP = 5;
    private static final int LARGE = 100 << 10;
    private static final int BROKEN = 50;
    private static final int HARD_RUNS = 2;
    private static final int HARD_SHOWN = 5;

    @Override
    public String name() {
        return "packages";
    }

    @Override
    public String summary() {
        return "an application of %d schemas of %d fields, and broken schemas of 100 KB"
                .formatted(SCHEMAS, FIELDS);
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path many = folder.resolve("many");
        Files.createDirectories(many.resolve("schemas"));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < SCHEMAS; i++) {
            names.add("type" + i);
            Files.writeString(many.resolve("schemas/type" + i + ".sd"), schema("type" + i, FIELDS));
        }
        Files.writeString(many.resolve("services.xml"), services(names));
        Path one = folder.resolve("one");
        Files.createDirectories(one.resolve("schemas"));
        Files.writeString(one.resolve("services.xml"), services(List.of("large")));
        int fields = FIELDS;
        while (schema("large", fields).length() < LARGE) {
            fields += FIELDS;
        }
        String large = schema("large", fields);
        for (int i = 0; i < WARM_UP; i++) {
            compile(many);
        }
        var random = new Random(7);
        return figures -> {
            figures.add("valid, 100 schemas of 100 fields", "s", compile(many));
            double longest = 0;
            for (int i = 0; i < BROKEN; i++) {
                Files.writeString(one.resolve("schemas/large.sd"), broken(large, random));
                longest = Math.max(longest, compile(one));
            }
            figures.add("broken, 100 KB: the longest of " + BROKEN, "s", longest);
            addHard(folder.resolve("hard"), figures);
        };
    }

    /** How long it takes to compile each package that was made to be hard. */
    private static void addHard(Path folder, Figures figures) throws Exception {
        Map<String, Map<String, String>> packages = HardPackages.all(7);
        var seconds = new HashMap<String, Double>();
        int number = 0;
        for (Map.Entry<String, Map<String, String>> each : packages.entrySet()) {
            Path one = folder.resolve("" + number++);
            HardPackages.write(each.getValue(), one);
            for (int i = 0; i < HARD_RUNS; i++) {
                // The best of several compilations, to exclude other load on the machine. The
                // processor time of this thread would be useless, because packages are compiled on
                // another one.
                seconds.merge(each.getKey(), compile(one), Math::min);
            }
        }
        var names = new ArrayList<>(packages.keySet());
        names.sort(Comparator.comparingDouble(name -> -seconds.getOrDefault(name, 0.0)));
        for (String name : names.subList(0, HARD_SHOWN)) {
            figures.add("hard, 100 KB: " + name, "s", seconds.getOrDefault(name, 0.0));
        }
    }

    private static double compile(Path directory) throws Exception {
        long begin = System.nanoTime();
        try {
            ApplicationCompiler.compile(DirectoryFiles.of(directory), 1);
        } catch (InvalidApplicationException _) {
            // The errors were found, and finding them is what is measured.
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private static String services(List<String> types) {
        var documents = new StringBuilder();
        for (String type : types) {
            documents.append("<document type=\"").append(type).append("\" mode=\"streaming\"/>");
        }
        return """
        <services version="1.0">
          <container id="default" version="1.0"><search/><document-api/></container>
          <content id="store" version="1.0">
            <min-redundancy>1</min-redundancy><documents>%s</documents>
          </content>
        </services>
        """
                .formatted(documents);
    }

    private static String schema(String name, int fields) {
        var text = new StringBuilder("schema " + name + " {\n  document " + name + " {\n");
        var profile = new StringBuilder("0");
        for (int i = 0; i < fields; i++) {
            switch (i % 4) {
                case 0 ->
                        text.append("    field text%d type string {\n".formatted(i))
                                .append("      indexing: index | summary\n    }\n");
                case 1 ->
                        text.append("    field number%d type int {\n".formatted(i))
                                .append("      indexing: attribute | summary\n    }\n");
                case 2 ->
                        text.append("    field tags%d type array<string> {\n".formatted(i))
                                .append("      indexing: attribute\n    }\n");
                default ->
                        text.append(
                                        "    field vector%d type tensor<float>(x[384]) {\n"
                                                .formatted(i))
                                .append("      indexing: attribute\n")
                                .append("      attribute { distance-metric: angular }\n    }\n");
            }
            if (i % 20 == 0) {
                profile.append(" + bm25(text").append(i).append(")");
            }
        }
        text.append("  }\n  fieldset default { fields: text0, text4 }\n");
        text.append("  rank-profile ranked { first-phase { expression { ")
                .append(profile)
                .append(" } } }\n}\n");
        return text.toString();
    }

    /** Takes out, doubles or moves some characters in a few places. */
    private static String broken(String text, Random random) {
        var broken = new StringBuilder(text);
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
            int at = random.nextInt(broken.length());
            int to = Math.min(broken.length(), at + 1 + random.nextInt(40));
            switch (random.nextInt(3)) {
                case 0 -> broken.delete(at, to);
                case 1 -> broken.insert(at, broken.substring(at, to));
                default ->
                        broken.insert(
                                random.nextInt(broken.length()),
                                "{\"<|:".charAt(random.nextInt(5)));
            }
        }
        return broken.toString();
    }
}
