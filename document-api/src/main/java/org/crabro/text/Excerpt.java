package org.crabro.text;

/** Cuts texts of requests that messages show. Such texts may be as long as a body. */
public final class Excerpt {
    /** The most characters of a message. */
    public static final int MESSAGE_MAX = 2_000;

    private static final String CUT = "...";

    private Excerpt() {}

    /** Returns the text, or its first {@code longest} characters and dots. */
    public static String of(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + CUT;
    }

    /** Returns a message, cut after {@link #MESSAGE_MAX} characters. */
    public static String message(String text) {
        return of(text, MESSAGE_MAX);
    }
}
