package org.crabro.config.services;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.config.application.XmlElement;

/** Checks the bindings of handlers and APIs to addresses. */
final class BindingReader {
    private static final Pattern FORM =
            Pattern.compile("(https?|\\*)://([A-Za-z0-9.*-]+)(:([0-9]{1,5}|\\*))?(/[^?#\\s]*)");

    /** Every request may be compared with all of them. */
    private static final int BINDINGS_MAX = 100;

    private static final int HOST = 2;
    private static final int PORT = 4;
    private static final int PATH = 5;

    /** The paths that every container serves itself. */
    private static final List<String> RESERVED =
            List.of(
                    "/ApplicationStatus",
                    "/status.html",
                    "/state/v1",
                    "/metrics/v2",
                    "/prometheus/v1");

    private BindingReader() {}

    /** Returns where {@code handler} answers, after bindings that cannot be were reported. */
    static List<ServedPath> handlerPaths(XmlElement handler) {
        String id = handler.attribute("id").orElse("");
        var paths = new ArrayList<ServedPath>();
        for (XmlElement binding : bindings(handler)) {
            Matcher form = FORM.matcher(binding.text());
            if (!form.matches()) {
                illFormed(binding);
            } else if (isReserved(form.group(PATH))) {
                problem(
                        binding,
                        "handler '%s' cannot be bound to '%s': the server answers %s itself"
                                .formatted(id, binding.text(), form.group(PATH)));
            } else {
                paths.add(served(form, form.group(PATH)));
            }
        }
        return paths;
    }

    /**
     * Returns the bindings of {@code section} that replace its default path; empty if the package
     * has none. Invalid ones are reported.
     */
    static List<ServedPath> paths(XmlElement section) {
        var paths = new ArrayList<ServedPath>();
        for (XmlElement binding : bindings(section)) {
            Matcher form = FORM.matcher(binding.text());
            if (!form.matches()) {
                illFormed(binding);
            } else if (isReserved(form.group(PATH))) {
                problem(
                        binding,
                        "%s cannot be bound to '%s': the server answers %s itself"
                                .formatted(section.name(), binding.text(), form.group(PATH)));
            } else {
                paths.add(served(form, form.group(PATH)));
            }
        }
        return paths;
    }

    /**
     * Returns the paths below which {@code api} answers {@code /document/v1/}; empty if the package
     * has none. Invalid ones are reported. A binding names either the whole path or the part before
     * it.
     */
    static List<ServedPath> documentRoots(XmlElement api) {
        var roots = new ArrayList<ServedPath>();
        for (XmlElement binding : bindings(api)) {
            Matcher form = FORM.matcher(binding.text());
            if (!form.matches()) {
                illFormed(binding);
                continue;
            }
            String path = form.group(PATH).replaceFirst("/(document/v1/(\\*/?)?)?$", "") + "/";
            if (path.contains("*")) {
                problem(
                        binding,
                        "expected http://*/document/v1/*, or a path in front of it such as"
                                + " http://*/mine/, but found '%s'".formatted(binding.text()));
            } else if (!path.equals("/") && isReserved(path.substring(0, path.length() - 1))) {
                problem(
                        binding,
                        "%s cannot be bound to '%s': the server answers %s itself"
                                .formatted(api.name(), binding.text(), form.group(PATH)));
            } else {
                roots.add(served(form, path));
            }
        }
        return roots;
    }

    /** Returns the bindings of {@code section}, limited to the maximum number. */
    private static List<XmlElement> bindings(XmlElement section) {
        List<XmlElement> all = section.children("binding");
        if (all.size() <= BINDINGS_MAX) {
            return all;
        }
        problem(
                all.get(BINDINGS_MAX),
                "%s has %,d bindings; at most %,d are allowed"
                        .formatted(section.name(), all.size(), BINDINGS_MAX));
        return all.subList(0, BINDINGS_MAX);
    }

    private static ServedPath served(Matcher form, String path) {
        String port = form.group(PORT);
        return new ServedPath(
                Optional.of(form.group(HOST)).filter(host -> !host.equals("*")),
                port == null || port.equals("*")
                        ? OptionalInt.empty()
                        : OptionalInt.of(Integer.parseInt(port)),
                path);
    }

    /**
     * Returns the path of {@code binding}, or empty if the binding is not valid, which is reported
     * elsewhere.
     */
    static Optional<ServedPath> path(XmlElement binding) {
        Matcher form = FORM.matcher(binding.text());
        return form.matches() ? Optional.of(served(form, form.group(PATH))) : Optional.empty();
    }

    /** Reports an invalid binding. */
    static void checkForm(XmlElement binding) {
        if (!FORM.matcher(binding.text()).matches()) {
            illFormed(binding);
        }
    }

    /** Returns whether every request has an address that {@code binding} means. */
    static boolean isEverything(XmlElement binding) {
        Matcher form = FORM.matcher(binding.text());
        return form.matches()
                && form.group(HOST).equals("*")
                && (form.group(PORT) == null || form.group(PORT).equals("*"))
                && form.group(PATH).equals("/*");
    }

    private static boolean isReserved(String path) {
        return path.equals("/")
                || RESERVED.stream()
                        .anyMatch(each -> path.equals(each) || path.startsWith(each + "/"));
    }

    private static void illFormed(XmlElement binding) {
        problem(
                binding,
                "expected a binding such as http://*/path/*, but found '%s'"
                        .formatted(binding.text()));
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
