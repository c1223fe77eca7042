package org.crabro.config.parser;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The text of a file with its name, used to report positions in it. Compared by identity. */
public final class SourceText {
    private final String file;
    private final String text;

    /** Where lines start. */
    private final int[] lines;

    /**
     * @param file the name to show in messages
     */
    public SourceText(String file, String text) {
        this.file = file;
        this.text = text;
        this.lines =
                IntStream.concat(
                                IntStream.of(0),
                                IntStream.range(0, text.length())
                                        .filter(i -> text.charAt(i) == '\n')
                                        .map(i -> i + 1))
                        .toArray();
    }

    /** Returns the number of the line that the character at {@code offset} is in, from 0 on. */
    int line(int offset) {
        int insertion = Arrays.binarySearch(lines, offset);
        return insertion < 0 ? -insertion - 2 : insertion;
    }

    /** Returns the offset of the start of a line. */
    int lineStart(int line) {
        return lines[line];
    }

    /** Returns the name to show in messages. */
    public String file() {
        return file;
    }

    /** Returns the whole text. */
    public String text() {
        return text;
    }

    /**
     * Returns the place of the character at {@code offset}.
     *
     * @param offset in characters, from 0 to the length of the text
     */
    public SourcePosition at(int offset) {
        if (offset < 0 || offset > text.length()) {
            throw new IllegalArgumentException("offset " + offset + " of " + text.length());
        }
        return new SourcePosition(this, offset);
    }
}
