package io.jverbs.samples.devinfo;

import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.UsageFailure;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints the devices of all providers like {@code ibv_devinfo}, and the device that {@code auto} selects. */
@Command(name = "devinfo", description = "Prints all devices like ibv_devinfo, and the device that auto selects.")
public final class DevinfoCommand implements Callable<Integer> {
    private static final int MAX_PORT = 255;

    @Option(names = {"-d", "--ib-dev"}, paramLabel = "DEVICE", description = "Prints only this device: a name or a"
            + " selector.")
    private String wanted;
    @Option(names = {"-i", "--ib-port"}, paramLabel = "PORT", description = "Prints only this port.")
    private String portOption;
    @Option(names = {"-l", "--list"}, description = "Prints only the names of the devices.")
    private boolean list;
    @Option(names = {"-v", "--verbose"}, description = "Prints all attributes.")
    private boolean verbose;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Integer port = port();
        PrintWriter out = spec.commandLine().getOut();
        // Before the devices are listed: selecting a device may create it.
        String choice = choice();
        List<RdmaDevice> devices = Verbs.devices();
        if (list) {
            out.print(devices.size() + (devices.size() == 1 ? " HCA found:\n" : " HCAs found:\n"));
            devices.forEach(device -> out.print("\t" + device.name() + "\n"));
            out.print("\n");
        } else {
            for (RdmaDevice device : wanted == null ? devices : List.of(find(devices))) {
                print(device, port, out);
            }
        }
        out.println(choice);
        return ExitCode.OK;
    }

    private Integer port() {
        try {
            return portOption == null ? null : Numbers.read("--ib-port", portOption, 1, MAX_PORT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Prints a device, and its port or, for null, all of its ports. */
    private void print(RdmaDevice device, Integer port, PrintWriter out) {
        try (RdmaContext context = device.open()) {
            int ports = context.queryDevice().portCount();
            if (port != null && port > ports) {
                throw new UsageFailure("--ib-port " + port + " is outside 1.." + ports + ", the ports of " + device);
            }
            DeviceReport report = new DeviceReport(out, verbose);
            report.printDevice(context);
            for (int i = port == null ? 1 : port; i <= (port == null ? ports : port); i++) {
                report.printPort(context, i);
            }
        }
    }

    private RdmaDevice find(List<RdmaDevice> devices) {
        return devices.stream().filter(device -> device.name().equals(wanted)).findFirst().orElseGet(() -> {
            if (wanted.indexOf(':') < 0) {
                throw new IllegalArgumentException("--ib-dev " + wanted + ": there is no such device; the devices are "
                        + devices.stream().map(RdmaDevice::name).collect(Collectors.joining(", "))
                        + "; a selector has a colon; see docs/devices.md");
            }
            return Devices.select("--ib-dev", wanted);
        });
    }

    /**
     * {@return the sentence that names the device of the selector auto, and that of the system property if it is set}
     */
    private static String choice() {
        String sentence = "auto takes " + Verbs.select("auto").selector();
        String property = System.getProperty(Verbs.DEVICE_PROPERTY);
        return property == null
                ? sentence
                : sentence + "; -D" + Verbs.DEVICE_PROPERTY + "=" + property + " takes " + Verbs.select().selector();
    }
}
