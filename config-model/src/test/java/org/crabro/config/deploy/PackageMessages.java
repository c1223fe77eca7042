package org.crabro.config.deploy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.crabro.config.application.MapFiles;
import org.crabro.config.application.Notice;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.queryprofile.ResolvedProfile;

/**
 * The messages for a package.
 *
 * @param values of its query profiles for the requests of the case
 */
record PackageMessages(String problems, String notices, String values) {
    private static final String MAKES = " => ";

    /** Compiles the package. */
    static PackageMessages of(CorpusFile.Case each) {
        try {
            CompiledApplication compiled =
                    ApplicationCompiler.compile(new MapFiles(each.files()), 1);
            return new PackageMessages(
                    "",
                    lines(compiled.notices()),
                    values(each.values(), compiled.model().queryProfiles()));
        } catch (InvalidApplicationException e) {
            return new PackageMessages(String.join("\n", e.problems()), lines(e.notices()), "");
        }
    }

    private static String lines(List<Notice> notices) {
        return notices.stream()
                .map(notice -> notice.level() + " " + notice.message())
                .collect(Collectors.joining("\n"));
    }

    /** Returns the lines {@code profile?a=1&b=2 => result}, with the results. */
    private static String values(String asked, QueryProfiles profiles) {
        return asked.lines()
                .map(line -> {
                    int end = line.indexOf(MAKES.strip());
                    String request = (end < 0 ? line : line.substring(0, end)).strip();
                    return request + MAKES + value(request, profiles);
                })
                .collect(Collectors.joining("\n"));
    }

    private static String value(String asked, QueryProfiles profiles) {
        int question = asked.indexOf('?');
        Map<String, String> request =
                question < 0
                        ? Map.of()
                        : List.of(asked.substring(question + 1).split("&")).stream()
                                .map(each -> each.split("=", 2))
                                .collect(Collectors.toMap(each -> each[0], each -> each[1]));
        Optional<ResolvedProfile> resolved =
                profiles.resolve(
                        question < 0 ? asked : asked.substring(0, question),
                        name -> Optional.ofNullable(request.get(name)));
        if (resolved.isEmpty()) {
            return "no such profile";
        }
        return new TreeMap<>(resolved.get().texts(name -> Optional.ofNullable(request.get(name))))
                .entrySet().stream()
                        .map(value ->
                                value.getKey()
                                        + (resolved.get().isOverridable(value.getKey())
                                                ? "="
                                                : " stays ")
                                        + value.getValue())
                        .collect(Collectors.joining("; "));
    }
}
