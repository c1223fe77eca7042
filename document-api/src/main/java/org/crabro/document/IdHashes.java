package org.crabro.document;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes {@link DocumentId#location} and {@link DocumentId#globalId} from the UTF-8 text of ids,
 * without an object per id. The text must be a result of {@link DocumentId#toString}, which is not
 * checked. For one thread.
 */
public final class IdHashes {
    private static final int DIGEST_SIZE = 16;

    private final MessageDigest md5;
    private final byte[] digest = new byte[DIGEST_SIZE];
    private final ByteBuffer numbers = ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN);

    public IdHashes() {
        try {
            md5 = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    /**
     * Returns the location of an id.
     *
     * @param id the first {@code length} bytes are its text
     * @param keyFrom the offset of its third part, which is empty or contains a number or a group
     * @param keyTo the index of the colon after that part
     */
    public long location(byte[] id, int length, int keyFrom, int keyTo) {
        if (keyFrom == keyTo) {
            return md5(id, keyTo + 1, length).getLong(0);
        }
        return id[keyFrom] == 'n'
                ? number(id, keyFrom + 2, keyTo)
                : md5(id, keyFrom + 2, keyTo).getLong(0);
    }

    /** Returns the {@link GlobalId#hash} of an id, the first {@code length} bytes of {@code id}. */
    public long hash(byte[] id, int length) {
        return md5(id, 0, length).getLong(Integer.BYTES);
    }

    private static long number(byte[] digits, int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            number = 10 * number + (digits[i] - '0');
        }
        return number;
    }

    /** Returns the digest. Valid until the next call. */
    private ByteBuffer md5(byte[] bytes, int from, int to) {
        md5.update(bytes, from, to - from);
        try {
            md5.digest(digest, 0, DIGEST_SIZE);
        } catch (DigestException e) {
            throw new IllegalStateException("there is room for a digest", e);
        }
        return numbers;
    }
}
