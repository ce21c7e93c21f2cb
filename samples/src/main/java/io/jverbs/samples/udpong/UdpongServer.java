package io.jverbs.samples.udpong;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The server of udpong: counts the messages of up to 256 clients, and returns those that ask for it.
 *
 * @param socket the socket
 * @param modes the test options
 * @param out standard output
 */
record UdpongServer(MessageSocket socket, UdpongModes modes, PrintWriter out) {
    private static final int MAX_CLIENTS = 256;
    private static final Duration LONG = Duration.ofSeconds(1);

    /** Serves until the thread is interrupted. */
    void run() throws IOException, InterruptedException {
        UdpongMessage message = new UdpongMessage();
        int[] counts = new int[MAX_CLIENTS];
        int nextClient = 0;
        while (true) {
            InetSocketAddress client = receive(message);
            if (!message.isMessage()) {
                continue;
            }
            int length = message.received();
            switch (message.operation()) {
                case UdpongMessage.LOGIN -> {
                    out.println("client login from " + client.getAddress().getHostAddress());
                    out.flush();
                    message.whole();
                    message.client(nextClient);
                    counts[nextClient] = 0;
                    nextClient = (nextClient + 1) % MAX_CLIENTS;
                }
                case UdpongMessage.START -> counts[message.client()] = 0;
                case UdpongMessage.ECHO -> counts[message.client()]++;
                case UdpongMessage.END -> message.number(counts[message.client()]);
                default -> {
                    counts[message.client()]++;
                    continue;
                }
            }
            send(message, length, client);
        }
    }

    private InetSocketAddress receive(UdpongMessage message) throws IOException, InterruptedException {
        InetSocketAddress sender = socket.tryReceive(message.whole());
        while (sender == null) {
            pause(true);
            sender = socket.tryReceive(message.whole());
        }
        return sender;
    }

    private void send(UdpongMessage message, int length, InetSocketAddress to)
            throws IOException, InterruptedException {
        while (!socket.trySend(message.first(length), to)) {
            pause(false);
        }
    }

    private void pause(boolean reads) throws IOException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!modes.waits()) {
            Thread.onSpinWait();
        } else if (reads) {
            socket.awaitReadable(LONG);
        } else {
            socket.awaitWritable(LONG);
        }
    }
}
