package org.crabro.document.select;

import java.util.List;
import java.util.Set;

/** Collects the fields that a selection reads in documents of one type. */
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

    private void add(SelectionExpression expression) {
        switch (expression) {
            case SelectionExpression.WithoutField _ -> {}
            case SelectionExpression.FieldPath path -> {
                if (types.isA(documentType, path.documentType())) {
                    fields.add(path.field());
                }
            }
            case SelectionExpression.Call(_, var of, _) -> add(of);
            case SelectionExpression.Arithmetic(var operands, _, _) -> {
                for (SelectionExpression operand : operands) {
                    add(operand);
                }
            }
        }
    }
}
