package org.crabro.config.validation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.FieldDeclaration.StructField;
import org.crabro.config.parser.MatchDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.ScriptDeclaration.Statement;
import org.crabro.config.parser.ScriptDeclaration.Step;
import org.crabro.config.schema.Aspect;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;

/**
 * Checks the settings of the parts of a field: that the parts exist and that the settings fit their
 * types.
 */
final class StructFieldCheck {
    private final Findings findings;

    StructFieldCheck(Findings findings) {
        this.findings = findings;
    }

    /**
     * Checks the parts of a field, and returns whether one of them is searched.
     *
     * @param isAround whether the field, or the part, that contains them is searched
     */
    boolean check(List<StructField> structFields, FieldType type, boolean isAround) {
        boolean searched = false;
        Map<String, Name> seen = new LinkedHashMap<>();
        for (StructField structField : structFields) {
            Name path = structField.path();
            Name first = seen.putIfAbsent(path.text(), path);
            if (first != null) {
                problem(
                        path,
                        "struct-field '%s' is declared twice; the first is at %s"
                                .formatted(path.text(), first.at().seenFrom(path.at())));
            }
            Optional<FieldType> part = part(path, type);
            if (part.isPresent()) {
                searched |= check(structField, part.get(), isAround);
            }
        }
        return searched;
    }

    private boolean check(StructField structField, FieldType type, boolean isAround) {
        boolean attribute = false;
        boolean index = false;
        for (Statement statement :
                structField.script().map(script -> script.statements()).orElse(List.of())) {
            for (Step step : statement.steps()) {
                if (step instanceof Step.Output(_, var aspect, var field) && field.isEmpty()) {
                    attribute |= aspect == Aspect.ATTRIBUTE;
                    index |= aspect == Aspect.INDEX;
                } else {
                    findings.problem(
                            step.at()
                                    .pointing(
                                            "the script of a struct-field may only contain attribute, index or summary"));
                }
            }
        }
        if (attribute && !(type instanceof Primitive) && !type.equals(StructOf.POSITION)) {
            problem(
                    structField.path(),
                    "a struct-field of type %s cannot be an attribute".formatted(type.text()));
        }
        if (!attribute) {
            structField
                    .settings()
                    .attribute()
                    .ifPresent(setting ->
                            problem(
                                    setting,
                                    setting.text()
                                            + " is set for an attribute, but the struct-field's"
                                            + " indexing has no attribute"));
        }
        boolean isSearched = structField.script().isEmpty() ? isAround : attribute || index;
        if (!isSearched && !structField.match().isEmpty()) {
            MatchDeclaration match = structField.match().getFirst();
            findings.warn(
                    "%s: %s has no effect: neither the struct-field nor the field around it has index or attribute"
                            .formatted(match.name().at(), match.word().text()));
        }
        return check(structField.structFields(), type, isSearched) || attribute || index;
    }

    private Optional<FieldType> part(Name path, FieldType type) {
        FieldType partType = type;
        for (String name : path.text().split("\\.", -1)) {
            Map<String, FieldType> parts = parts(partType);
            FieldType part = parts.get(name);
            if (part == null) {
                problem(
                        path,
                        "type %s has no part '%s'%s"
                                .formatted(
                                        partType.text(),
                                        name,
                                        NearestName.hint(name, parts.keySet())));
                return Optional.empty();
            }
            partType = part;
        }
        return Optional.of(partType);
    }

    private static Map<String, FieldType> parts(FieldType type) {
        Map<String, FieldType> parts = new LinkedHashMap<>();
        switch (type) {
            case Primitive _, WeightedSetOf _, ReferenceOf _, TensorOf _ -> {}
            case ArrayOf(var element) -> parts.putAll(parts(element));
            case MapOf(var key, var value) -> {
                parts.put("key", key);
                parts.put("value", value);
            }
            case StructOf(_, var fields) -> {
                for (Field field : fields) {
                    parts.put(field.name(), field.type());
                }
            }
        }
        return parts;
    }

    private void problem(Name at, String problem) {
        findings.problem(at.at().pointing(problem));
    }
}
