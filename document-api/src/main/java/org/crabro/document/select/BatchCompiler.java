package org.crabro.document.select;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldType;
import org.crabro.document.LocationKey;

/** Compiles a selection to steps that each evaluate many rows of one type. */
final class BatchCompiler {
    private static final Set<SelectionExpression.IdPart> FIXED =
            EnumSet.of(SelectionExpression.IdPart.SCHEME, SelectionExpression.IdPart.TYPE);

    private final EvaluationContext context;
    private final String documentType;
    private final DocumentId anyId;

    BatchCompiler(EvaluationContext context, String documentType) {
        this.context = context;
        this.documentType = documentType;
        this.anyId = new DocumentId("any", documentType, new LocationKey.Plain(), "any");
    }

    BatchStep compile(Condition condition) {
        // The binding of a variable continues from one comparison to the next.
        return condition.hasVariable() ? each(condition) : step(condition);
    }

    private BatchStep step(Condition condition) {
        return switch (condition) {
            case Condition.Constant(var truth) -> new BatchStep.Fixed(truth);
            case Condition.OfType(var name) ->
                    new BatchStep.Fixed(Truth.of(name.equals(documentType)));
            case Condition.Not(var part) -> new BatchStep.Not(step(part));
            case Condition.And(var parts) -> all(parts, true);
            case Condition.Or(var parts) -> all(parts, false);
            case Condition.Compare compare -> step(compare);
        };
    }

    private BatchStep all(List<Condition> parts, boolean isAnd) {
        var steps = new BatchStep[parts.size()];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = step(parts.get(i));
        }
        return new BatchStep.All(steps, isAnd, context);
    }

    private BatchStep.Each each(Condition condition) {
        return new BatchStep.Each(condition, context);
    }

    /** The fields and parts of ids that an expression reads. */
    private final class Looks {
        private final List<SelectionExpression.FieldPath> paths = new ArrayList<>();
        private final Set<SelectionExpression.IdPart> id =
                EnumSet.noneOf(SelectionExpression.IdPart.class);

        private void add(SelectionExpression expression) {
            switch (expression) {
                case SelectionExpression.Literal _,
                        SelectionExpression.Now _,
                        SelectionExpression.Imported _,
                        SelectionExpression.Variable _ -> {}
                case SelectionExpression.OfId(var part) -> id.add(part);
                case SelectionExpression.Call(_, var of, _) -> add(of);
                case SelectionExpression.Arithmetic(var operands, _, _) -> {
                    for (SelectionExpression operand : operands) {
                        add(operand);
                    }
                }
                case SelectionExpression.FieldPath path -> {
                    // For a document of another type the path is invalid, which is the same for all
                    // rows.
                    if (context.types().isA(documentType, path.documentType())) {
                        paths.add(path);
                    }
                }
            }
        }

        private boolean isOfIdAlone(SelectionExpression.IdPart... parts) {
            var others = EnumSet.copyOf(id);
            others.removeAll(FIXED);
            others.removeAll(List.of(parts));
            return paths.isEmpty() && others.isEmpty();
        }
    }

    private BatchStep step(Condition.Compare compare) {
        var looks = new Looks();
        looks.add(compare.left());
        looks.add(compare.right());
        BatchStep.Each each = each(compare);
        if (looks.isOfIdAlone()) {
            var document = SelectedDocument.of(new Document(anyId, Map.of()));
            return new BatchStep.Fixed(new Evaluation(document, context).of(compare));
        }
        if (looks.isOfIdAlone(SelectionExpression.IdPart.NAMESPACE)) {
            return new BatchStep.ByNumber(each, false);
        }
        if (looks.isOfIdAlone(SelectionExpression.IdPart.GROUP, SelectionExpression.IdPart.USER)) {
            return new BatchStep.ByNumber(each, true);
        }
        if (!FIXED.containsAll(looks.id)
                || looks.paths.stream().anyMatch(path -> !path.steps().isEmpty())) {
            return each;
        }
        if (looks.paths.size() == 1 && isText(looks.paths.getFirst())) {
            return new BatchTexts(compare, context, looks.paths.getFirst().field(), anyId, each);
        }
        Optional<NumberProgram> left = numbers(compare.left());
        Optional<NumberProgram> right = numbers(compare.right());
        return left.isPresent() && right.isPresent()
                ? new BatchNumbers(compare.comparison(), left.get(), right.get(), each, context)
                : each;
    }

    private FieldType type(SelectionExpression.FieldPath path) {
        return context.types()
                .type(path.documentType())
                .flatMap(documentType -> documentType.field(path.field()))
                .orElseThrow(() -> new IllegalStateException(path + " was not checked"))
                .type();
    }

    private boolean isText(SelectionExpression.FieldPath path) {
        FieldType type = type(path);
        return type instanceof FieldType.ReferenceOf
                || (type instanceof FieldType.Primitive primitive && primitive.isText());
    }

    private static Optional<NumberProgram> fixed(Value value) {
        return switch (value) {
            case Value.Whole _, Value.Real _, Value.Nothing _ ->
                    Optional.of(new NumberProgram.Fixed(value));
            default -> Optional.empty();
        };
    }

    private Optional<NumberProgram> numbers(SelectionExpression expression) {
        return switch (expression) {
            case SelectionExpression.Literal(var value) -> fixed(value);
            case SelectionExpression.Now() ->
                    Optional.of(new NumberProgram.Fixed(new Value.Whole(context.now())));
            case SelectionExpression.FieldPath path -> {
                if (!context.types().isA(documentType, path.documentType())) {
                    yield Optional.of(new NumberProgram.Fixed(Value.INVALID));
                }
                boolean isNumber =
                        type(path) instanceof FieldType.Primitive primitive
                                && (primitive.isNumber() || primitive == FieldType.Primitive.BOOL);
                yield isNumber && path.steps().isEmpty()
                        ? Optional.of(new NumberProgram.OfField(path.field()))
                        : Optional.empty();
            }
            case SelectionExpression.Call(SelectionExpression.Function function, var of, _)
                    when function == SelectionExpression.Function.ABS ->
                    numbers(of).map(NumberProgram.Absolute::new);
            case SelectionExpression.Arithmetic(var operands, var operators, _) -> {
                var programs = new ArrayList<NumberProgram>();
                for (SelectionExpression operand : operands) {
                    numbers(operand).ifPresent(programs::add);
                }
                yield programs.size() == operands.size()
                        ? Optional.of(new NumberProgram.Calculation(programs, operators))
                        : Optional.empty();
            }
            case SelectionExpression.Imported _,
                    SelectionExpression.OfId _,
                    SelectionExpression.Variable _,
                    SelectionExpression.Call _ ->
                    Optional.empty();
        };
    }
}
