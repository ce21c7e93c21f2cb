package io.jverbs.samples.perftest;

import io.jverbs.RdmaContext;
import io.jverbs.samples.connect.Tcp;
import io.jverbs.samples.connect.CmConnections;
import io.jverbs.samples.connect.TcpMessageChannel;
import io.jverbs.samples.connect.MessageChannel;
import io.jverbs.samples.perftest.run.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/**
 * The connection over which both sides exchange their parameters.
 *
 * @param channel the connection
 * @param cm what connects the queue pairs of the test; null without option -R
 */
record Link(MessageChannel channel, CmConnections cm) implements AutoCloseable {
    /** Takes over a TCP connection. */
    static Link tcp(Settings settings, SocketChannel socket) throws IOException {
        return new Link(new TcpMessageChannel(socket, settings.patience()), null);
    }

    /** Connects to the server of the options, or waits for the client. */
    static Link open(Settings settings, RdmaContext context) throws IOException {
        if (!settings.rdmaCm()) {
            return tcp(settings, settings.host() != null
                    ? Tcp.connect(settings.host(), settings.tcpPort())
                    : Tcp.accept(settings.tcpPort()));
        }
        CmConnections cm = settings.host() != null
                ? CmConnections.client(context,
                        new InetSocketAddress(Tcp.resolve(settings.host())[0], settings.tcpPort()),
                        settings.connection(), settings.patience())
                : CmConnections.server(context, new InetSocketAddress(settings.tcpPort()), settings.connection(),
                        settings.patience());
        try {
            return new Link(cm.messages(), cm);
        } catch (RuntimeException | Error e) {
            cm.close();
            throw e;
        }
    }

    @Override
    public void close() {
        channel.close();
        if (cm != null) {
            cm.close();
        }
    }
}
