package io.jverbs.samples.devinfo;

import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.samples.HelpOption;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the devices of every provider as {@code ibv_devinfo} does, and which one {@code auto} takes. */
@Command(name = "devinfo", description = "Prints what ibv_devinfo prints, of every device, and which one auto takes.")
public final class DevinfoCommand implements Callable<Integer> {
    @Option(names = {"-d", "--ib-dev"}, paramLabel = "DEVICE", description = "Only this device: a name or a selector.")
    private String wanted;
    @Option(names = {"-i", "--ib-port"}, paramLabel = "PORT", description = "Only this port.")
    private Integer port;
    @Option(names = {"-l", "--list"}, description = "Only the names of the devices.")
    private boolean list;
    @Option(names = {"-v", "--verbose"}, description = "All attributes.")
    private boolean verbose;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        // First, as it may bring a device into being, which then is listed too.
        String choice = choice();
        List<RdmaDevice> devices = Verbs.devices();
        if (list) {
            out.print(devices.size() + (devices.size() == 1 ? " HCA found:\n" : " HCAs found:\n"));
            devices.forEach(device -> out.print("\t" + device.name() + "\n"));
            out.print("\n");
        } else {
            for (RdmaDevice device : wanted == null ? devices : List.of(find(devices))) {
                if (!print(device, out, err)) {
                    return ExitCode.SOFTWARE;
                }
            }
        }
        out.println(choice);
        return ExitCode.OK;
    }

    private boolean print(RdmaDevice device, PrintWriter out, PrintWriter err) {
        try (RdmaContext context = device.open()) {
            int ports = context.queryDevice().portCount();
            if (port != null && (port < 1 || port > ports)) {
                err.println(spec.qualifiedName() + ": port " + port + " is outside 1.." + ports + " of " + device);
                return false;
            }
            DeviceReport report = new DeviceReport(out, verbose);
            report.printDevice(context);
            for (int i = port == null ? 1 : port; i <= (port == null ? ports : port); i++) {
                report.printPort(context, i);
            }
            return true;
        }
    }

    private RdmaDevice find(List<RdmaDevice> devices) {
        return devices.stream().filter(device -> device.name().equals(wanted)).findFirst().orElseGet(() -> {
            if (wanted.indexOf(':') < 0) {
                throw new IllegalArgumentException("device " + wanted + " was not found; there are: "
                        + devices.stream().map(RdmaDevice::name).collect(Collectors.joining(", ")));
            }
            return Verbs.select(wanted);
        });
    }

    /** What a program gets that does not choose, and what the property makes of it. */
    private static String choice() {
        String sentence = "auto takes " + Verbs.select("auto").selector();
        String property = System.getProperty(Verbs.DEVICE_PROPERTY);
        return property == null
                ? sentence
                : sentence + "; -D" + Verbs.DEVICE_PROPERTY + "=" + property + " takes " + Verbs.select().selector();
    }
}
