package io.jverbs.samples.perftest.exchange;

import io.jverbs.Mtu;
import io.jverbs.samples.connect.MessageChannel;
import io.jverbs.samples.connect.Messages;
import io.jverbs.samples.console.SampleFailure;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The steps of the exchange. Both sides perform the same steps; in each, the client sends its message first, and the
 * server responds with its own. Not thread-safe.
 */
public final class ParameterExchange implements AutoCloseable {
    private static final int MTU_BYTES = 2;
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final MessageChannel channel;
    private final boolean client;
    private final Duration patience;
    private Version peer = Version.OWN;
    private AddressFormat addresses;

    /**
     * Creates an exchange.
     *
     * @param channel the connection, which {@link #close} closes
     * @param client whether this side is the client
     * @param patience the time to wait for a message that the peer should send at once
     */
    public ParameterExchange(MessageChannel channel, boolean client, Duration patience) {
        this.channel = channel;
        this.client = client;
        this.patience = patience;
    }

    /**
     * Exchanges the versions.
     *
     * @return the version of the peer
     * @throws SampleFailure if the peer is another program, or if its version is too old
     */
    public Version versions() {
        byte[] message = swap(Version.OWN.toBytes(), "the version of perftest", Version.BYTES, patience);
        Version version = Version.of(message);
        if (version == null) {
            throw new SampleFailure("the peer is another program: it sent " + Messages.quote(message)
                    + " instead of the version of perftest. Both sides must be programs of perftest or of samples/run,"
                    + " and both with or both without --rdma_cm.");
        }
        peer = version;
        if (!version.isCompatible()) {
            throw new SampleFailure("the peer has version " + version.text() + " of perftest, and this program has "
                    + Version.OWN.text() + ", which needs a peer with " + Version.LEAST
                    + " or later: update the peer's perftest.");
        }
        return version;
    }

    /**
     * Exchanges the size of a page, within which the C programs move the addresses of small messages, and that of a
     * cache line, by which they move them.
     *
     * @param page the size of a page of this side in bytes
     * @param cacheLine the size of a cache line of this side in bytes
     * @return the larger page size of both sides
     * @throws SampleFailure if the peer sends a size that is not plausible
     */
    public int pageSize(int page, int cacheLine) {
        int peers = number("the page size", page, 1 << 12, 1 << 20);
        number("the size of a cache line", cacheLine, 1, 1 << 12);
        return Math.max(page, peers);
    }

    private int number(String part, int own, int least, int most) {
        byte[] message = swap(ByteBuffer.allocate(Integer.BYTES).putInt(own).array(), part, Integer.BYTES, patience);
        int value = ByteBuffer.wrap(message).getInt();
        if (value < least || value > most) {
            throw malformed(part + " is " + value + ", outside " + least + ".." + most);
        }
        return value;
    }

    /**
     * Exchanges the MTUs.
     *
     * @param own the MTU of this side
     * @return the smaller MTU of both sides
     * @throws SampleFailure if the peer sends none
     */
    public Mtu mtu(Mtu own) {
        byte[] message = swap(new byte[] {(byte) ('0' + own.code()), 0}, "the MTU", MTU_BYTES, patience);
        Mtu peers = message[1] == 0 ? Mtu.of(message[0] - '0') : Mtu.UNKNOWN;
        if (peers == Mtu.UNKNOWN) {
            throw malformed("the MTU is " + Messages.quote(message) + ", not a code from 1 (256 bytes) to 5 (4096)");
        }
        return peers.bytes() < own.bytes() ? peers : own;
    }

    /** Chooses the form of the addresses. It must be called before the first of them, and the sides must agree. */
    public void useGids(boolean used) {
        AddressFormat text = used ? AddressFormat.TEXT_WITH_GID : AddressFormat.TEXT;
        addresses = channel.usesRdmaCm() ? AddressFormat.BINARY : text;
    }

    /**
     * Exchanges the addresses, which also synchronises the sides.
     *
     * @param own the address of this side
     * @return the address of the peer
     * @throws SampleFailure if the peer sends none
     */
    public PeerAddress addresses(PeerAddress own) {
        return addresses(own, patience);
    }

    private PeerAddress addresses(PeerAddress own, Duration timeout) {
        byte[] message = swap(addresses.encode(own), "the address", addresses.bytes(), timeout);
        try {
            return addresses.decode(message);
        } catch (IllegalArgumentException e) {
            throw malformed("the address is malformed: " + e.getMessage());
        }
    }

    /**
     * Synchronises the sides without a time limit. The server waits until the client synchronises too.
     *
     * @param own the address of this side
     * @param request what the client asks for; {@link Request#NONE} on the server, and if the peer is not of this
     *         project
     * @return what the peer asks for
     * @throws SampleFailure if the connection fails, or if the peer sends no address
     */
    public Request synchronize(PeerAddress own, Request request) {
        PeerAddress peers = addresses(own.with(request), null);
        Request wanted = peer.jverbs() ? Request.of(peers.extra()) : Request.NONE;
        if (wanted == null) {
            throw malformed("the request is 0x" + Integer.toHexString(peers.extra())
                    + ", not a kind from 0x0 to 0x2 and a count");
        }
        return wanted;
    }

    /**
     * Exchanges the results.
     *
     * @param own the result of this side
     * @return the result of the peer, whose numbers mean nothing if it has measured nothing
     * @throws SampleFailure if the peer sends none
     */
    public BandwidthMessage bandwidths(BandwidthMessage own) {
        byte[][] messages = own.toMessages();
        for (int i = 0; i < messages.length; i++) {
            messages[i] = swap(messages[i], BandwidthMessage.PARTS[i], Long.BYTES, patience);
        }
        return BandwidthMessage.of(messages);
    }

    /**
     * {@return a result of the peer, whose numbers are plausible}
     *
     * @param peers the result
     * @throws SampleFailure if a number is not
     */
    public BandwidthMessage checked(BandwidthMessage peers) {
        try {
            return peers.checked();
        } catch (IllegalArgumentException e) {
            throw malformed(e.getMessage());
        }
    }

    /** Ends the exchange: sends "done", and waits until the peer has ended it too. */
    public void end() {
        if (!channel.usesRdmaCm()) {
            channel.send(DONE);
        }
        channel.finish(!client, patience);
    }

    /** Waits until the peer has ended the exchange too, in the test that has no end: there the client sends last. */
    public void finish() {
        channel.finish(client, patience);
    }

    /** {@return whether the peer has closed the connection} */
    public boolean isPeerGone() {
        return channel.isPeerGone();
    }

    /** {@return the version of the peer} */
    public Version peer() {
        return peer;
    }

    /** {@return the network address of this side} */
    public InetSocketAddress ownEndpoint() {
        return channel.own();
    }

    /** {@return the network address of the peer} */
    public InetSocketAddress peerEndpoint() {
        return channel.peer();
    }

    private byte[] swap(byte[] own, String part, int length, Duration timeout) {
        try {
            if (client) {
                channel.send(own);
                return channel.receive(part, length, timeout);
            }
            byte[] message = channel.receive(part, length, timeout);
            channel.send(own);
            return message;
        } catch (SampleFailure e) {
            throw peer.isOwn() ? e : new SampleFailure(e.getMessage() + versions(peer));
        }
    }

    private SampleFailure malformed(String sentence) {
        return new SampleFailure("the peer's message is not the one expected: " + sentence + "."
                + (peer.isOwn() ? "" : versions(peer)));
    }

    private static String versions(Version peer) {
        return " The peer has version " + peer.text() + " of perftest, and this program has " + Version.OWN.text()
                + ".";
    }

    /** Closes the connection. */
    @Override
    public void close() {
        channel.close();
    }
}
