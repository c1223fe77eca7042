package org.crabro.container.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The SHA-256 of a bearer token. A token is random and has 128 bits or more, so that its hash needs
 * no salt and no slow function. Two hashes are compared in constant time.
 */
public final class TokenHash {
    private static final int TOKEN_BYTES = 32;
    private static final int HASH_BYTES = 32;

    private final byte[] bytes;

    private TokenHash(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns a new random token of 256 bits, in characters that need no quotes in a shell. */
    public static String newToken(SecureRandom random) {
        var bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the hash of a token. */
    public static TokenHash of(String token) {
        try {
            return new TokenHash(
                    MessageDigest.getInstance("SHA-256")
                            .digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Parses a hash; empty if {@code hex} is not 64 hexadecimal digits. */
    static Optional<TokenHash> parse(String hex) {
        return hex.matches("[0-9a-fA-F]{" + 2 * HASH_BYTES + "}")
                ? Optional.of(new TokenHash(HexFormat.of().parseHex(hex)))
                : Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenHash that && MessageDigest.isEqual(bytes, that.bytes);
    }

    /**
     * The time of a comparison reveals nothing useful: a client cannot choose tokens by the bits of
     * their hashes.
     */
    @Override
    public int hashCode() {
        return ByteBuffer.wrap(bytes).getInt();
    }

    /** Returns 64 hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
