package org.crabro.document;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A location on Earth. Coordinates that are out of range on Earth, such as latitude 91, are
 * possible in values, but not in texts.
 *
 * {@snippet :
 * assert Position.parse("N37.4;W122.5").equals(new Position(37.4, -122.5));
 * assert Position.parse("63N30;10E15").equals(new Position(63.5, 10.25));
 * }
 *
 * @param lat degrees north; their millionths fit 32 bits
 * @param lng degrees east; their millionths fit 32 bits
 */
public record Position(double lat, double lng) {
    private static final String NUMBER = "(\\d{1,9}(?:\\.\\d{1,15})?)";
    private static final Pattern ANGLE =
            Pattern.compile(
                    "([NSEW])?%s(?:([NSEW])|[o\u00b0])?(?:(?<=[NSEWo\u00b0])%s(?:'%s?\"?)?)?([NSEW])?"
                            .formatted(NUMBER, NUMBER, NUMBER));
    private static final Pattern MICRODEGREES = Pattern.compile("(-?\\d{1,9});(-?\\d{1,9})");
    private static final double MICRO = 1e6;

    /**
     * @throws InvalidDocumentException if the millionths of a coordinate exceed 32 bits
     */
    public Position {
        if (!fits(lat) || !fits(lng)) {
            throw new InvalidDocumentException(
                    "latitude %s, longitude %s exceeds the range of -2147.483648 to 2147.483647 degrees"
                            .formatted(lat, lng));
        }
    }

    private static boolean fits(double degrees) {
        double micro = Math.rint(degrees * MICRO);
        return micro >= Integer.MIN_VALUE && micro <= Integer.MAX_VALUE;
    }

    /** Returns this position if it is on Earth. */
    private Position onEarth() {
        if (Math.abs(lat) > 90 || Math.abs(lng) > 180) {
            throw new InvalidDocumentException(
                    "no location on Earth has latitude %s, longitude %s".formatted(lat, lng));
        }
        return this;
    }

    /** Returns the location with degrees rounded to six decimals. */
    public static Position ofDegrees(double lat, double lng) {
        return new Position(Math.rint(lat * MICRO) / MICRO, Math.rint(lng * MICRO) / MICRO);
    }

    /**
     * Returns the location at millionths of degrees, {@code x} to the east, {@code y} to the north.
     */
    public static Position ofMicrodegrees(long x, long y) {
        return new Position(y / MICRO, x / MICRO);
    }

    /**
     * Parses a location: latitude and longitude separated by a semicolon, in either order, each in
     * degrees with one of N, S, E and W before or after them, with or without minutes and seconds;
     * or x and y in millionths of degrees.
     *
     * @throws InvalidDocumentException if the text is another one, or its latitude is above 90
     *     degrees, or its longitude above 180
     */
    public static Position parse(String text) {
        Matcher whole = MICRODEGREES.matcher(text);
        if (whole.matches()) {
            return ofMicrodegrees(Long.parseLong(whole.group(1)), Long.parseLong(whole.group(2)))
                    .onEarth();
        }
        String[] parts = text.split(";", -1);
        if (parts.length == 2) {
            Optional<Angle> first = Angle.parse(parts[0]);
            Optional<Angle> second = Angle.parse(parts[1]);
            if (first.isPresent()
                    && second.isPresent()
                    && first.get().north != second.get().north) {
                Angle lat = first.get().north ? first.get() : second.get();
                Angle lng = first.get().north ? second.get() : first.get();
                return new Position(lat.degrees, lng.degrees).onEarth();
            }
        }
        throw new InvalidDocumentException(
                "expected a position such as N37.4;W122.0 but found \"%s\"".formatted(text));
    }

    private record Angle(double degrees, boolean north) {
        static Optional<Angle> parse(String text) {
            Matcher matcher = ANGLE.matcher(text);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            String letters = letter(matcher, 1) + letter(matcher, 3) + letter(matcher, 6);
            boolean fraction = matcher.group(2).indexOf('.') >= 0;
            if (letters.length() != 1 || (fraction && matcher.group(4) != null)) {
                return Optional.empty();
            }
            double degrees =
                    number(matcher, 2) + number(matcher, 4) / 60 + number(matcher, 5) / 3600;
            double sign = letters.equals("S") || letters.equals("W") ? -1 : 1;
            // The small addend prevents rounding down by one.
            double micro = Math.floor(degrees * MICRO + 1e-4);
            boolean north = letters.equals("N") || letters.equals("S");
            return Optional.of(new Angle(sign * micro / MICRO, north));
        }

        private static String letter(Matcher matcher, int group) {
            return matcher.group(group) == null ? "" : matcher.group(group);
        }

        private static double number(Matcher matcher, int group) {
            return matcher.group(group) == null ? 0 : Double.parseDouble(matcher.group(group));
        }
    }

    /** Returns the value of a field of type {@link FieldType.StructOf#POSITION}. */
    public FieldValue value() {
        Map<String, FieldValue> fields = new LinkedHashMap<>();
        fields.put("lat", new FieldValue.DoubleValue(lat));
        fields.put("lng", new FieldValue.DoubleValue(lng));
        return new FieldValue.StructValue(fields);
    }

    /** Returns the location of a struct from {@link #value}. */
    public static Optional<Position> of(FieldValue.StructValue struct) {
        return struct.fields().get("lat") instanceof FieldValue.DoubleValue(double lat)
                        && struct.fields().get("lng") instanceof FieldValue.DoubleValue(double lng)
                ? Optional.of(new Position(lat, lng))
                : Optional.empty();
    }

    /**
     * Returns one number for the location: the bits of its longitude and latitude in millionths of
     * degrees, interleaved. So near locations often have near numbers.
     */
    public long zCurve() {
        return zCurve(lat, lng);
    }

    /** Returns the {@link #zCurve()} of a location without creating an object. */
    public static long zCurve(double lat, double lng) {
        return spread((int) Math.rint(lng * MICRO)) | spread((int) Math.rint(lat * MICRO)) << 1;
    }

    /** Inserts a 0 before each bit. */
    private static long spread(int bits) {
        long spread = Integer.toUnsignedLong(bits);
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFFL;
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FFL;
        spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0FL;
        spread = (spread | spread << 2) & 0x3333_3333_3333_3333L;
        return (spread | spread << 1) & 0x5555_5555_5555_5555L;
    }
}
