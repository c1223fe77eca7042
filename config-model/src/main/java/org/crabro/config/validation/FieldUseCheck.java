package org.crabro.config.validation;

import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.FieldType.Primitive;

/** Checks the fields that elements of a rank profile name outside of expressions. */
final class FieldUseCheck {
    private final ProfileFields fields;
    private final SchemaFindings findings;

    FieldUseCheck(ProfileFields fields, SchemaFindings findings) {
        this.fields = fields;
        this.findings = findings;
    }

    void check(RankProfileDeclaration.FieldUse use) {
        Name name = use.field();
        SchemaField field = fields.fieldOrPart(name.text()).orElse(null);
        boolean ofAttribute =
                use.element().equals("match-phase") || use.element().equals("diversity");
        if (field == null) {
            if (fields.isBroken(name.text())) {
                return;
            }
            if (!ofAttribute) {
                findings.at(step(use))
                        .warn(
                                "%s: %s of '%s' is left out: there is no such field%s"
                                        .formatted(
                                                name.at(),
                                                use.element(),
                                                name.text(),
                                                NearestName.hint(
                                                        name.text(), fields.names(_ -> true))));
            } else {
                problem(
                        step(use),
                        name,
                        "%s names the field '%s', which does not exist%s"
                                .formatted(
                                        use.element(),
                                        name.text(),
                                        NearestName.hint(name.text(), fields.names(_ -> true))));
            }
        } else if (ofAttribute && !SchemaCompiler.isAttribute(field)) {
            problem(
                    step(use),
                    name,
                    "%s needs an attribute, and the indexing of '%s' has none"
                            .formatted(use.element(), name.text()));
        } else if (use.element().equals("match-phase") && !isNumber(field)) {
            problem(
                    step(use),
                    name,
                    "match-phase needs a number, and '%s' is of type %s"
                            .formatted(name.text(), field.field().type().text()));
        } else if (use.element().equals("match-phase") && !field.values().fastSearch()) {
            problem(
                    step(use),
                    name,
                    "match-phase needs an attribute with fast-search, and '%s' has none"
                            .formatted(name.text()));
        } else if (use.element().equals("diversity") && !isSingle(field)) {
            problem(
                    step(use),
                    name,
                    "diversity needs a single value, and '%s' is of type %s"
                            .formatted(name.text(), field.field().type().text()));
        }
    }

    private static SchemaStep step(RankProfileDeclaration.FieldUse use) {
        return switch (use.element()) {
            case "match-phase" -> SchemaStep.MATCH_PHASE;
            case "diversity" -> SchemaStep.DIVERSITY;
            default -> SchemaStep.PROFILES;
        };
    }

    private static boolean isNumber(SchemaField field) {
        return field.field().type() instanceof Primitive primitive && primitive.isNumber();
    }

    private static boolean isSingle(SchemaField field) {
        return field.field().type() instanceof Primitive primitive
                && primitive != Primitive.PREDICATE;
    }

    private void problem(SchemaStep step, Name at, String problem) {
        findings.at(step).problem(at.at().pointing(problem));
    }
}
