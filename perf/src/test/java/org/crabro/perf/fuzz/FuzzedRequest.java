package org.crabro.perf.fuzz;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.ComplianceViolation;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.server.Components;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Attributes;

/** Requests of a URI, headers and a body, without a connection. */
public final class FuzzedRequest {
    /** Notes no violation of compliance rules. */
    private static final Object CHANNEL =
            Proxy.newProxyInstance(
                    FuzzedRequest.class.getClassLoader(),
                    new Class<?>[] {Components.class, HttpChannel.class},
                    (proxy, method, arguments) ->
                            method.getReturnType() == ComplianceViolation.Listener.class
                                    ? ComplianceViolation.Listener.NOOP
                                    : other(proxy, method, arguments));

    private FuzzedRequest() {}

    /** Returns a request; methods of it that need a connection are not supported. */
    public static Request of(String pathQuery, HttpFields headers, byte[] body) {
        HttpURI uri = HttpURI.from("http", "localhost", 8080, pathQuery);
        Content.Source content = new ByteBufferContentSource(List.of(ByteBuffer.wrap(body)));
        var attributes = new Attributes.Mapped();
        var configuration = new HttpConfiguration();
        InvocationHandler handler =
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "getHttpURI" -> uri;
                            case "getHeaders" -> headers;
                            case "getConnectionMetaData" -> proxy;
                            case "getHttpConfiguration" -> configuration;
                            case "getComponents" -> CHANNEL;
                            case "read" -> content.read();
                            case "getLength" -> content.getLength();
                            case "demand" -> {
                                content.demand((Runnable) arguments[0]);
                                yield null;
                            }
                            case "fail" -> {
                                content.fail((Throwable) arguments[0]);
                                yield null;
                            }
                            default ->
                                    method.getDeclaringClass() == Attributes.class
                                            ? method.invoke(attributes, arguments)
                                            : other(proxy, method, arguments);
                        };
        return (Request)
                Proxy.newProxyInstance(
                        FuzzedRequest.class.getClassLoader(),
                        new Class<?>[] {Request.class, ConnectionMetaData.class},
                        handler);
    }

    private static Object other(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        throw new UnsupportedOperationException(method.toString());
    }
}
