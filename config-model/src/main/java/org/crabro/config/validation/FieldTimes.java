package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.config.application.Findings;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.FieldDeclaration.StructField;
import org.crabro.config.parser.Name;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.time.TimeKind;
import org.crabro.document.time.TimeParts;

/** Compiles the {@code kind} of a field and of its parts. */
final class FieldTimes {
    private final Findings findings;
    private TimeParts times = TimeParts.NONE;

    private FieldTimes(Findings findings) {
        this.findings = findings;
    }

    /** Returns the times of a field and reports kinds that its types cannot have. */
    static TimeParts of(FieldDeclaration declaration, FieldType type, Findings findings) {
        var compiled = new FieldTimes(findings);
        declaration.settings().kind().ifPresent(kind -> compiled.add(kind, type, List.of()));
        compiled.addParts(declaration.structFields(), type, List.of());
        return compiled.times;
    }

    /**
     * @param path to the value that contains the parts
     */
    private void addParts(List<StructField> parts, FieldType type, List<String> path) {
        for (StructField part : parts) {
            var longer = new ArrayList<>(path);
            Optional<FieldType> inside = Optional.of(type);
            for (String name : part.path().text().split("\\.", -1)) {
                longer.add(name);
                inside = inside.flatMap(each -> inside(each, name));
            }
            // A part that does not exist is reported with the other settings of parts.
            if (inside.isEmpty() && longer.getLast().equals("key")) {
                part.settings().kind().ifPresent(this::refuseKey);
            }
            inside.ifPresent(of -> {
                part.settings().kind().ifPresent(kind -> add(kind, of, longer));
                addParts(part.structFields(), of, longer);
            });
        }
    }

    private static Optional<FieldType> inside(FieldType type, String name) {
        return switch (type) {
            case ArrayOf(var element) -> inside(element, name);
            case MapOf(_, var value) when name.equals("value") -> Optional.of(value);
            case StructOf struct -> struct.field(name).map(Field::type);
            default -> Optional.empty();
        };
    }

    private void add(Name kind, FieldType type, List<String> path) {
        Optional<TimeKind> named = TimeKind.named(kind.text());
        if (named.isEmpty()) {
            problem(
                    kind,
                    "unknown kind '%s': expected one of %s"
                            .formatted(kind.text(), TimeKind.words()));
        } else {
            add(kind, named.get(), type, path);
        }
    }

    private void add(Name at, TimeKind kind, FieldType type, List<String> path) {
        if (type == Primitive.LONG) {
            times = times.with(path, kind);
        } else if (type instanceof ArrayOf(var element)) {
            add(at, kind, element, path);
        } else if (type instanceof MapOf(_, var value)) {
            var longer = new ArrayList<>(path);
            longer.add("value");
            add(at, kind, value, longer);
        } else {
            problem(
                    at,
                    "kind is for type long, and for arrays and maps of it, not for " + type.text());
        }
    }

    private void refuseKey(Name kind) {
        problem(kind, "kind is for the values of a map, not for its keys");
    }

    private void problem(Name at, String problem) {
        findings.problem(at.at().pointing(problem));
    }
}
