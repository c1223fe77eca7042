package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.List;
import org.crabro.config.schema.SnippetSettings;
import org.crabro.content.search.match.text.TextMarks.Mark;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.protocol.search.Marking;

/** Snippets of texts whose marks are at the positions of an x in the text. */
public final class SnippetTargets {
    private SnippetTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(FuzzTarget.ofText("snippets", SnippetTargets::show));
    }

    private static void show(String text) {
        var marks = new ArrayList<Mark>();
        for (int at = text.indexOf('x'); at >= 0; at = text.indexOf('x', at + 1)) {
            marks.add(new Mark(at, at + 1, marks.size() % 3));
        }
        String whole = Highlighter.whole(text, marks, Marking.DEFAULT);
        if (!whole.replace(Marking.DEFAULT.open(), "")
                .replace(Marking.DEFAULT.close(), "")
                .equals(text.replace(Marking.DEFAULT.open(), "").replace("</hi>", ""))) {
            throw new AssertionError("a snippet changes its text: " + whole);
        }
        Highlighter.parts(text, marks, SnippetSettings.DEFAULT, Marking.DEFAULT);
    }
}
