package org.crabro.client.imports;

import java.util.Locale;
import java.util.function.Consumer;
import org.apache.james.mime4j.stream.BodyDescriptor;
import org.apache.james.mime4j.stream.BodyDescriptorBuilder;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.RawField;
import org.jspecify.annotations.Nullable;

/**
 * What the headers of a mail or a part say about its body.
 *
 * @param type such as {@code text/plain}, in lower case
 * @param charset the name of the character set; null if there is none
 * @param encoding how its bytes are written
 * @param boundary between its parts; null if it has none
 * @param name of the attachment; null if it has none
 * @param isAttachment whether it is shown as a file, and not with the text
 */
record MailBody(
        String type,
        @Nullable String charset,
        String encoding,
        @Nullable String boundary,
        @Nullable String name,
        boolean isAttachment)
        implements BodyDescriptor {
    @Override
    public String getMimeType() {
        return type;
    }

    @Override
    public String getMediaType() {
        return type.substring(0, type.indexOf('/'));
    }

    @Override
    public String getSubType() {
        return type.substring(type.indexOf('/') + 1);
    }

    @Override
    public @Nullable String getCharset() {
        return charset;
    }

    @Override
    public String getTransferEncoding() {
        return encoding;
    }

    @Override
    public @Nullable String getBoundary() {
        return boundary;
    }

    @Override
    public long getContentLength() {
        return -1;
    }

    /** Returns whether it is a text that belongs to the text of the mail. */
    boolean isShown() {
        return type.startsWith("text/") && !(isAttachment && name != null);
    }

    /** Reads the headers of a body. Of two headers with a name, the first counts. */
    static final class Builder implements BodyDescriptorBuilder {
        /** The type of parts without a type. */
        private final String defaultType;

        /** Gets each body before its bytes are read, also mails and parts with parts. */
        private final Consumer<MailBody> bodies;

        private @Nullable MailParameters type;
        private @Nullable MailParameters disposition;
        private @Nullable String encoding;

        Builder(Consumer<MailBody> bodies) {
            this("text/plain", bodies);
        }

        private Builder(String defaultType, Consumer<MailBody> bodies) {
            this.defaultType = defaultType;
            this.bodies = bodies;
        }

        @Override
        public void reset() {
            type = null;
            disposition = null;
            encoding = null;
        }

        @Override
        public @Nullable Field addField(RawField field) {
            switch (field.getNameLowerCase()) {
                case "content-type" -> type = type == null ? parameters(field) : type;
                case "content-disposition" ->
                        disposition = disposition == null ? parameters(field) : disposition;
                case "content-transfer-encoding" -> {
                    String value = parameters(field).value();
                    encoding = encoding == null && !value.isEmpty() ? value : encoding;
                }
                default -> {
                    // Other headers say nothing about the body.
                }
            }
            return null;
        }

        private static MailParameters parameters(RawField field) {
            return MailParameters.of(MailFields.text(field));
        }

        @Override
        public MailBody build() {
            String given = type == null ? "" : type.value().toLowerCase(Locale.ROOT);
            if (given.equals("message/global") || given.equals("message/news")) {
                // Mails too; the library looks only into those of this type.
                given = "message/rfc822";
            }
            String boundary = type == null ? null : type.get("boundary");
            boolean isBroken =
                    !given.matches("[^\\s/]+/[^\\s/]+")
                            || (given.startsWith("multipart/") && !isBoundary(boundary));
            var body =
                    new MailBody(
                            given.isEmpty() ? defaultType : isBroken ? "text/plain" : given,
                            type == null ? null : type.get("charset"),
                            encoding == null ? "7bit" : encoding,
                            isBroken ? null : boundary,
                            name(),
                            disposition != null
                                    && disposition.value().equalsIgnoreCase("attachment"));
            bodies.accept(body);
            return body;
        }

        /** RFC 2046 permits 70 characters. A search for a very long one takes long. */
        private static boolean isBoundary(@Nullable String boundary) {
            return boundary != null
                    && !boundary.isBlank()
                    && boundary.length() <= ImportLimits.MAIL_BOUNDARY_MAX;
        }

        /** Returns the file name of Content-Disposition, or the name of Content-Type. */
        private @Nullable String name() {
            String name = disposition == null ? null : disposition.get("filename");
            if ((name == null || name.isBlank()) && type != null) {
                name = type.get("name");
            }
            return name == null || name.isBlank() ? null : name.strip();
        }

        @Override
        public BodyDescriptorBuilder newChild() {
            boolean isDigest = type != null && type.value().equalsIgnoreCase("multipart/digest");
            return new Builder(isDigest ? "message/rfc822" : "text/plain", bodies);
        }
    }
}
