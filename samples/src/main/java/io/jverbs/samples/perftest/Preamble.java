package io.jverbs.samples.perftest;

import io.jverbs.LinkLayer;
import io.jverbs.PortAttributes;
import io.jverbs.RdmaContext;
import io.jverbs.TransportType;
import io.jverbs.samples.connect.LocalAddress;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.perftest.exchange.PeerAddress;
import io.jverbs.samples.perftest.exchange.Version;
import io.jverbs.samples.perftest.run.Settings;
import io.jverbs.samples.perftest.run.Side;
import io.jverbs.samples.perftest.run.Table;
import io.jverbs.samples.perftest.run.Verb;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Prints the lines that perftest prints before its table: the parameters of the test, and the addresses of both sides.
 */
final class Preamble {
    private final Settings settings;
    private final Screen screen;
    private final boolean client;

    Preamble(Settings settings, Screen screen, boolean client) {
        this.settings = settings;
        this.screen = screen;
        this.client = client;
    }

    void waiting() {
        screen.print("");
        screen.print("************************************");
        screen.print("* Waiting for client to connect... *");
        screen.print("************************************");
    }

    /** Prints both versions if that of the peer is another. */
    void versions(Version peer) {
        if (!peer.isOwn()) {
            print(" The peer has version %s of perftest, and this program has %s: if the test fails, use the same.",
                    peer.text(), Version.OWN.text());
        }
    }

    void test(RdmaContext context, Side side) {
        screen.print(Table.RULE);
        screen.print(" ".repeat(20) + title());
        if (settings.events()) {
            print(" Test with events.");
        }
        print(" Dual-port       : OFF\t\tDevice         : %s", context.device().name());
        print(" Number of qps   : 1\t\tTransport type : %s", transport(context.queryDevice().transportType()));
        print(" Connection type : %s\t\tUsing SRQ      : OFF", settings.connection());
        boolean sends = client || settings.bidirectional();
        if (sends) {
            print(" TX depth        : %d", settings.txDepth());
        }
        if (settings.postList() > 1) {
            print(" Post List       : %d", settings.postList());
        }
        if (settings.verb() == Verb.SEND && (!client || settings.bidirectional())) {
            print(" RX depth        : %d", side.receives());
        }
        if (!settings.latency()) {
            print(" CQ Moderation   : %d", settings.cqMod());
        }
        print(" Mtu             : %d[B]", side.mtu().bytes());
        PortAttributes port = context.queryPort(settings.port());
        print(" Link type       : %s", link(port.linkLayer()));
        if (side.gidIndex() != LocalAddress.NO_GID_INDEX) {
            print(" GID index       : %d", side.gidIndex());
        }
        if (settings.verb().fetches()) {
            print(" Outstand reads  : %d", side.outstandingReads());
        } else {
            print(" Max inline data : %d[B]", side.inlineSize());
        }
        print(" rdma_cm QPs\t : %s", settings.rdmaCm() ? "ON" : "OFF");
        print(" Data ex. method : %s", settings.rdmaCm() ? "rdma_cm" : "Ethernet");
        screen.print(Table.RULE);
    }

    /** {@return the title of the test} */
    String title() {
        StringJoiner words = new StringJoiner(" ");
        words.add(settings.verb().title());
        if (settings.verb() == Verb.ATOMIC) {
            words.add(settings.compareAndSwap() ? "CMP_AND_SWAP" : "FETCH_AND_ADD");
        }
        if (settings.bidirectional()) {
            words.add("Bidirectional");
        }
        if (settings.postList() > 1) {
            words.add("Post List");
        }
        return words.add(settings.latency() ? "Latency" : "BW").add("Test").toString();
    }

    private static String transport(TransportType type) {
        return switch (type) {
            case IB -> "IB";
            case IWARP -> "IW";
            default -> "Unknown";
        };
    }

    private static String link(LinkLayer layer) {
        return switch (layer) {
            case INFINIBAND -> "IB";
            case ETHERNET -> "Ethernet";
            default -> "Unknown";
        };
    }

    /** Prints the address of a side, "local" or "remote". */
    void address(String side, PeerAddress address) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, " %s address: LID %s QPN 0x%04x PSN 0x%x",
                side, address.lid() == 0 ? "0000" : String.format(Locale.ROOT, "0x%02x", address.lid()),
                address.qpn(), address.psn()));
        if (settings.verb() == Verb.READ) {
            line.append(String.format(Locale.ROOT, " OUT 0x%02x", address.reads()));
        }
        if (settings.verb() == Verb.READ || settings.verb() == Verb.WRITE) {
            line.append(String.format(Locale.ROOT, " RKey 0x%06x VAddr 0x%014x", address.rkey(), address.address()));
        }
        screen.print(line.toString());
        if (!address.gid().isZero()) {
            StringJoiner bytes = new StringJoiner(":", " GID: ", "");
            for (byte b : address.gid().toBytes()) {
                bytes.add(String.format(Locale.ROOT, "%02d", b & 0xff));
            }
            screen.print(bytes.toString());
        }
    }

    private void print(String format, Object... values) {
        screen.print(String.format(Locale.ROOT, format, values));
    }
}
