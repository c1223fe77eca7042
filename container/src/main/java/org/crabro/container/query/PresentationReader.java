package org.crabro.container.query;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.json.ValueForm;
import org.crabro.protocol.search.Marking;

/** Reads how a result is shown. */
public final class PresentationReader {
    /** The length of the longest tag around a marked word, in characters. */
    private static final int TAG_MAX = 100;

    private final Parameters parameters;
    private final QueryRequest request;

    PresentationReader(Parameters parameters, QueryRequest request) {
        this.parameters = parameters;
        this.request = request;
    }

    /**
     * Returns the presentation of an error: as in the request if that is valid, else the default.
     */
    public static Presentation ofFailure(QueryRequest request) {
        try {
            return new PresentationReader(request.parameters(), request).presentation();
        } catch (IllegalQueryException _) {
            return Presentation.DEFAULT;
        }
    }

    /**
     * Returns the presentation of the result.
     *
     * @throws IllegalQueryException if the request has an invalid presentation
     */
    Presentation presentation() {
        Presentation.Format format = format();
        Optional<String> callback = parameters.text(Parameter.JSONP);
        if (callback.isPresent() && format != Presentation.Format.JSON) {
            throw new IllegalQueryException(
                    ErrorCode.BAD_REQUEST,
                    "jsoncallback: %s cannot be handed to a function".formatted(shown(format)));
        }
        if (callback.filter(name -> !name.matches("[A-Za-z_$][A-Za-z0-9_$.]{0,99}")).isPresent()) {
            throw illegal("jsoncallback: expected the name of a function");
        }
        boolean isProfiled = parameters.truth(Parameter.TRACE_PROFILE, false);
        return new Presentation(
                values(),
                isProfiled || parameters.truth(Parameter.TIMING, false),
                new Presentation.Output(
                        format,
                        callback,
                        charset(),
                        parameters.truth(Parameter.DOCUMENT_IDS, false)),
                parameters.truth(Parameter.SHOWS_EVERYTHING, false),
                parameters.truth(Parameter.RAW_AS_BASE64, true),
                isProfiled || parameters.truth(Parameter.TRACE_TIMESTAMPS, false)
                        ? OptionalLong.of(request.arrivalNanos())
                        : OptionalLong.empty());
    }

    private Presentation.Format format() {
        return switch (parameters.text(Parameter.FORMAT).orElse("default")) {
            case "default" ->
                    request.sender().acceptsCbor()
                            ? Presentation.Format.CBOR
                            : Presentation.Format.JSON;
            case "json" -> Presentation.Format.JSON;
            case "cbor" -> Presentation.Format.CBOR;
            case "sse" -> Presentation.Format.SSE;
            case "xml" -> Presentation.Format.XML;
            case "page" -> Presentation.Format.PAGE;
            case String other ->
                    throw illegal(
                            "presentation.format: expected json, cbor, xml, page or sse but found '"
                                    + other
                                    + "'");
        };
    }

    private static String shown(Presentation.Format format) {
        return switch (format) {
            case JSON -> "JSON";
            case CBOR -> "CBOR";
            case SSE -> "a stream of events";
            case XML, PAGE -> "XML";
        };
    }

    private Charset charset() {
        return parameters
                .text(Parameter.ENCODING)
                .map(text ->
                        Parameter.ENCODING.read(
                                text,
                                "the IANA name of an encoding such as utf-8",
                                PresentationReader::charset))
                .orElse(StandardCharsets.UTF_8);
    }

    private static Optional<Charset> charset(String name) {
        try {
            return Optional.of(Charset.forName(name)).filter(Charset::canEncode);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private ValueForm values() {
        TensorFormat tensors =
                parameters
                        .text(Parameter.TENSOR_FORMAT)
                        .map(text ->
                                Parameter.TENSOR_FORMAT.read(
                                        text,
                                        "short, long, short-value, long-value, hex, hex-value,"
                                                + " string or string-long",
                                        TensorFormat::named))
                        .orElse(TensorFormat.SHORT);
        return new ValueForm(
                tensors,
                parameters.truth(Parameter.MAPS_AS_OBJECTS, true),
                parameters.truth(Parameter.SETS_AS_OBJECTS, true),
                parameters.truth(Parameter.LONGS_AS_TEXTS, false),
                timesAsTexts());
    }

    private boolean timesAsTexts() {
        return switch (parameters.text(Parameter.DATES).orElse("number")) {
            case "iso" -> true;
            case "number" -> false;
            case String other ->
                    throw illegal(
                            "presentation.dates: expected iso or number but found '" + other + "'");
        };
    }

    /**
     * Returns how matches are marked.
     *
     * @param ofPackage what applies to everything that the request does not set
     */
    Marking marking(Marking ofPackage) {
        Marking usual = ofPackage.on(parameters.truth(Parameter.BOLDING, true));
        String separator = parameters.text(Parameter.BOLDING_SEPARATOR).orElse(usual.separator());
        if (separator.length() > TAG_MAX) {
            throw tooLong(Parameter.BOLDING_SEPARATOR);
        }
        return parameters
                .text(Parameter.BOLDING_TAGS)
                .map(text -> marking(text, usual.isOn(), separator))
                .orElse(new Marking(usual.isOn(), usual.open(), usual.close(), separator));
    }

    private static Marking marking(String text, boolean isOn, String separator) {
        int comma = text.indexOf(',');
        if (comma < 0 || text.indexOf(',', comma + 1) >= 0) {
            throw illegal(
                    "Could not set '%s': expected the texts before and after a word, with a comma between, but found '%s'"
                            .formatted(Parameter.BOLDING_TAGS.shown(), text));
        }
        if (text.length() > 2 * TAG_MAX) {
            throw tooLong(Parameter.BOLDING_TAGS);
        }
        return new Marking(isOn, text.substring(0, comma), text.substring(comma + 1), separator);
    }

    private static IllegalQueryException tooLong(Parameter parameter) {
        return illegal(
                "Could not set '%s': at most %d characters for each are possible"
                        .formatted(parameter.shown(), TAG_MAX));
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }
}
