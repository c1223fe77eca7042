package org.crabro.client.imports;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How values of guessed types fit the fields of a schema that is edited. */
final class SchemaFit {
    private static final Set<String> WHOLE = Set.of("byte", "short", "int", "long");
    private static final String ARRAY = "array<";

    private SchemaFit() {}

    /**
     * Returns how values become those of a field.
     *
     * @param guessed the type that fits the values
     * @param declared the type of the field, as schemas have it
     * @return empty if the field can have none of them
     */
    static Optional<GuessedType> type(GuessedType guessed, String declared) {
        if (declared.startsWith(ARRAY) && declared.endsWith(">")) {
            return array(guessed, declared.substring(ARRAY.length(), declared.length() - 1));
        }
        if (declared.startsWith("tensor")) {
            return Optional.of(guessed).filter(type -> isTensor(type, declared));
        }
        if (declared.equals("string")) {
            boolean isString = guessed instanceof GuessedType.Strings;
            return Optional.of(isString ? guessed : new GuessedType.Text());
        }
        if (WHOLE.contains(declared)) {
            boolean isWhole =
                    guessed instanceof GuessedType.Time
                            || guessed instanceof GuessedType.Separated(_, GuessedType.Whole _);
            return Optional.of(isWhole ? guessed : new GuessedType.Whole());
        }
        return switch (declared) {
            case "double" ->
                    Optional.of(
                            guessed instanceof GuessedType.Separated
                                            || guessed instanceof GuessedType.Nearest
                                    ? guessed
                                    : new GuessedType.Decimal());
            case "float" -> Optional.of(new GuessedType.Single());
            case "bool" -> Optional.of(new GuessedType.Truth());
            case "raw" -> Optional.of(new GuessedType.Raw());
            default -> Optional.empty();
        };
    }

    private static boolean isTensor(GuessedType type, String declared) {
        if (!(type instanceof GuessedType.Vector(int size, GuessedType.Cells cells))) {
            return false;
        }
        String dimension = "(x[%d])".formatted(size);
        return switch (cells) {
            case FLOAT ->
                    declared.equals("tensor<float>" + dimension)
                            || declared.equals("tensor" + dimension);
            case DOUBLE -> declared.equals("tensor" + dimension);
        };
    }

    private static Optional<GuessedType> array(GuessedType guessed, String declared) {
        if (guessed instanceof GuessedType.Array(GuessedType.Struct _)) {
            return Optional.of(guessed).filter(_ -> declared.matches("[A-Za-z_]\\w*_parts"));
        }
        GuessedType element =
                switch (guessed) {
                    case GuessedType.Array(GuessedType each) -> each;
                    case GuessedType.Vector _ -> new GuessedType.Decimal();
                    default -> guessed;
                };
        return type(element, declared).map(GuessedType.Array::new);
    }

    /**
     * Returns what happens to a value in a field; empty if the field has all of it.
     *
     * @param stored the value of the field
     */
    static Optional<String> loss(Object given, GuessedType type, Optional<Object> stored) {
        boolean isSecond =
                type instanceof GuessedType.Nearest
                        || type instanceof GuessedType.Original
                        || type instanceof GuessedType.Others;
        if (isSecond || RecordPuts.isNothing(given)) {
            return Optional.empty();
        }
        if (stored.isEmpty()) {
            return Optional.of("left out because the field's type does not have it");
        }
        Object bare = RecordPuts.bare(given);
        return switch (type) {
            case GuessedType.Array _ -> elements(given, stored.get());
            case GuessedType.Decimal _ when !isDouble(bare) ->
                    Optional.of("rounded to the nearest double");
            case GuessedType.Single _ when !isFloat(bare) ->
                    Optional.of("rounded to the nearest float");
            default -> Optional.empty();
        };
    }

    private static Optional<String> elements(Object given, Object stored) {
        List<?> all = given instanceof List<?> list ? list : List.of(given);
        long count = all.stream().filter(each -> !RecordPuts.isNothing(each)).count();
        return stored instanceof List<?> list && list.size() < count
                ? Optional.of("elements left out because the field's type does not have them")
                : Optional.empty();
    }

    private static boolean isDouble(Object number) {
        return switch (number) {
            case Long whole -> ExactNumber.isDouble(whole);
            case BigDecimal _ -> false;
            default -> true;
        };
    }

    private static boolean isFloat(Object number) {
        return switch (number) {
            case Long whole -> (long) (float) whole.longValue() == whole && whole != Long.MAX_VALUE;
            case Double decimal ->
                    (double) (float) decimal.doubleValue() == decimal
                            || Float.toString((float) decimal.doubleValue())
                                    .equals(decimal.toString())
                            || decimal.isNaN();
            case BigDecimal _ -> false;
            default -> true;
        };
    }
}
