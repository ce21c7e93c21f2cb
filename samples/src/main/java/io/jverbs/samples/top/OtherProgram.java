package io.jverbs.samples.top;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import io.jverbs.control.DevicesMXBean;
import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Comparator;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Another JVM of the same user on this machine. Starts its local JMX agent if necessary, and connects to it. */
final class OtherProgram implements Target {
    private static final String BEAN = "io.jverbs.control.Devices";

    private final String name;
    private final JMXConnector connector;
    private final DevicesMXBean bean;

    private OtherProgram(String name, JMXConnector connector, DevicesMXBean bean) {
        this.name = name;
        this.connector = connector;
        this.bean = bean;
    }

    /** {@return the process ID and the main class of each other JVM of this user} */
    static List<String> list() {
        String own = Long.toString(ProcessHandle.current().pid());
        return VirtualMachine.list().stream().filter(each -> !each.id().equals(own))
                .sorted(Comparator.comparing(VirtualMachineDescriptor::id)).map(OtherProgram::describe).toList();
    }

    private static String describe(VirtualMachineDescriptor each) {
        return each.id() + " " + each.displayName().replaceFirst(" .*", "");
    }

    /**
     * Connects to the JVM of a process.
     *
     * @throws SampleFailure if the process is not a JVM of this user, or if its devices are not accessible
     */
    static OtherProgram attach(long pid) {
        JMXConnector connector = null;
        try {
            String address = address(pid);
            connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
            DevicesMXBean bean = bean(connector.getMBeanServerConnection());
            return new OtherProgram("process " + pid, connector, bean);
        } catch (AttachNotSupportedException | IOException e) {
            close(connector);
            throw refused(pid, e.getMessage() + "; it must be a JVM of the same user" + others());
        } catch (ReflectionException e) {
            close(connector);
            throw refused(pid, "its system class loader has no " + BEAN
                    + "; a program that loads jverbs with another class loader must call Devices.register() itself");
        } catch (JMException e) {
            close(connector);
            throw refused(pid, DevicesMXBean.NAME + ": " + e.getMessage());
        }
    }

    private static SampleFailure refused(long pid, String why) {
        return new SampleFailure("process " + pid + " cannot be watched: " + why + "; see docs/observability.md");
    }

    private static String others() {
        List<String> all = list();
        return all.isEmpty() ? "" : "; the JVMs of this user are " + String.join(", ", all);
    }

    private static String address(long pid) throws AttachNotSupportedException, IOException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            return machine.startLocalManagementAgent();
        } finally {
            machine.detach();
        }
    }

    /** {@return a proxy of the program's MBean, which is created there if it is not registered yet} */
    private static DevicesMXBean bean(MBeanServerConnection server) throws JMException, IOException {
        ObjectName name = new ObjectName(DevicesMXBean.NAME);
        if (!server.isRegistered(name)) {
            try {
                server.createMBean(BEAN, name);
            } catch (InstanceAlreadyExistsException e) {
                // another process has created it in the meantime
            }
        }
        return JMX.newMXBeanProxy(server, name, DevicesMXBean.class);
    }

    private static void close(JMXConnector connector) {
        if (connector != null) {
            try {
                connector.close();
            } catch (IOException e) {
                // the other process has exited
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<DevicesMXBean.Device> devices() {
        try {
            return bean.getDevices();
        } catch (UndeclaredThrowableException e) {
            throw new SampleFailure(name + (e.getCause() instanceof InstanceNotFoundException
                    ? " no longer exposes its devices: it called Devices.unregister()"
                    : " has exited"));
        }
    }

    @Override
    public void close() {
        close(connector);
    }
}
