package org.crabro.component;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An HTTP request. For the thread that handles it. */
public interface HttpRequest {
    /** Returns the method, such as {@code GET}. */
    String method();

    /** Returns the path, decoded. */
    String path();

    /**
     * Returns the query part of the URI in its original form, without its {@code ?}; may be empty.
     */
    String query();

    /**
     * Returns the decoded parameters of the query part. Names and values are in their original
     * order.
     */
    Map<String, List<String>> parameters();

    /** Returns the first value of a parameter. */
    default Optional<String> parameter(String name) {
        return parameters().getOrDefault(name, List.of()).stream().findFirst();
    }

    /** Returns the values of a header, by its name in any case. */
    List<String> headers(String name);

    /** Returns the first value of a header. */
    default Optional<String> header(String name) {
        return headers(name).stream().findFirst();
    }

    /** Returns the sender of the request. */
    default Caller caller() {
        return Caller.EVERYONE;
    }

    /** Returns the number of bytes of the body, or -1 if the request does not declare it. */
    long length();

    /** Returns the body, which is read from the connection. Its length is not limited. */
    InputStream body();
}
