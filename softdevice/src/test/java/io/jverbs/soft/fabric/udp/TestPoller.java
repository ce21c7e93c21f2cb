package io.jverbs.soft.fabric.udp;

import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.fabric.udp.socket.SocketPoller;
import io.jverbs.soft.fabric.udp.socket.Sockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The poller that the system provides. A thread that waits does so until the test wakes it. */
final class TestPoller implements Sockets, SocketPoller {
    final Set<Datagrams> registered = ConcurrentHashMap.newKeySet();
    boolean suitsVirtualReceiver;
    IOException failure;
    int ended;
    int closed;
    /** How many calls of {@link #wakeup} have not ended a wait yet. */
    private int wakeups;
    private boolean waiting;

    /** Returns whether a thread waits, and has not been woken. */
    synchronized boolean isWaiting() {
        return waiting && wakeups == 0;
    }

    @Override
    public Datagrams open(InetSocketAddress address, NetworkInterface device) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Datagrams listen(InetSocketAddress group, NetworkInterface device) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean suitVirtualReceiver() {
        return suitsVirtualReceiver;
    }

    @Override
    public SocketPoller poller() {
        return this;
    }

    @Override
    public void add(Datagrams socket) throws IOException {
        if (failure != null) {
            throw failure;
        }
        registered.add(socket);
    }

    @Override
    public void remove(Datagrams socket) {
        registered.remove(socket);
    }

    @Override
    public synchronized void await(int millis) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis == 0 ? Integer.MAX_VALUE : millis);
        waiting = true;
        try {
            long left = deadline - System.nanoTime();
            while (wakeups == 0 && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = deadline - System.nanoTime();
            }
            wakeups = Math.max(wakeups - 1, 0);
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            waiting = false;
        }
    }

    @Override
    public synchronized void wakeup() {
        wakeups++;
        notifyAll();
    }

    @Override
    public void end() {
        // the test wakes the thread
        ended++;
    }

    @Override
    public void close() {
        closed++;
    }
}
