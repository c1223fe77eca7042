package org.crabro.client.imports;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoField;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What kinds of values a field has. Not thread-safe. */
final class ValueKinds {
    /** Lists of numbers of one length, at least this one, are vectors. */
    private static final int SHORTEST_VECTOR = 16;

    /** Keywords are at most this long, so many, and each occurs this often. */
    private static final int LONGEST_KEYWORD = 40;

    private static final int MOST_KEYWORDS = 1000;
    private static final int KEYWORD_OCCURRENCES = 10;

    /** An object in a list with more parts than that is stored as JSON. */
    private static final int MOST_PARTS = 100;

    private static final int DEEPEST = 4;

    private enum Kind {
        TRUTH,
        WHOLE,
        SINGLE,
        DECIMAL,
        /** A number that is no double. */
        LARGE,
        /** A number with separators. */
        SEPARATED,
        TIME,
        TEXT,
        BYTES,
        LIST,
        MAP,
        /** Too deep. */
        DEEP
    }

    /** The forms of dates without a time of day. */
    private static final Set<DateText.Form> DAYS = Set.of(DateText.Form.DATE, DateText.Form.DOTTED);

    private static final Set<Kind> NUMBERS =
            EnumSet.of(Kind.WHOLE, Kind.SINGLE, Kind.DECIMAL, Kind.LARGE, Kind.SEPARATED);

    private final int depth;
    private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    private final Map<String, ValueKinds> parts = new LinkedHashMap<>();
    private @Nullable ValueKinds elements;
    private long count;
    private long lists;

    /** The length of all lists; -1 if they have several. */
    private int listSize;

    private boolean hasNulls;

    /** Whether a number is no float. */
    private boolean isBeyondFloat;

    private boolean hasNonFinite;

    /** The first number that is no double, and the first with separators. */
    private @Nullable String large;

    private @Nullable String separated;

    /** The first date with points. */
    private @Nullable String dotted;

    /** The decimal signs that all numbers with separators can be read with. */
    private final Set<SeparatedNumber.Sign> signs = EnumSet.allOf(SeparatedNumber.Sign.class);

    private final Set<SeparatedNumber.Sign> fractions = EnumSet.noneOf(SeparatedNumber.Sign.class);
    private final Set<DateText.Form> forms = EnumSet.noneOf(DateText.Form.class);
    private boolean hasFractionOfSecond;
    private long texts;
    private int longestText;
    private final Set<String> distinct = new HashSet<>();

    ValueKinds() {
        this(0);
    }

    private ValueKinds(int depth) {
        this.depth = depth;
    }

    /** Adds a value. Empty texts, lists and maps are no values. */
    void add(Object value) {
        count++;
        switch (value) {
            case Boolean _ -> kinds.add(Kind.TRUTH);
            case Long number -> addWhole(number);
            case Float number -> addSingle(number);
            case Double number -> addDecimal(number);
            case BigDecimal number -> addLarge(ExactNumber.text(number));
            case SeparatedNumber number -> addSeparated(number);
            case Instant time -> addTime(time, DateText.Form.UTC);
            case LocalDate day -> addTime(DateText.begin(day), DateText.Form.DATE);
            case String text -> addText(text);
            case Base64Value _ -> kinds.add(Kind.BYTES);
            case GivenValue(String _, Object inner) -> {
                count--;
                add(inner);
            }
            case NullElement _ -> hasNulls = true;
            case List<?> list -> addList(list);
            case Map<?, ?> map -> addMap(map);
            default -> throw new IllegalArgumentException("a value of " + value.getClass());
        }
    }

    private void addWhole(long number) {
        kinds.add(Kind.WHOLE);
        isBeyondFloat |= (long) (float) number != number || number == Long.MAX_VALUE;
        if (!ExactNumber.isDouble(number)) {
            large = large == null ? Long.toString(number) : large;
        }
    }

    private void addSingle(float number) {
        kinds.add(Kind.SINGLE);
        hasNonFinite |= !Float.isFinite(number);
    }

    private void addDecimal(double number) {
        kinds.add(Kind.DECIMAL);
        hasNonFinite |= !Double.isFinite(number);
        float single = (float) number;
        isBeyondFloat |=
                (double) single != number
                        && !Float.toString(single).equals(Double.toString(number));
    }

    private void addLarge(String text) {
        kinds.add(Kind.LARGE);
        large = large == null ? text : large;
    }

    private void addSeparated(SeparatedNumber number) {
        kinds.add(Kind.SEPARATED);
        separated = separated == null ? number.text() : separated;
        signs.retainAll(number.signs());
        for (SeparatedNumber.Sign each : number.signs()) {
            if (number.value(each) instanceof Double) {
                fractions.add(each);
            }
        }
    }

    private void addTime(Instant time, DateText.Form form) {
        kinds.add(Kind.TIME);
        forms.add(form);
        hasFractionOfSecond |= time.get(ChronoField.NANO_OF_SECOND) != 0;
    }

    private void addText(String text) {
        if (text.isEmpty()) {
            return;
        }
        DateText.parse(text)
                .ifPresentOrElse(
                        time -> addTime(time, DateText.form(text)), () -> kinds.add(Kind.TEXT));
        if (dotted == null && forms.contains(DateText.Form.DOTTED)) {
            dotted = text;
        }
        texts++;
        longestText = Math.max(longestText, text.length());
        if (distinct.size() <= MOST_KEYWORDS && text.length() <= LONGEST_KEYWORD) {
            distinct.add(text);
        }
    }

    private void addList(List<?> list) {
        if (list.isEmpty()) {
            return;
        }
        if (depth == DEEPEST) {
            kinds.add(Kind.DEEP);
            return;
        }
        kinds.add(Kind.LIST);
        listSize = lists++ == 0 || listSize == list.size() ? list.size() : -1;
        if (elements == null) {
            elements = new ValueKinds(depth + 1);
        }
        for (Object each : list) {
            elements.addElement(each);
        }
    }

    /** Adds an element of a list, where empty texts and lists count. */
    private void addElement(Object each) {
        if (each instanceof String text && text.isEmpty()) {
            kinds.add(Kind.TEXT);
        } else if (each instanceof List<?>) {
            kinds.add(Kind.LIST);
        }
        add(each);
    }

    private void addMap(Map<?, ?> map) {
        if (depth == DEEPEST || parts.size() > MOST_PARTS) {
            kinds.add(Kind.DEEP);
            return;
        }
        kinds.add(Kind.MAP);
        for (Map.Entry<String, Object> entry : MemberPath.flat(map).entrySet()) {
            if (parts.size() > MOST_PARTS) {
                kinds.add(Kind.DEEP);
                return;
            }
            parts.computeIfAbsent(entry.getKey(), _ -> new ValueKinds(depth + 1))
                    .add(entry.getValue());
        }
    }

    /** Returns how many values were added. */
    long count() {
        return count;
    }

    /** Returns whether a value was null. */
    boolean hasNulls() {
        return hasNulls;
    }

    /** Returns the type; empty if there was no value. */
    Optional<GuessedType> type() {
        if (kinds.isEmpty()) {
            return Optional.empty();
        }
        if (kinds.contains(Kind.MAP) || kinds.contains(Kind.DEEP)) {
            return Optional.of(new GuessedType.Json());
        }
        return Optional.of(kinds.contains(Kind.LIST) ? list() : scalar(kinds, List.of(this)));
    }

    /**
     * Returns the type of a second field that has what the first one lacks; empty if it lacks
     * nothing.
     */
    Optional<GuessedType> companion() {
        Optional<GuessedType> first = type();
        if (first.isEmpty() || first.get() instanceof GuessedType.Json) {
            return Optional.empty();
        }
        GuessedType type = first.get();
        if (type instanceof GuessedType.Time && isTimeIncomplete(List.of(this))) {
            return Optional.of(new GuessedType.Original());
        }
        if (type instanceof GuessedType.Array(GuessedType element)
                && elements != null
                && areElementsIncomplete(elements, element)) {
            return Optional.of(new GuessedType.Original());
        }
        return type instanceof GuessedType.Text && NUMBERS.containsAll(kinds) && large != null
                ? Optional.of(new GuessedType.Nearest())
                : Optional.empty();
    }

    private boolean areElementsIncomplete(ValueKinds each, GuessedType type) {
        return each.hasNulls
                || each.parts.values().stream().anyMatch(ValueKinds::hasNulls)
                || (type instanceof GuessedType.Time && isTimeIncomplete(List.of(this, each)));
    }

    private static boolean isTimeIncomplete(List<ValueKinds> all) {
        Set<DateText.Form> forms = EnumSet.noneOf(DateText.Form.class);
        all.forEach(each -> forms.addAll(each.forms));
        return forms.size() > 1
                || forms.contains(DateText.Form.OFFSET)
                || all.stream().anyMatch(each -> each.hasFractionOfSecond);
    }

    /** Returns what a user needs to know of the type; empty if it is as the data says. */
    Optional<String> note(String field, Optional<String> companion) {
        Optional<GuessedType> type = type();
        if (type.isEmpty()) {
            return Optional.empty();
        }
        if (type.get() instanceof GuessedType.Separated(SeparatedNumber.Sign sign, _)) {
            return Optional.of(
                    "%s: numbers with separators, such as %s, are read as numbers with a decimal %s"
                            .formatted(
                                    field,
                                    separated,
                                    sign == SeparatedNumber.Sign.POINT ? "point" : "comma"));
        }
        if (type.get() instanceof GuessedType.Time && companion.isEmpty() && dotted != null) {
            return Optional.of(
                    "%s: dates with points, such as %s, are read as day.month.year"
                            .formatted(field, dotted));
        }
        if (type.get() instanceof GuessedType.Text && NUMBERS.containsAll(kinds)) {
            return Optional.of(numbersAsTexts(field, companion));
        }
        return companion.map(name ->
                type.get() instanceof GuessedType.Array(GuessedType element)
                                && !(element instanceof GuessedType.Time)
                        ? "%s: lists without their null elements; %s has the whole lists as JSON"
                                .formatted(field, name)
                        : "%s: times as seconds since 1970; %s has them as they are given"
                                .formatted(field, name));
    }

    private String numbersAsTexts(String field, Optional<String> companion) {
        return large == null
                ? "%s: numbers with separators, such as %s, are texts: it is not clear what the separators mean"
                        .formatted(field, separated)
                : "%s: numbers with more digits than a double has, such as %s, are texts%s"
                        .formatted(
                                field,
                                large,
                                companion
                                        .map(name -> "; " + name + " has the nearest doubles")
                                        .orElse(""));
    }

    private GuessedType list() {
        if (elements == null || (elements.kinds.isEmpty() && !elements.hasNulls)) {
            return new GuessedType.Json();
        }
        Set<Kind> inner = elements.kinds;
        Set<Kind> all = EnumSet.copyOf(kinds);
        all.remove(Kind.LIST);
        boolean isVector =
                depth == 0
                        && all.isEmpty()
                        && !inner.isEmpty()
                        && !elements.hasNulls
                        && !elements.hasNonFinite
                        && elements.large == null
                        && EnumSet.of(Kind.WHOLE, Kind.DECIMAL, Kind.SINGLE).containsAll(inner)
                        && listSize >= SHORTEST_VECTOR;
        if (isVector) {
            return new GuessedType.Vector(
                    listSize,
                    elements.isBeyondFloat ? GuessedType.Cells.DOUBLE : GuessedType.Cells.FLOAT);
        }
        if (inner.equals(EnumSet.of(Kind.MAP)) && all.isEmpty()) {
            return objects(elements);
        }
        all.addAll(inner);
        if (all.isEmpty()
                || all.contains(Kind.LIST)
                || all.contains(Kind.MAP)
                || all.contains(Kind.DEEP)) {
            return new GuessedType.Json();
        }
        GuessedType element = scalar(all, List.of(this, elements));
        return new GuessedType.Array(
                element instanceof GuessedType.Truth ? new GuessedType.Text() : element);
    }

    private GuessedType objects(ValueKinds objects) {
        if (depth > 0 || objects.parts.size() > MOST_PARTS) {
            return new GuessedType.Json();
        }
        List<GuessedField> fields = parts(objects.parts);
        return fields.isEmpty()
                ? new GuessedType.Json()
                : new GuessedType.Array(new GuessedType.Struct(fields));
    }

    private static List<GuessedField> parts(Map<String, ValueKinds> members) {
        var fields = new GuessedFields();
        members.forEach(fields::add);
        return fields.all();
    }

    /** Returns the type of values of these kinds, which some fields have. */
    private static GuessedType scalar(Set<Kind> all, List<ValueKinds> fields) {
        if (all.equals(EnumSet.of(Kind.TRUTH))) {
            return new GuessedType.Truth();
        }
        if (NUMBERS.containsAll(all)) {
            return number(all, fields);
        }
        if (all.equals(EnumSet.of(Kind.TIME))) {
            return new GuessedType.Time(
                    fields.stream().allMatch(field -> DAYS.containsAll(field.forms)));
        }
        if (all.contains(Kind.BYTES)) {
            return new GuessedType.Raw();
        }
        return all.equals(EnumSet.of(Kind.TEXT)) && fields.getFirst().isKeyword()
                ? new GuessedType.Keyword()
                : new GuessedType.Text();
    }

    private static GuessedType number(Set<Kind> all, List<ValueKinds> fields) {
        if (all.equals(EnumSet.of(Kind.WHOLE))) {
            return new GuessedType.Whole();
        }
        if (all.equals(EnumSet.of(Kind.SINGLE))) {
            return new GuessedType.Single();
        }
        if (fields.stream().anyMatch(field -> field.large != null)) {
            return new GuessedType.Text();
        }
        return all.contains(Kind.SEPARATED)
                ? fields.getLast().separated(all)
                : new GuessedType.Decimal();
    }

    private GuessedType separated(Set<Kind> all) {
        Set<SeparatedNumber.Sign> possible = EnumSet.copyOf(signs);
        if (all.contains(Kind.DECIMAL)) {
            possible.remove(SeparatedNumber.Sign.COMMA);
        }
        if (possible.size() != 1) {
            return new GuessedType.Text();
        }
        SeparatedNumber.Sign sign = possible.iterator().next();
        boolean isWhole = !all.contains(Kind.DECIMAL) && !fractions.contains(sign);
        return new GuessedType.Separated(
                sign, isWhole ? new GuessedType.Whole() : new GuessedType.Decimal());
    }

    private boolean isKeyword() {
        return !distinct.isEmpty()
                && longestText <= LONGEST_KEYWORD
                && distinct.size() <= MOST_KEYWORDS
                && (long) distinct.size() * KEYWORD_OCCURRENCES <= texts;
    }
}
