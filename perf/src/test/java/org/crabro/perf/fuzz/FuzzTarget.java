package org.crabro.perf.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A parser of outside input, as a fuzzer calls it.
 *
 * <p>The parser accepts an input, or rejects it with one of the exceptions that it documents. Any
 * other exception or error is a defect.
 *
 * @param name the name of the target and of its corpus file
 * @param parser called with each input
 * @param rejections the exact classes of the exceptions that the parser documents
 * @param seeds inputs that the target makes itself, such as encoded messages
 * @param isSlow whether an input takes about a millisecond or more, so that fewer are tried
 */
public record FuzzTarget(
        String name,
        Parser parser,
        Set<Class<? extends Exception>> rejections,
        List<byte[]> seeds,
        boolean isSlow) {
    /** Encodes a high surrogate without its low one, which UTF-8 cannot express. */
    private static final char HIGH_SURROGATE = '\ue000';

    /** Reads an input. */
    @FunctionalInterface
    public interface Parser {
        /** Returns normally if the parser accepts {@code input}. */
        void parse(byte[] input) throws Exception;
    }

    /** Reads an input that is text. */
    @FunctionalInterface
    public interface TextParser {
        /** Returns normally if the parser accepts {@code input}. */
        void parse(String input) throws Exception;
    }

    public FuzzTarget {
        rejections = Set.copyOf(rejections);
        seeds = List.copyOf(seeds);
    }

    /** Returns a target that takes bytes. */
    @SafeVarargs
    public static FuzzTarget ofBytes(
            String name, Parser parser, Class<? extends Exception>... rejections) {
        var all = new HashSet<Class<? extends Exception>>();
        for (Class<? extends Exception> rejection : rejections) {
            all.add(rejection);
        }
        return new FuzzTarget(name, parser, all, List.of(), false);
    }

    /** Returns a target that takes text; U+E000 in an input becomes half a surrogate pair. */
    @SafeVarargs
    public static FuzzTarget ofText(
            String name, TextParser parser, Class<? extends Exception>... rejections) {
        var all = new HashSet<Class<? extends Exception>>();
        for (Class<? extends Exception> rejection : rejections) {
            all.add(rejection);
        }
        return new FuzzTarget(name, input -> parser.parse(text(input)), all, List.of(), false);
    }

    private static String text(byte[] input) {
        return new String(input, UTF_8).replace(HIGH_SURROGATE, '\ud800');
    }

    /** Returns this target with additional seeds to those in its corpus file. */
    public FuzzTarget withSeeds(List<byte[]> more) {
        return new FuzzTarget(name, parser, rejections, more, isSlow);
    }

    /** Returns this target as one that takes long for an input. */
    public FuzzTarget slow() {
        return new FuzzTarget(name, parser, rejections, seeds, true);
    }

    /**
     * Parses {@code input}.
     *
     * @return whether the parser accepted it
     * @throws Exception any but the documented ones, as the parser threw it
     */
    public boolean accepts(byte[] input) throws Exception {
        try {
            parser.parse(input);
            return true;
        } catch (Exception e) {
            if (!rejections.contains(e.getClass())) {
                throw e;
            }
            if (e.getMessage() == null || e.getMessage().isBlank()) {
                throw new AssertionError("a rejection without a message", e);
            }
            return false;
        }
    }
}
