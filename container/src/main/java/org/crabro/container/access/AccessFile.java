package org.crabro.container.access;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.config.application.NearestName;
import org.crabro.container.access.AccessRules.CertificateRule;
import org.crabro.protocol.wire.Permission;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.Principal.Groups;

/**
 * Reads an access file: sections of lines, one section for each principal.
 *
 * <pre>
 * file     = { blank | comment | section | setting }
 * comment  = "#" text
 * section  = "[" name "]"
 * setting  = key "=" value          # of the section above it
 * </pre>
 *
 * <p>Reads the file once; problems contain their line. A message never contains the value of a
 * hash, because an operator may have written the token itself.
 */
final class AccessFile {
    /** Of the access file and of each token file. */
    static final int BYTES_MAX = 1 << 20;

    static final int ENTRIES_MAX = 10_000;
    static final int TOKEN_FILES_MAX = 10_000;

    /** The section of requests without credentials. */
    static final String ANONYMOUS = "anonymous";

    private static final double RATE_MIN = 0.001;
    private static final double RATE_MAX = 1_000_000;
    private static final long BURST_MAX = 1_000_000;

    private static final Set<String> KEYS =
            Set.of(
                    "permissions",
                    "groups",
                    "group",
                    "token",
                    "token-file",
                    "certificate",
                    "requests-per-second",
                    "burst");

    /** Those that a section may have more than once. */
    private static final Set<String> REPEATED =
            Set.of("groups", "group", "token", "token-file", "certificate");

    private static final Set<String> CREDENTIALS = Set.of("token", "token-file", "certificate");

    private final Path file;
    private final Map<String, RequestRate> earlier;
    private final Map<Path, FileStamp> stamps = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<TokenHash, AccessEntry> tokens = new HashMap<>();
    private final List<CertificateRule> certificates = new ArrayList<>();

    /**
     * @param earlier rates of principals by name, which go on where their bounds are the same
     */
    AccessFile(Path file, Map<String, RequestRate> earlier) {
        this.file = file;
        this.earlier = Map.copyOf(earlier);
        note(file);
    }

    /** Notes a path before it is read, so that no later change is missed. */
    private void note(Path path) {
        stamps.put(path, FileStamp.of(path));
    }

    /** A setting of a section. */
    private record Setting(int line, String value) {}

    /** A section as written. */
    private record Section(String name, int line, Map<String, List<Setting>> settings) {
        List<Setting> all(String key) {
            return settings.getOrDefault(key, List.of());
        }

        Optional<Setting> first(String key) {
            return all(key).stream().findFirst();
        }
    }

    /** Returns the files and directories that were read, also after a problem. */
    Map<Path, FileStamp> stamps() {
        return Map.copyOf(stamps);
    }

    /**
     * Reads the file.
     *
     * @throws InvalidAccessFileException if it or a token file cannot be read or used
     */
    AccessRules read() {
        var anonymous = withoutRights();
        Map<String, RequestRate> rates = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (Section section : sections(text(file, file.toString()).orElse(""))) {
            AccessEntry entry = entry(section);
            names.add(section.name());
            entry.rate().ifPresent(rate -> rates.put(section.name(), rate));
            if (section.name().equals(ANONYMOUS)) {
                anonymous = entry;
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidAccessFileException(problems);
        }
        return new AccessRules(anonymous, tokens, certificates, rates, names);
    }

    private static AccessEntry withoutRights() {
        return new AccessEntry(
                new Principal(ANONYMOUS, new Groups.Only(Set.of()), Set.of()), Optional.empty());
    }

    /** Returns the text of a file, or empty after a problem was reported at {@code place}. */
    private Optional<String> text(Path path, String place) {
        try {
            if (Files.size(path) > BYTES_MAX) {
                problems.add("%s: '%s' is larger than %,d bytes".formatted(place, path, BYTES_MAX));
                return Optional.empty();
            }
            return Optional.of(Files.readString(path));
        } catch (CharacterCodingException _) {
            problems.add("%s: '%s' is not UTF-8".formatted(place, path));
        } catch (IOException e) {
            problems.add("%s: cannot read '%s': %s".formatted(place, path, e));
        }
        return Optional.empty();
    }

    private List<Section> sections(String text) {
        var sections = new ArrayList<Section>();
        Map<String, Integer> names = new HashMap<>();
        int number = 0;
        for (String raw : text.split("\n", -1)) {
            number++;
            String line = raw.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("[")) {
                section(line, number, names).ifPresent(sections::add);
            } else {
                setting(line, number, sections);
            }
        }
        if (sections.size() > ENTRIES_MAX) {
            problems.add("%s: more than %,d principals".formatted(file, ENTRIES_MAX));
        }
        return sections;
    }

    private Optional<Section> section(String line, int number, Map<String, Integer> names) {
        String name = line.endsWith("]") ? line.substring(1, line.length() - 1).strip() : "";
        if (name.isEmpty()) {
            problem(number, "expected the name of a principal in brackets, such as [feeder]");
            return Optional.empty();
        }
        Integer first = names.putIfAbsent(name, number);
        if (first != null) {
            problem(
                    number,
                    "principal '%s' occurs twice; the first is in line %d".formatted(name, first));
        }
        return Optional.of(new Section(name, number, new LinkedHashMap<>()));
    }

    private void setting(String line, int number, List<Section> sections) {
        int equals = line.indexOf('=');
        String key = equals < 0 ? line : line.substring(0, equals).strip();
        if (!KEYS.contains(key)) {
            // An unknown setting may be a token.
            problem(
                    number,
                    equals < 0
                            ? "expected a section such as [feeder] or a setting such as permissions"
                                    + " = read"
                            : "there is no setting '%s', only %s%s"
                                    .formatted(
                                            key,
                                            String.join(", ", KEYS.stream().sorted().toList()),
                                            NearestName.hint(key, KEYS)));
            return;
        }
        String value = equals < 0 ? "" : line.substring(equals + 1).strip();
        if (value.isEmpty()) {
            problem(number, "expected a value after '%s ='".formatted(key));
            return;
        }
        if (sections.isEmpty()) {
            problem(number, "expected a section such as [feeder] before the first setting");
            return;
        }
        List<Setting> previous =
                sections.getLast().settings().computeIfAbsent(key, _ -> new ArrayList<>());
        if (!previous.isEmpty() && !REPEATED.contains(key)) {
            problem(
                    number,
                    "'%s' occurs twice; the first is in line %d"
                            .formatted(key, previous.getFirst().line()));
        }
        previous.add(new Setting(number, value));
    }

    private AccessEntry entry(Section section) {
        var entry =
                new AccessEntry(
                        new Principal(section.name(), groups(section), permissions(section)),
                        rate(section));
        boolean isAnonymous = section.name().equals(ANONYMOUS);
        Optional<Setting> credential =
                CREDENTIALS.stream().flatMap(key -> section.all(key).stream()).findFirst();
        if (isAnonymous && credential.isPresent()) {
            problem(
                    credential.get().line(),
                    "[anonymous] is for requests without credentials and has none");
        } else if (!isAnonymous && credential.isEmpty()) {
            problem(
                    section.line(),
                    "principal '%s' has no credential: add token, token-file or certificate"
                            .formatted(section.name()));
        }
        for (Setting token : section.all("token")) {
            token(token.value(), "%s:%d".formatted(file, token.line()), entry);
        }
        section.all("token-file").forEach(setting -> tokenFile(setting, entry));
        for (Setting certificate : section.all("certificate")) {
            try {
                certificates.add(
                        new CertificateRule(CertificatePattern.parse(certificate.value()), entry));
            } catch (IllegalArgumentException e) {
                problem(certificate.line(), String.valueOf(e.getMessage()));
            }
        }
        return entry;
    }

    private Set<Permission> permissions(Section section) {
        var permissions = EnumSet.noneOf(Permission.class);
        Optional<Setting> setting = section.first("permissions");
        for (String name : setting.map(each -> words(each.value())).orElse(List.of())) {
            if (name.equals("all")) {
                permissions.addAll(EnumSet.allOf(Permission.class));
            } else if (!name.equals("none")) {
                Optional<Permission> permission =
                        Stream.of(Permission.values())
                                .filter(each -> each.shown().equals(name.toLowerCase(Locale.ROOT)))
                                .findFirst();
                permission.ifPresentOrElse(
                        permissions::add,
                        () ->
                                problem(
                                        setting.get().line(),
                                        "expected read, write, deploy, admin, all or none, but found '%s'"
                                                .formatted(name)));
            }
        }
        return permissions;
    }

    /** The default: all groups. */
    private static Groups groups(Section section) {
        var names = new HashSet<String>();
        boolean isEvery = section.all("groups").isEmpty() && section.all("group").isEmpty();
        for (Setting setting : section.all("groups")) {
            for (String name : words(setting.value())) {
                if (name.equals("all")) {
                    isEvery = true;
                } else if (!name.equals("none")) {
                    names.add(name);
                }
            }
        }
        section.all("group").forEach(setting -> names.add(setting.value()));
        return isEvery ? new Groups.Every() : new Groups.Only(names);
    }

    private Optional<RequestRate> rate(Section section) {
        Optional<Setting> setting = section.first("requests-per-second");
        Optional<Setting> burst = section.first("burst");
        if (setting.isEmpty()) {
            burst.ifPresent(each -> problem(each.line(), "burst needs requests-per-second"));
            return Optional.empty();
        }
        double perSecond = number(setting.get(), RATE_MIN, RATE_MAX);
        long most =
                burst.isPresent()
                        ? (long) number(burst.get(), 1, BURST_MAX)
                        : (long) Math.ceil(perSecond);
        var rate = new RequestRate(perSecond, Math.max(1, most));
        RequestRate sameRate = earlier.get(section.name());
        return Optional.of(sameRate != null && sameRate.isLike(rate) ? sameRate : rate);
    }

    /** Returns a number, or {@code min} after a problem. */
    private double number(Setting setting, double min, double max) {
        try {
            double number = Double.parseDouble(setting.value());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        problem(
                setting.line(),
                "expected a number from %s to %s, but found '%s'"
                        .formatted(shown(min), shown(max), setting.value()));
        return min;
    }

    private static String shown(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private void tokenFile(Setting setting, AccessEntry entry) {
        Path path;
        try {
            path = file.toAbsolutePath().resolveSibling(setting.value());
        } catch (InvalidPathException e) {
            problem(setting.line(), "'%s' cannot be a path".formatted(setting.value()));
            return;
        }
        note(path);
        if (!Files.isDirectory(path)) {
            hashes(path, setting, entry);
            return;
        }
        try (Stream<Path> paths = Files.list(path)) {
            // Names that begin with a dot: files that tools create when they replace files.
            List<Path> files =
                    paths.filter(each -> !each.getFileName().toString().startsWith("."))
                            .filter(Files::isRegularFile)
                            .sorted()
                            .limit(TOKEN_FILES_MAX + 1L)
                            .toList();
            if (files.size() > TOKEN_FILES_MAX) {
                problem(
                        setting.line(),
                        "'%s' has more than %,d files".formatted(path, TOKEN_FILES_MAX));
                return;
            }
            files.forEach(each -> {
                note(each);
                hashes(each, setting, entry);
            });
        } catch (IOException e) {
            problem(setting.line(), "cannot read '%s': %s".formatted(path, e));
        }
    }

    private void hashes(Path path, Setting setting, AccessEntry entry) {
        String text = text(path, "%s:%d".formatted(file, setting.line())).orElse("");
        int number = 0;
        for (String raw : text.split("\n", -1)) {
            number++;
            String line = raw.strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                token(line, "%s:%d".formatted(path, number), entry);
            }
        }
    }

    private void token(String value, String place, AccessEntry entry) {
        Optional<TokenHash> hash = TokenHash.parse(value);
        if (hash.isEmpty()) {
            problems.add(
                    place
                            + ": expected the SHA-256 of a token, 64 hexadecimal digits; 'crabro"
                            + " token' prints a token and its hash");
            return;
        }
        AccessEntry other = tokens.putIfAbsent(hash.get(), entry);
        if (other != null && !other.principal().name().equals(entry.principal().name())) {
            problems.add(
                    "%s: principals '%s' and '%s' have the same token"
                            .formatted(place, other.principal().name(), entry.principal().name()));
        }
    }

    private static List<String> words(String value) {
        return Arrays.stream(value.split(","))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .collect(Collectors.toUnmodifiableList());
    }

    private void problem(int line, String problem) {
        problems.add("%s:%d: %s".formatted(file, line, problem));
    }
}
