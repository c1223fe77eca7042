package org.crabro.protocol.search;

import com.ibm.icu.text.Collator;
import com.ibm.icu.util.ULocale;
import java.util.Comparator;
import java.util.IllformedLocaleException;
import java.util.Locale;

/** The order of words in a language, by the Unicode collation algorithm. For one thread. */
public final class Collation implements Comparator<String> {
    private static final String USUAL_LOCALE = "en-US";

    private final Collator collator;

    private Collation(Collator collator) {
        this.collator = collator;
    }

    public static Collation of(TextOrder.Collated order) {
        ULocale locale = ULocale.forLanguageTag(tag(order.locale().orElse(USUAL_LOCALE)));
        Collator collator = Collator.getInstance(locale);
        collator.setStrength(
                switch (order.strength().orElse(TextOrder.Strength.PRIMARY)) {
                    case PRIMARY -> Collator.PRIMARY;
                    case SECONDARY -> Collator.SECONDARY;
                    case TERTIARY -> Collator.TERTIARY;
                    case QUATERNARY -> Collator.QUATERNARY;
                    case IDENTICAL -> Collator.IDENTICAL;
                });
        return new Collation(collator);
    }

    /**
     * Returns whether a text is a language tag such as {@code de-AT}; underscores are permitted.
     */
    public static boolean isLocale(String text) {
        try {
            new Locale.Builder().setLanguageTag(tag(text));
            return !text.isBlank();
        } catch (IllformedLocaleException _) {
            return false;
        }
    }

    private static String tag(String locale) {
        return locale.strip().replace('_', '-');
    }

    /** Returns a key whose byte order is the order of the texts. The last byte is 0. */
    public byte[] key(String text) {
        return collator.getCollationKey(text).toByteArray();
    }

    @Override
    public int compare(String a, String b) {
        return collator.compare(a, b);
    }
}
