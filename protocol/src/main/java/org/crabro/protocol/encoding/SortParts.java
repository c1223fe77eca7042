package org.crabro.protocol.encoding;

import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.TextOrder;

/** The encoding of sort keys. */
final class SortParts {
    private static final int BY_RELEVANCE = 0;
    private static final int BY_FIELD = 1;
    private static final int BY_ID = 2;
    private static final int BY_FIELD_IN_DETAIL = 3;
    private static final int BY_SOURCE = 4;
    private static final int BY_ONE_OF_SEVERAL = 5;

    private static final int TEXTS_DECLARED = 0;
    private static final int TEXTS_RAW = 1;
    private static final int TEXTS_LOWER_CASE = 2;
    private static final int TEXTS_COLLATED = 3;
    private static final int TEXTS_ENCODED_BYTES = 4;

    private static final int MISSING_SMALLEST = 0;
    private static final int MISSING_FIRST = 1;
    private static final int MISSING_LAST = 2;
    private static final int MISSING_AS = 3;

    private SortParts() {}

    static void write(MessageWriter out, SortKey key) {
        switch (key) {
            case SortKey.Relevance(var ascending) -> {
                out.putByte(BY_RELEVANCE);
                out.putBoolean(ascending);
            }
            case SortKey.DocumentIds(var ascending) -> {
                out.putByte(BY_ID);
                out.putBoolean(ascending);
            }
            case SortKey.Sources(var ascending, var source) -> {
                out.putByte(BY_SOURCE);
                out.putBoolean(ascending);
                out.putText(source);
            }
            case SortKey.FieldValueOf(
                            var field,
                            var ascending,
                            var texts,
                            var missing,
                            var several) -> {
                boolean usual = several == SortKey.Several.FIRST;
                boolean plain =
                        usual
                                && texts instanceof TextOrder.Declared
                                && missing instanceof SortKey.Missing.Smallest;
                out.putByte(plain ? BY_FIELD : usual ? BY_FIELD_IN_DETAIL : BY_ONE_OF_SEVERAL);
                out.putText(field);
                out.putBoolean(ascending);
                if (!plain) {
                    write(out, texts);
                    write(out, missing);
                }
                if (!usual) {
                    out.putText(several.name());
                }
            }
        }
    }

    private static void write(MessageWriter out, TextOrder texts) {
        switch (texts) {
            case TextOrder.Declared() -> out.putByte(TEXTS_DECLARED);
            case TextOrder.LowerCase() -> out.putByte(TEXTS_LOWER_CASE);
            case TextOrder.Raw() -> out.putByte(TEXTS_RAW);
            case TextOrder.EncodedBytes() -> out.putByte(TEXTS_ENCODED_BYTES);
            case TextOrder.Collated(var locale, var strength) -> {
                out.putByte(TEXTS_COLLATED);
                out.putText(locale.orElse(""));
                out.putText(strength.map(TextOrder.Strength::name).orElse(""));
            }
        }
    }

    private static TextOrder readTexts(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case TEXTS_DECLARED -> new TextOrder.Declared();
            case TEXTS_LOWER_CASE -> new TextOrder.LowerCase();
            case TEXTS_RAW -> new TextOrder.Raw();
            case TEXTS_ENCODED_BYTES -> new TextOrder.EncodedBytes();
            case TEXTS_COLLATED ->
                    new TextOrder.Collated(
                            Optional.of(in.readText()).filter(text -> !text.isEmpty()),
                            readStrength(in));
            default -> throw in.unknown("the tag of how strings are compared", tag);
        };
    }

    private static Optional<TextOrder.Strength> readStrength(MessageReader in) {
        String name = in.readText();
        Optional<TextOrder.Strength> strength =
                Stream.of(TextOrder.Strength.values())
                        .filter(each -> each.name().equals(name))
                        .findFirst();
        if (strength.isEmpty() && !name.isEmpty()) {
            throw new IllegalArgumentException("unknown strength '" + name + "'");
        }
        return strength;
    }

    private static void write(MessageWriter out, SortKey.Missing missing) {
        switch (missing) {
            case SortKey.Missing.Smallest() -> out.putByte(MISSING_SMALLEST);
            case SortKey.Missing.First() -> out.putByte(MISSING_FIRST);
            case SortKey.Missing.Last() -> out.putByte(MISSING_LAST);
            case SortKey.Missing.As(var value) -> {
                out.putByte(MISSING_AS);
                out.putText(value);
            }
        }
    }

    private static SortKey.Missing readMissing(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case MISSING_SMALLEST -> new SortKey.Missing.Smallest();
            case MISSING_FIRST -> new SortKey.Missing.First();
            case MISSING_LAST -> new SortKey.Missing.Last();
            case MISSING_AS -> new SortKey.Missing.As(in.readText());
            default -> throw in.unknown("the tag of what becomes of missing values", tag);
        };
    }

    static SortKey readKey(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case BY_RELEVANCE -> new SortKey.Relevance(in.readBoolean());
            case BY_ID -> new SortKey.DocumentIds(in.readBoolean());
            case BY_SOURCE -> new SortKey.Sources(in.readBoolean(), in.readText());
            case BY_FIELD -> new SortKey.FieldValueOf(in.readText(), in.readBoolean());
            case BY_FIELD_IN_DETAIL -> readDetails(in);
            case BY_ONE_OF_SEVERAL ->
                    readDetails(in)
                            .with(
                                    in.readChecked(
                                            "which of several values counts",
                                            () -> SortKey.Several.valueOf(in.readText())));
            default -> throw in.unknown("the tag of a sort key", tag);
        };
    }

    private static SortKey.FieldValueOf readDetails(MessageReader in) {
        return new SortKey.FieldValueOf(in.readText(), in.readBoolean())
                .with(readTexts(in))
                .with(readMissing(in));
    }
}
