package org.crabro.config.deploy;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;

/**
 * The changes that a package allows explicitly, each until the end of a day (UTC).
 *
 * @param allowed in the order of the file, without ids that have no effect here
 */
public record ValidationOverrides(List<Allow> allowed) {
    /** Its path in a package. */
    public static final String PATH = "validation-overrides.xml";

    /** The maximum number of days for which an override is valid. */
    private static final int DAYS_MAX = 30;

    private static final String FORM = "<allow until=\"yyyy-mm-dd\" comment=\"why\">id</allow>";

    public ValidationOverrides {
        allowed = List.copyOf(allowed);
    }

    /**
     * An allowed id.
     *
     * @param until the last day
     * @param place in the file
     * @param lines around the place, each after a line end
     */
    public record Allow(ValidationId id, LocalDate until, String place, String lines) {}

    static ValidationOverrides read(ApplicationFiles files, Findings findings) {
        Optional<XmlElement> root =
                files.text(PATH)
                        .flatMap(text -> new XmlText(PATH, text, findings).parts(Set.of("allow")));
        var allowed = new ArrayList<Allow>();
        root.ifPresent(element -> {
            if (element.name().equals("validation-overrides")) {
                element.children().forEach(child -> read(child, allowed, findings));
            } else {
                problem(
                        element,
                        "expected validation-overrides, but found '" + element.name() + "'");
            }
        });
        return new ValidationOverrides(allowed);
    }

    private static void read(XmlElement allow, List<Allow> into, Findings findings) {
        if (!allow.name().equals("allow")) {
            problem(allow, "expected " + FORM + ", but found '" + allow.name() + "'");
            return;
        }
        Optional<String> until = allow.attribute("until");
        if (until.isEmpty()) {
            problem(allow, "allow needs until, as in " + FORM);
            return;
        }
        if (allow.text().isEmpty()) {
            problem(allow, "allow needs an id, as in " + FORM);
            return;
        }
        try {
            LocalDate day = LocalDate.parse(until.get());
            String id = allow.text();
            ValidationId.of(id)
                    .ifPresent(validation ->
                            into.add(new Allow(validation, day, place(allow), lines(allow))));
            List<String> ids = ValidationId.names();
            if (allow.file().isWhole() && !ids.contains(id)) {
                findings.warn(
                        "%s: there is no '%s' to allow%s"
                                .formatted(place(allow), id, NearestName.hint(id, ids)));
            }
        } catch (DateTimeParseException _) {
            allow.file()
                    .problem(
                            allow,
                            "until",
                            "expected a day such as 2026-12-31, but found '" + until.get() + "'");
        }
    }

    private static String place(XmlElement allow) {
        return allow.file().place(allow);
    }

    private static String lines(XmlElement allow) {
        String shown = allow.file().pointing(allow, "");
        return shown.substring(Math.max(0, shown.indexOf('\n')));
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }

    /** Returns the problem with a date that is too far ahead. */
    public List<String> problems(LocalDate today) {
        LocalDate last = today.plusDays(DAYS_MAX);
        return allowed.stream()
                .filter(each -> each.until().isAfter(last))
                .map(each ->
                        "%s: %s is allowed until %s, more than %d days ahead; expected %s or before%s"
                                .formatted(
                                        each.place(),
                                        each.id().id(),
                                        each.until(),
                                        DAYS_MAX,
                                        last,
                                        each.lines()))
                .toList();
    }

    /** Returns whether {@code id} is allowed on {@code today}. */
    public boolean allows(ValidationId id, LocalDate today) {
        return allowed.stream().anyMatch(each -> each.id() == id && !today.isAfter(each.until()));
    }
}
