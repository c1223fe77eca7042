package org.crabro.content.search.group;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.query.QueryFields;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.time.TimeKind;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compiles paths into fields of a schema to readers of their values.
 *
 * <p>A path that leads through elements of a collection has a scope: the collection. If the rows
 * were grouped by that collection before, the path is read from the one element of the group.
 */
final class FieldReaderCompiler {
    private final Schema schema;
    private final QueryFields fields;
    private final Map<String, Integer> scopes = new HashMap<>();
    private final Map<Integer, Integer> elementReads = new HashMap<>();
    private final Map<String, FieldReader> readers = new HashMap<>();
    private final Set<String> unknown = new LinkedHashSet<>();
    private final Set<String> read = new HashSet<>();

    /**
     * @param fields receives the fields that are read
     */
    FieldReaderCompiler(Schema schema, QueryFields fields) {
        this.schema = schema;
        this.fields = fields;
    }

    /** Returns the paths that no field has. */
    Set<String> unknown() {
        return unknown;
    }

    /** Returns the names of the fields that are read. */
    Set<String> read() {
        return read;
    }

    /** Returns how many readers read the one element of a scope that the rows are in. */
    int elementReads(int scope) {
        return elementReads.getOrDefault(scope, 0);
    }

    int scopeCount() {
        return scopes.size();
    }

    /** Returns whether a path without a map key leads to a position. */
    boolean isPosition(GroupExpression.FieldOf field) {
        String[] names = field.name().split("\\.", -1);
        Optional<SchemaField> root = schema.field(names[0]);
        if (root.isEmpty() || field.key().isPresent()) {
            return false;
        }
        var path = new Path(root.get().field().type());
        boolean isPath = walk(path, names, 1, names[0]);
        flatten(path, field.name());
        return isPath && path.type.equals(FieldType.StructOf.POSITION);
    }

    /** Returns the position whose number {@code NAME_zcurve} is; other expressions as they are. */
    GroupExpression position(GroupExpression expression) {
        if (expression instanceof GroupExpression.FieldOf(var name, _, _)
                && name.endsWith(SchemaField.Z_CURVE)
                && schema.field(name).isEmpty()) {
            GroupExpression.FieldOf of =
                    GroupExpression.FieldOf.of(
                            name.substring(0, name.length() - SchemaField.Z_CURVE.length()));
            return isPosition(of) ? of : expression;
        }
        return expression;
    }

    /** Returns how many units of a field of times a second has; 1 for other fields. */
    long perSecond(GroupExpression.FieldOf field) {
        return schema.times(field.partPath()).kind().map(TimeKind::perSecond).orElse(1L);
    }

    /** A partially resolved path from a field to its parts. */
    private static final class Path {
        private final List<FieldStep> steps = new ArrayList<>();
        private FieldType type;
        private String outer = "";
        private int outerStep = -1;
        private int manySteps;

        Path(FieldType type) {
            this.type = type;
        }

        void into(FieldStep step, FieldType part, String name) {
            if (outerStep < 0) {
                outerStep = steps.size();
                outer = name;
            }
            manySteps++;
            steps.add(step);
            type = part;
        }
    }

    /**
     * Returns the reader of a field, or of a part of it.
     *
     * @param part the member to read of the value at the end of the path; empty for the value
     * @param entered the scopes that the rows are in
     */
    Evaluator reader(GroupExpression.FieldOf field, String part, Set<Integer> entered) {
        String[] names = field.name().split("\\.");
        Optional<SchemaField> schemaField = schema.field(names[0]);
        if (schemaField.isEmpty()) {
            return missing(field);
        }
        Field root = schemaField.get().field();
        read.add(root.name());
        var path = new Path(root.type());
        boolean isPath = walk(path, names, 1, root.name());
        Evaluator key = null;
        if (isPath && field.key().isPresent()) {
            if (!(path.type instanceof FieldType.MapOf(_, var value))) {
                throw ExpressionCompiler.rejected(field, field.name() + " is no map");
            }
            GroupExpression.EntryKey entry = field.key().get();
            key =
                    entry instanceof GroupExpression.EntryKey.OfField(var name)
                            ? keyOf(name, field, entered)
                            : null;
            Optional<byte[]> literal =
                    entry instanceof GroupExpression.EntryKey.Literal(var text)
                            ? Optional.of(text.getBytes(StandardCharsets.UTF_8))
                            : Optional.empty();
            path.into(new FieldStep.Entry(literal), value, "");
            if (!field.path().isEmpty()) {
                isPath = walk(path, field.path().split("\\."), 0, "");
            }
        }
        if (isPath && !part.isEmpty()) {
            flatten(path, field.name());
            isPath = walk(path, new String[] {part}, 0, field.name());
        }
        if (!isPath) {
            return missing(field);
        }
        flatten(path, field.name());
        String name = part.isEmpty() ? field.text() : field.text() + "." + part;
        return fieldReader(field, name, root, path, key, entered);
    }

    private Evaluator keyOf(String name, GroupExpression field, Set<Integer> entered) {
        Evaluator key = reader(GroupExpression.FieldOf.of(name), "", entered);
        if (key.many()) {
            throw ExpressionCompiler.rejected(field, "the key has many values");
        }
        return key.kind() == ValueKind.TEXT
                ? key
                : new TextFunction(GroupFunction.TO_STRING, ValueKind.TEXT, key, 0);
    }

    /**
     * @param name identifies the values that are read
     */
    private Evaluator fieldReader(
            GroupExpression field,
            String name,
            Field root,
            Path path,
            @Nullable Evaluator key,
            Set<Integer> entered) {
        if (!(path.type instanceof FieldType.Primitive primitive)) {
            throw ExpressionCompiler.rejected(
                    field, "a value of type " + path.type.text() + " cannot be grouped or counted");
        }
        if (primitive == FieldType.Primitive.PREDICATE) {
            throw ExpressionCompiler.rejected(field, "predicates cannot be grouped");
        }
        boolean isScopeable = path.outerStep >= 0 && !path.outer.isEmpty();
        int scope = Evaluator.NO_SCOPE;
        int scopedStep = -1;
        int scopeRead = Evaluator.NO_SCOPE;
        int manySteps = path.manySteps;
        if (isScopeable) {
            int number = scopes.computeIfAbsent(path.outer, _ -> scopes.size());
            if (entered.contains(number)) {
                elementReads.merge(number, 1, Integer::sum);
                scopedStep = path.outerStep;
                scopeRead = number;
                manySteps--;
            } else {
                scope = number;
            }
        }
        FieldReader made =
                new FieldReader(
                        ReadType.of(primitive, schema.summaries().indexed()),
                        fields.number(root),
                        path.steps,
                        new FieldReader.Scoping(manySteps > 0, scope, scopedStep, scopeRead),
                        key);
        // A field that occurs in several expressions is read once per batch.
        return made.isDirect() ? readers.computeIfAbsent(name, _ -> made) : made;
    }

    /** Resolves names and returns whether all of them exist. */
    private static boolean walk(Path path, String[] names, int from, String start) {
        String walked = start;
        for (int i = from; i < names.length; i++) {
            String name = names[i];
            if (path.type instanceof FieldType.ArrayOf(var element)) {
                path.into(new FieldStep.Elements(), element, walked);
            }
            switch (path.type) {
                case FieldType.StructOf struct -> {
                    int index = index(struct, name);
                    if (index < 0) {
                        return false;
                    }
                    path.steps.add(new FieldStep.Member(index));
                    path.type = struct.fields().get(index).type();
                }
                case FieldType.MapOf(var key, _) when name.equals("key") ->
                        path.into(new FieldStep.Keys(), key, walked);
                case FieldType.MapOf(_, var value) when name.equals("value") ->
                        path.into(new FieldStep.MapValues(), value, walked);
                default -> {
                    return false;
                }
            }
            walked = walked + "." + name;
        }
        return true;
    }

    /** Descends to the elements of arrays and sets, since their names denote their elements. */
    private static void flatten(Path path, String name) {
        while (true) {
            if (path.type instanceof FieldType.ArrayOf(var element)) {
                path.into(new FieldStep.Elements(), element, name);
            } else if (path.type instanceof FieldType.WeightedSetOf(var element)) {
                path.into(new FieldStep.Elements(), element, name);
            } else {
                return;
            }
        }
    }

    private static int index(FieldType.StructOf struct, String name) {
        for (int i = 0; i < struct.fields().size(); i++) {
            if (struct.fields().get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** An unknown field has no values. The rest of the result is correct without it. */
    private Evaluator missing(GroupExpression.FieldOf field) {
        unknown.add(field.text());
        return new Evaluator(ValueKind.WHOLE, true, Evaluator.NO_SCOPE, Evaluator.LONG_WIDTH) {
            @Override
            Values evaluate(RowBatch batch) {
                values.begin(batch.count);
                for (int row = 0; row < batch.count; row++) {
                    values.row(row);
                }
                values.finish();
                return values;
            }
        };
    }
}
