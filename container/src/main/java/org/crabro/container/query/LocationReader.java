package org.crabro.container.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.container.yql.GeoAngle;
import org.crabro.container.yql.GeoText;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.StructOf;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;

/**
 * Reads conditions on the places of documents from parameters. Documents must fulfil all of them,
 * and the query.
 *
 * <pre>
 *   pos.ll           := latitude separator longitude | longitude separator latitude
 *   pos.xy           := x ";" y
 *   pos.radius       := number unit | microdegrees
 *   pos.bb           := side "=" degrees { "," side "=" degrees }      all of n, s, e and w
 *   ranking.location := [ field ":" ] area [ area ]
 *   area             := "(2," x "," y "," radius { "," number } ")"
 *                     | "[2," x "," y "," x "," y { "," number } "]"
 *   separator        := ";" | "," | blank
 * </pre>
 *
 * <p>x is east and y is north, both in microdegrees. Two corners of a box are opposite ones.
 */
final class LocationReader {
    /** Of {@code pos.radius}. */
    private static final String DEFAULT_RADIUS = "50 km";

    private static final double MICRODEGREES = 1e6;

    private static final Pattern SEPARATOR = Pattern.compile("[;,\\s]\\s*");

    private static final Pattern MICRODEGREE_NUMBER = Pattern.compile("-?[0-9]{1,12}");

    private static final Pattern XY = Pattern.compile("(-?[0-9]{1,12})\\s*;\\s*(-?[0-9]{1,12})");

    private static final Pattern SIDE =
            Pattern.compile("\\s*([nsewNSEW])\\s*=\\s*([^,\\s]+)\\s*(?:,|$)");

    private static final Pattern LOCATION =
            Pattern.compile(
                    "(?:([A-Za-z_][A-Za-z0-9_.]*):)?((?:\\([^\\[\\]()]*\\)|\\[[^\\[\\]()]*\\]){1,2})");

    private static final Pattern AREA = Pattern.compile("([\\[(])([^\\[\\]()]*)[\\])]");

    /** The scores in it have no effect; rank features supply them. */
    private static final Pattern RANK_NUMBER = Pattern.compile("-?[0-9]{1,12}|CalcLatLon");

    /** The number of dimensions, x and y, and a radius or x and y again. */
    private static final int NUMBERS_OF_BOX = 5;

    private static final int NUMBERS_OF_CIRCLE = 4;

    private static final TermSettings RANKED = TermSettings.DEFAULT;

    private final Parameters parameters;
    private final List<Schema> schemas;

    /**
     * @param schemas the schemas that are searched; one of them has the field
     */
    LocationReader(Parameters parameters, List<Schema> schemas) {
        this.parameters = parameters;
        this.schemas = schemas;
    }

    /**
     * Returns {@code tree} restricted to the location in the request. Rank features treat the
     * location as part of the query.
     *
     * @throws IllegalQueryException if the location is not valid, or its field is ambiguous
     */
    QueryNode narrowed(QueryNode tree) {
        var all = new ArrayList<QueryNode>();
        if (!(tree instanceof QueryNode.All)) {
            all.add(tree);
        }
        box().ifPresent(all::add);
        circle().ifPresent(all::add);
        parameters
                .text(Parameter.LOCATION)
                .ifPresent(text ->
                        all.addAll(
                                Parameter.LOCATION.read(
                                        text,
                                        "(2,x,y,radius,0,1,0), [2,x,y,x,y] or both, in"
                                                + " microdegrees,",
                                        this::areas)));
        return switch (all.size()) {
            case 0 -> tree;
            case 1 -> all.getFirst();
            default -> new QueryNode.And(all);
        };
    }

    private Optional<QueryNode> circle() {
        Optional<String> degrees = parameters.text(Parameter.POS_LL);
        Optional<String> micro = parameters.text(Parameter.POS_XY);
        if (degrees.isPresent() && micro.isPresent()) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY, "expected one of pos.ll and pos.xy but found both");
        }
        Optional<Point> center =
                degrees.map(text ->
                                Parameter.POS_LL.read(
                                        text,
                                        "a latitude and a longitude such as N63.4;E10.4",
                                        LocationReader::point))
                        .or(() ->
                                micro.map(text ->
                                        Parameter.POS_XY.read(
                                                text,
                                                "microdegrees east and north such as"
                                                        + " 10400000;63400000",
                                                LocationReader::xy)));
        return center.map(at ->
                circle(
                        field(degrees.isPresent() ? Parameter.POS_LL : Parameter.POS_XY),
                        at,
                        radius()));
    }

    private double radius() {
        return Parameter.POS_RADIUS.read(
                parameters.text(Parameter.POS_RADIUS).orElse(DEFAULT_RADIUS),
                "a number and km, m, miles, mi, deg or d, or microdegrees",
                text ->
                        MICRODEGREE_NUMBER.matcher(text).matches()
                                ? Optional.of(degrees(text))
                                : GeoText.radius(text));
    }

    private Optional<QueryNode> box() {
        return parameters
                .text(Parameter.POS_BB)
                .map(text ->
                        Parameter.POS_BB.read(
                                text,
                                "degrees of all four sides such as n=64,s=63,e=11,w=10",
                                sides -> box(sides, field(Parameter.POS_BB))));
    }

    private static Optional<QueryNode> box(String text, String field) {
        var sides = new HashMap<String, String>();
        Matcher side = SIDE.matcher(text);
        int end = 0;
        while (side.find() && side.start() == end) {
            if (sides.put(side.group(1).toLowerCase(Locale.ROOT), side.group(2)) != null) {
                return Optional.empty();
            }
            end = side.end();
        }
        Optional<Double> south = side(sides, "s").flatMap(GeoText::latitude);
        Optional<Double> north = side(sides, "n").flatMap(GeoText::latitude);
        Optional<Double> west = side(sides, "w").flatMap(GeoText::longitude);
        Optional<Double> east = side(sides, "e").flatMap(GeoText::longitude);
        boolean isWhole =
                end == text.length()
                        && north.isPresent()
                        && west.isPresent()
                        && east.isPresent()
                        && south.filter(value -> value <= north.get()).isPresent();
        return isWhole
                ? Optional.of(
                        new QueryNode.GeoBox(
                                field, south.get(), west.get(), north.get(), east.get(), RANKED))
                : Optional.empty();
    }

    private static Optional<String> side(Map<String, String> sides, String name) {
        return Optional.ofNullable(sides.get(name));
    }

    /** Parses {@code ranking.location}; empty if it is not well formed. */
    private Optional<List<QueryNode>> areas(String text) {
        Matcher whole = LOCATION.matcher(text);
        if (!whole.matches()) {
            return Optional.empty();
        }
        String field =
                whole.group(1) == null ? field(Parameter.LOCATION) : resolvedField(whole.group(1));
        var areas = new ArrayList<QueryNode>();
        for (MatchResult each : AREA.matcher(whole.group(2)).results().toList()) {
            Optional<QueryNode> area = area(each.group(1).equals("["), each.group(2), field);
            if (area.isEmpty()) {
                return Optional.empty();
            }
            areas.add(area.get());
        }
        return Optional.of(areas);
    }

    private static Optional<QueryNode> area(boolean isBox, String text, String field) {
        List<String> numbers = Stream.of(text.split(",", -1)).map(String::strip).toList();
        int needed = isBox ? NUMBERS_OF_BOX : NUMBERS_OF_CIRCLE;
        if (numbers.size() < needed
                || !numbers.getFirst().equals("2")
                || !allMatch(MICRODEGREE_NUMBER, numbers.subList(0, needed))
                || !allMatch(RANK_NUMBER, numbers.subList(needed, numbers.size()))) {
            return Optional.empty();
        }
        Optional<Point> first = xy(numbers.get(1), numbers.get(2));
        if (!isBox) {
            return first.map(center -> circle(field, center, degrees(numbers.get(3))));
        }
        Optional<Point> second = xy(numbers.get(3), numbers.get(4));
        return first.flatMap(one ->
                second.map(other ->
                        new QueryNode.GeoBox(
                                field,
                                Math.min(one.north, other.north),
                                Math.min(one.east, other.east),
                                Math.max(one.north, other.north),
                                Math.max(one.east, other.east),
                                RANKED)));
    }

    private static boolean allMatch(Pattern pattern, List<String> texts) {
        return texts.stream().allMatch(text -> pattern.matcher(text).matches());
    }

    private static QueryNode circle(String field, Point center, double radius) {
        return new QueryNode.GeoCircle(field, center.north, center.east, radius, RANKED);
    }

    /** In degrees. */
    private record Point(double north, double east) {}

    private static Optional<Point> point(String text) {
        String[] both = SEPARATOR.split(text, -1);
        return both.length != 2
                ? Optional.empty()
                : point(both[0], both[1]).or(() -> point(both[1], both[0]));
    }

    private static Optional<Point> point(String latitude, String longitude) {
        return GeoText.latitude(latitude)
                .or(() -> GeoAngle.latitude(latitude))
                .flatMap(north ->
                        GeoText.longitude(longitude)
                                .or(() -> GeoAngle.longitude(longitude))
                                .map(east -> new Point(north, east)));
    }

    private static Optional<Point> xy(String text) {
        Matcher both = XY.matcher(text);
        return both.matches() ? xy(both.group(1), both.group(2)) : Optional.empty();
    }

    private static Optional<Point> xy(String x, String y) {
        var point = new Point(degrees(y), degrees(x));
        return Math.abs(point.north) <= 90 && Math.abs(point.east) <= 180
                ? Optional.of(point)
                : Optional.empty();
    }

    private static double degrees(String micro) {
        return Long.parseLong(micro) / MICRODEGREES;
    }

    /** Returns the field that {@code pos.attribute} names, or else the only one there is. */
    private String field(Parameter asking) {
        Optional<String> named = parameters.text(Parameter.POS_ATTRIBUTE);
        if (named.isPresent()) {
            return resolvedField(named.get());
        }
        List<String> places = placeFields();
        if (places.size() != 1) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    places.isEmpty()
                            ? "%s: no field of %s holds positions"
                                    .formatted(
                                            asking.shown(),
                                            schemas.stream().map(Schema::name).toList())
                            : "%s: several fields hold positions: expected one of %s as pos.attribute"
                                    .formatted(asking.shown(), places));
        }
        return places.getFirst();
    }

    private String resolvedField(String field) {
        List<String> places = placeFields();
        if (!places.contains(field)) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "expected a field that holds positions, one of %s, but found '%s'"
                            .formatted(places, field));
        }
        return field;
    }

    private List<String> placeFields() {
        var names = new TreeSet<String>();
        for (Schema schema : schemas) {
            for (SchemaField field : schema.readable()) {
                if (holdsPlaces(field.field().type()) && field.isSearchable()) {
                    names.add(field.field().name());
                }
            }
        }
        return List.copyOf(names);
    }

    private static boolean holdsPlaces(FieldType type) {
        return type.equals(StructOf.POSITION)
                || (type instanceof FieldType.ArrayOf(var element)
                        && element.equals(StructOf.POSITION));
    }
}
