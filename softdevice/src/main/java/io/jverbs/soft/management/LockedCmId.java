package io.jverbs.soft.management;

import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.soft.management.communication.CmAgent;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.net.InetSocketAddress;

/**
 * A CM ID as the API has it: takes the lock of the agent around each call, and performs what has become due after it.
 *
 * @param id the ID
 * @param agent the agent of its device
 */
record LockedCmId(SoftCmId id, CmAgent agent) implements CmIdOps {

    @Override
    public Object owner() {
        return id.owner();
    }

    @Override
    public void owner(Object owner) {
        agent.run(() -> id.owner(owner));
    }

    @Override
    public void bind(InetSocketAddress address) {
        agent.run(() -> id.bind(address));
    }

    @Override
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long nanos) {
        agent.run(() -> id.resolveAddress(source, destination));
    }

    @Override
    public void resolveRoute(long nanos) {
        agent.run(id::resolveRoute);
    }

    @Override
    public void listen(int backlog) {
        agent.run(() -> id.listen(backlog));
    }

    @Override
    public void connect(CmParameters parameters) {
        agent.run(() -> id.connect(parameters));
    }

    @Override
    public void accept(CmParameters parameters) {
        agent.run(() -> id.accept(parameters));
    }

    @Override
    public void checkAccept(CmParameters parameters) {
        agent.run(() -> id.checkAccept(parameters));
    }

    @Override
    public void reject(int reason, byte[] privateData) {
        agent.run(() -> id.reject(reason, privateData));
    }

    @Override
    public void establish() {
        agent.run(id::establish);
    }

    @Override
    public void notify(int event) {
        agent.run(() -> id.notify(event));
    }

    @Override
    public void checkDisconnect() {
        agent.run(id::checkDisconnect);
    }

    @Override
    public void disconnect() {
        agent.run(id::disconnect);
    }

    @Override
    public QpAttributes qpAttributes(QpState state) {
        return agent.call(() -> id.qpAttributes(state));
    }

    @Override
    public void join(InetSocketAddress group, boolean sendOnly, Object context) {
        agent.run(() -> id.join(group, context));
    }

    @Override
    public Object leave(InetSocketAddress group) {
        return agent.call(() -> id.leave(group));
    }

    @Override
    public void option(int option, int value) {
        agent.run(() -> id.option(option, value));
    }

    @Override
    public void localEce(CmIdOps.Ece ece) {
        agent.run(() -> id.localEce(ece));
    }

    @Override
    public CmIdOps.Ece remoteEce() {
        return agent.call(id::remoteEce);
    }

    @Override
    public void postUserEvent(int status, long argument) {
        agent.run(() -> id.postUserEvent(status, argument));
    }

    @Override
    public int migrate(CmChannelOps channel) {
        return agent.call(() -> id.migrate((SoftCmChannel) channel));
    }

    @Override
    public CmIdOps.Route route() {
        return agent.call(id::route);
    }

    @Override
    public int destroy() {
        return agent.call(id::destroy);
    }
}
