package org.crabro.protocol.encoding;

import java.util.Optional;
import java.util.OptionalDouble;
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.Spelling;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermLink;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.query.TermStatistics;

/** The encoding of the settings of leaves of query trees; hints only if there are any. */
final class TermParts {
    private static final int AFFIX_FIELD = 0;
    private static final int AFFIX_PREFIX = 1;
    private static final int AFFIX_SUFFIX = 2;
    private static final int AFFIX_SUBSTRING = 3;

    /** The bit in the byte of the affix that is set if hints follow. */
    private static final int WITH_HINTS = 16;

    /** The bit in the byte of the affix that is set if the match of grams follows, before hints. */
    private static final int WITH_GRAMS = 32;

    /** The bit in the byte of the affix that is set if a spelling follows, before hints. */
    private static final int WITH_SPELLING = 64;

    private static final int TYPOS = 1;
    private static final int BEGINNING = 2;

    private TermParts() {}

    static void write(MessageWriter out, TermSettings settings) {
        out.putInt(settings.weight());
        out.putBoolean(settings.ranked());
        int affix =
                switch (settings.affix()) {
                    case FIELD -> AFFIX_FIELD;
                    case PREFIX -> AFFIX_PREFIX;
                    case SUFFIX -> AFFIX_SUFFIX;
                    case SUBSTRING -> AFFIX_SUBSTRING;
                };
        Spelling spelling = settings.spelling();
        boolean withSpelling = !spelling.equals(Spelling.EXACT);
        boolean withHints = !settings.with(Spelling.EXACT).hints().equals(TermHints.NONE);
        boolean withGrams = settings.grams() != GramMatch.ALL;
        out.putByte(
                affix
                        | (withHints ? WITH_HINTS : 0)
                        | (withGrams ? WITH_GRAMS : 0)
                        | (withSpelling ? WITH_SPELLING : 0));
        if (withGrams) {
            out.putByte(tag(settings.grams()));
        }
        if (withSpelling) {
            out.putByte((spelling.typos() ? TYPOS : 0) | (spelling.beginning() ? BEGINNING : 0));
            out.putDouble(spelling.exactness());
        }
        if (withHints) {
            write(out, settings.hints());
        }
    }

    private static int tag(GramMatch grams) {
        return switch (grams) {
            case ALL -> 0;
            case ANY -> 1;
            case WEAK_AND -> 2;
            case PHRASE -> 3;
            case NEAR -> 4;
            case ORDERED_NEAR -> 5;
        };
    }

    private static GramMatch grams(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case 0 -> GramMatch.ALL;
            case 1 -> GramMatch.ANY;
            case 2 -> GramMatch.WEAK_AND;
            case 3 -> GramMatch.PHRASE;
            case 4 -> GramMatch.NEAR;
            case 5 -> GramMatch.ORDERED_NEAR;
            default -> throw in.unknown("the tag of a match of grams", tag);
        };
    }

    private static void write(MessageWriter out, TermHints hints) {
        out.putText(hints.label());
        out.putBoolean(hints.statistics().significance().isPresent());
        hints.statistics().significance().ifPresent(out::putDouble);
        out.putBoolean(hints.statistics().frequency().isPresent());
        hints.statistics()
                .frequency()
                .ifPresent(frequency -> {
                    out.putLong(frequency.documents());
                    out.putLong(frequency.total());
                });
        out.putInt(hints.link().id());
        out.putBoolean(hints.link().connectivity().isPresent());
        hints.link()
                .connectivity()
                .ifPresent(connectivity -> {
                    out.putInt(connectivity.id());
                    out.putDouble(connectivity.weight());
                });
        out.putBoolean(hints.filter());
        out.putBoolean(hints.positions());
        out.putBoolean(hints.words().stem());
        out.putBoolean(hints.words().normalizeCase());
        out.putBoolean(hints.words().accentDrop());
        out.putBoolean(hints.words().implicit());
        out.putText(hints.words().language());
    }

    static TermSettings read(MessageReader in) {
        int weight = in.readInt();
        boolean ranked = in.readBoolean();
        int tag = in.readByte();
        boolean withHints = (tag & WITH_HINTS) != 0;
        TermSettings.Affix affix =
                switch (tag & ~(WITH_HINTS | WITH_GRAMS | WITH_SPELLING)) {
                    case AFFIX_FIELD -> TermSettings.Affix.FIELD;
                    case AFFIX_PREFIX -> TermSettings.Affix.PREFIX;
                    case AFFIX_SUFFIX -> TermSettings.Affix.SUFFIX;
                    case AFFIX_SUBSTRING -> TermSettings.Affix.SUBSTRING;
                    default -> throw in.unknown("the tag of an affix", tag);
                };
        GramMatch grams = (tag & WITH_GRAMS) != 0 ? grams(in) : GramMatch.ALL;
        Spelling spelling = (tag & WITH_SPELLING) != 0 ? spelling(in) : Spelling.EXACT;
        return new TermSettings(
                        weight, ranked, affix, grams, withHints ? hints(in) : TermHints.NONE)
                .with(spelling);
    }

    private static Spelling spelling(MessageReader in) {
        int flags = in.readByte();
        if ((flags & ~(TYPOS | BEGINNING)) != 0) {
            throw in.unknown("the flags of a spelling", flags);
        }
        return new Spelling((flags & TYPOS) != 0, (flags & BEGINNING) != 0, in.readDouble());
    }

    private static TermHints hints(MessageReader in) {
        return new TermHints(
                in.readText(),
                new TermStatistics(
                        in.readBoolean()
                                ? OptionalDouble.of(in.readDouble())
                                : OptionalDouble.empty(),
                        in.readBoolean()
                                ? Optional.of(new TermHints.Frequency(in.readLong(), in.readLong()))
                                : Optional.empty()),
                new TermLink(
                        in.readInt(),
                        in.readBoolean()
                                ? Optional.of(
                                        new TermHints.Connectivity(in.readInt(), in.readDouble()))
                                : Optional.empty()),
                in.readBoolean(),
                in.readBoolean(),
                new TermHints.Words(
                        in.readBoolean(),
                        in.readBoolean(),
                        in.readBoolean(),
                        in.readBoolean(),
                        in.readText()));
    }
}
