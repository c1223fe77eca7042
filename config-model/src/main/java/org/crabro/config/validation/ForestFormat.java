package org.crabro.config.validation;

import java.util.Optional;

/** How decision trees are written; each is named as expressions name it. */
public enum ForestFormat {
    XGBOOST("xgboost"),
    LIGHTGBM("lightgbm");

    private final String text;

    ForestFormat(String text) {
        this.text = text;
    }

    /** Returns the format that {@code name} names. */
    static Optional<ForestFormat> named(String name) {
        for (ForestFormat format : values()) {
            if (format.text.equals(name)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return text;
    }
}
