package io.jverbs.samples.applications;

import java.net.URI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** Jetty echoes the body of a request to the HTTP client of the JDK. */
final class JettyProgram {
    private JettyProgram() {}

    public static void main(String[] args) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(args[0]);
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Content.copy(request, response, callback);
                return true;
            }
        });
        server.start();
        try {
            HttpEcho.request(URI.create("http://" + args[0] + ":" + connector.getLocalPort() + "/"));
        } finally {
            server.stop();
        }
        RdmaTraffic.ofSelectedDevice().print();
    }
}
