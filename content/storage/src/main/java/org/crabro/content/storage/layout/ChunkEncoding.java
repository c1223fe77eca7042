package org.crabro.content.storage.layout;

import org.crabro.document.FieldType;
import org.crabro.tensor.TensorType;

/**
 * The encoding of a chunk's values, as described in {@link BlockLayout}. The codes are stored on
 * disk.
 */
public enum ChunkEncoding {
    KEYS(1),
    TIMESTAMPS(2),
    TOMBSTONES(3),
    INT(4),
    LONG(5),
    FLOAT(6),
    DOUBLE(7),
    BOOL(8),
    TEXT(9),
    ARRAY(10),
    TENSOR(11),
    CODED_TEXT(12),
    FRAMED_TEXT(13),
    TOKEN_DICTIONARY(14),
    TOKEN_NUMBERS(15),
    WEIGHTED_SET(16),
    MAP(17),
    STRUCT(18),
    GROUPS(19),
    INVERSE_LENGTHS(20),
    MIXED_TENSOR(21);

    /** The most chunks of a field in a block: its values, a dictionary of tokens, their numbers. */
    public static final int PER_FIELD_MAX = 3;

    private static final ChunkEncoding[] BY_CODE = byCode();

    private final int code;

    ChunkEncoding(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The comparison of a chunk's numbers. */
    public enum Numbers {
        WHOLE,
        REAL,

        /** The chunk has no numbers. */
        NONE
    }

    /** Returns whether this version supports {@code code}. */
    public static boolean isCode(int code) {
        return code >= 1 && code < BY_CODE.length;
    }

    /** Returns the encoding of {@code code}, which {@link #isCode} accepts. */
    public static ChunkEncoding ofCode(int code) {
        return BY_CODE[code];
    }

    /** Returns whether values of {@code type} may have this encoding. */
    public boolean isFor(FieldType type) {
        ChunkEncoding plain = of(type);
        return this == plain || (plain == TEXT && (this == CODED_TEXT || this == FRAMED_TEXT));
    }

    /** Returns how the numbers of a chunk are compared. */
    public Numbers numbers() {
        return switch (this) {
            case INT, LONG, BOOL -> Numbers.WHOLE;
            case FLOAT, DOUBLE -> Numbers.REAL;
            case GROUPS,
                    KEYS,
                    TIMESTAMPS,
                    TOMBSTONES,
                    TEXT,
                    ARRAY,
                    TENSOR,
                    CODED_TEXT,
                    FRAMED_TEXT,
                    TOKEN_DICTIONARY,
                    TOKEN_NUMBERS,
                    WEIGHTED_SET,
                    MAP,
                    STRUCT,
                    INVERSE_LENGTHS,
                    MIXED_TENSOR ->
                    Numbers.NONE;
        };
    }

    /** Returns the default encoding of values of {@code type}. */
    public static ChunkEncoding of(FieldType type) {
        return switch (type) {
            case FieldType.Primitive primitive ->
                    switch (primitive) {
                        case STRING, URI, RAW, PREDICATE -> TEXT;
                        case BOOL -> BOOL;
                        case INT, BYTE -> INT;
                        case LONG -> LONG;
                        case FLOAT, FLOAT16 -> FLOAT;
                        case DOUBLE -> DOUBLE;
                    };
            case FieldType.ReferenceOf _ -> TEXT;
            case FieldType.ArrayOf _ -> ARRAY;
            case FieldType.WeightedSetOf _ -> WEIGHTED_SET;
            case FieldType.MapOf _ -> MAP;
            case FieldType.StructOf _ -> STRUCT;
            case FieldType.TensorOf(var tensor) -> tensor.isDense() ? TENSOR : MIXED_TENSOR;
        };
    }

    /** Returns whether the chunk holds data derived from the values, not the values themselves. */
    public boolean isDerived() {
        return this == TOKEN_DICTIONARY || this == TOKEN_NUMBERS || this == INVERSE_LENGTHS;
    }

    /** Returns the width of a row's value in bytes if it is fixed, otherwise 0. */
    public int width(FieldType type) {
        return switch (this) {
            case INT, FLOAT, INVERSE_LENGTHS -> 4;
            case LONG, DOUBLE -> 8;
            case BOOL -> 1;
            case TENSOR ->
                    type instanceof FieldType.TensorOf(var tensor)
                            ? tensor.cellCount() * tensor.cellType().size()
                            : 0;
            case GROUPS,
                    KEYS,
                    TIMESTAMPS,
                    TOMBSTONES,
                    TEXT,
                    ARRAY,
                    CODED_TEXT,
                    FRAMED_TEXT,
                    TOKEN_DICTIONARY,
                    TOKEN_NUMBERS,
                    WEIGHTED_SET,
                    MAP,
                    STRUCT,
                    MIXED_TENSOR ->
                    0;
        };
    }

    /** Returns the part that chunks of this encoding hold. */
    public ChunkExtent.Part part() {
        return switch (this) {
            case GROUPS, KEYS -> ChunkExtent.Part.KEYS;
            case TIMESTAMPS -> ChunkExtent.Part.TIMESTAMPS;
            case TOMBSTONES -> ChunkExtent.Part.TOMBSTONES;
            case INT,
                    LONG,
                    FLOAT,
                    DOUBLE,
                    BOOL,
                    TEXT,
                    ARRAY,
                    TENSOR,
                    CODED_TEXT,
                    FRAMED_TEXT,
                    WEIGHTED_SET,
                    MAP,
                    STRUCT,
                    MIXED_TENSOR ->
                    ChunkExtent.Part.VALUES;
            case TOKEN_DICTIONARY -> ChunkExtent.Part.TOKEN_DICTIONARY;
            case TOKEN_NUMBERS -> ChunkExtent.Part.TOKEN_NUMBERS;
            case INVERSE_LENGTHS -> ChunkExtent.Part.INVERSE_LENGTHS;
        };
    }

    private static ChunkEncoding[] byCode() {
        var byCode = new ChunkEncoding[values().length + 1];
        for (ChunkEncoding encoding : values()) {
            byCode[encoding.code] = encoding;
        }
        return byCode;
    }

    /** Returns the size of the cells of one subspace, in bytes. */
    public static int subspaceWidth(TensorType tensor) {
        return Math.multiplyExact(tensor.subspaceSize(), tensor.cellType().size());
    }
}
