package org.crabro.config.validation;

import java.util.List;
import java.util.Optional;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Compares the types of values in indexing scripts. */
final class ScriptTypes {
    /** The depth limit of types, the same as in a schema. */
    static final int TYPE_DEPTH_MAX = 16;

    private ScriptTypes() {}

    /** Returns the tensor type whose values are packed to {@code packed}, eight cells to one. */
    static TensorType unpacked(TensorType packed) {
        return new TensorType(
                CellType.FLOAT,
                packed.dimensions().stream()
                        .map(dimension ->
                                dimension instanceof Dimension.Indexed(var name, int size)
                                        ? new Dimension.Indexed(
                                                name, (int) Math.min(8L * size, Integer.MAX_VALUE))
                                        : dimension)
                        .toList());
    }

    /** Returns whether a type is nested too deep. Scripts only wrap values in arrays. */
    static boolean isTooDeep(FieldType type) {
        int depth = 0;
        FieldType inner = type;
        while (inner instanceof ArrayOf(var element) && depth <= TYPE_DEPTH_MAX) {
            inner = element;
            depth++;
        }
        return depth > TYPE_DEPTH_MAX;
    }

    /** Returns the type that can represent the values of both types, if one of them can. */
    static Optional<FieldType> wider(FieldType left, FieldType right) {
        if (isWithin(right, left)) {
            return Optional.of(left);
        }
        return isWithin(left, right) ? Optional.of(right) : Optional.empty();
    }

    /** Returns whether values of {@code type} can be stored in a field of type {@code target}. */
    static boolean isStorable(FieldType type, FieldType target) {
        return isWithin(type, target)
                || (type instanceof TensorOf(var from)
                        && target instanceof TensorOf(var to)
                        && to.accepts(from));
    }

    /** Returns whether {@code wide} can represent every value of {@code type}. */
    static boolean isWithin(FieldType type, FieldType wide) {
        if (type.equals(wide)) {
            return true;
        }
        if (type instanceof TensorOf(var from) && wide instanceof TensorOf(var to)) {
            return to.accepts(from) && to.cellType().size() > from.cellType().size();
        }
        if (!(type instanceof Primitive from) || !(wide instanceof Primitive to)) {
            return false;
        }
        return switch (from) {
            case BYTE -> to.isNumber() && to != Primitive.FLOAT16;
            case INT -> to == Primitive.LONG || to == Primitive.DOUBLE;
            case FLOAT16 -> to == Primitive.FLOAT || to == Primitive.DOUBLE;
            case FLOAT -> to == Primitive.DOUBLE;
            case URI -> to == Primitive.STRING;
            case STRING, BOOL, LONG, DOUBLE, RAW, PREDICATE -> false;
        };
    }

    /** Returns the type of the result of arithmetic. */
    static Primitive ofArithmetic(Primitive left, Primitive right) {
        for (Primitive wide : List.of(Primitive.DOUBLE, Primitive.FLOAT, Primitive.LONG)) {
            if (left.stored() == wide || right.stored() == wide) {
                return wide;
            }
        }
        return Primitive.INT;
    }

    /** Returns whether values are numbers or collections of numbers. */
    static boolean isNumber(FieldType type) {
        return switch (type) {
            case Primitive primitive -> primitive.isNumber() || primitive == Primitive.BOOL;
            case ArrayOf(var element) -> isNumber(element);
            case WeightedSetOf(var element) -> isNumber(element);
            case MapOf _, StructOf _, ReferenceOf _, TensorOf _ -> false;
        };
    }

    /** Returns whether a condition can compare values of both types. */
    static boolean areComparable(FieldType left, FieldType right) {
        return left instanceof Primitive first
                && right instanceof Primitive second
                && (first.isNumber() ? second.isNumber() : first.stored() == second.stored());
    }
}
