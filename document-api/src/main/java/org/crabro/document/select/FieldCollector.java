package org.crabro.document.select;

import java.util.List;
import java.util.Set;

/** Finds the fields that a selection looks at in documents of one type. */
final class FieldCollector {
    private final SelectionTypes types;
    private final String documentType;
    private final Set<String> fields;

    FieldCollector(SelectionTypes types, String documentType, Set<String> fields) {
        this.types = types;
        this.documentType = documentType;
        this.fields = fields;
    }

    void add(Condition condition) {
        switch (condition) {
            case Condition.Constant _, Condition.OfType _ -> {}
            case Condition.And(var parts) -> addAll(parts);
            case Condition.Or(var parts) -> addAll(parts);
            case Condition.Not(var part) -> add(part);
            case Condition.Compare(_, var left, var right) -> {
                add(left);
                add(right);
            }
        }
    }

    private void addAll(List<Condition> parts) {
        for (Condition part : parts) {
            add(part);
        }
    }

    private void add(Expression expression) {
        switch (expression) {
            case Expression.Literal _,
                    Expression.Imported _,
                    Expression.OfId _,
                    Expression.Now _,
                    Expression.Variable _ -> {}
            case Expression.FieldPath path -> {
                if (types.isA(documentType, path.documentType())) {
                    fields.add(path.field());
                }
            }
            case Expression.Call(_, var of, _) -> add(of);
            case Expression.Arithmetic(var operands, _, _) -> {
                for (Expression operand : operands) {
                    add(operand);
                }
            }
        }
    }
}
