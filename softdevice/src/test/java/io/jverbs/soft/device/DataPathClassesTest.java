package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** Every class of the data path that has a static initialiser is initialised when a device opens. */
final class DataPathClassesTest {
    private static final List<String> PACKAGES = List.of("congestion", "journal", "memory", "protocol", "queue",
            "transport", "transport/connection", "transport/local", "transport/rc", "transport/uc", "transport/ud",
            "wire");

    /** Classes of other packages, which threads that poll, wait or receive would initialise. */
    private static final Set<String> OTHERS = Set.of("device.EventQueue$1", "fabric.udp.IpIdPolicy$SenderKind",
            "fabric.udp.ReceiveEngine$Burst", "fabric.udp.ReceiveThread$1", "fabric.udp.ReceiveThread$Mode",
            "fabric.udp.RegistrationState");

    @Test
    void everyClassOfTheDataPathThatHasAStaticInitialiserIsListed() throws Exception {
        Path home = Path.of(SoftContext.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .resolve("io/jverbs/soft");
        Set<String> found = new TreeSet<>();
        for (String name : PACKAGES) {
            try (Stream<Path> files = Files.list(home.resolve(name))) {
                for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                    if (hasInitialiser(file)) {
                        found.add(name.replace('/', '.') + "." + file.getFileName().toString().replace(".class", ""));
                    }
                }
            }
        }
        for (String name : OTHERS) {
            if (hasInitialiser(home.resolve(name.replace('.', '/') + ".class"))) {
                found.add(name);
            }
        }
        assertEquals(found, new TreeSet<>(DataPathClasses.NAMES));
    }

    private static boolean hasInitialiser(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            ClassNode node = new ClassNode();
            new ClassReader(in).accept(node, ClassReader.SKIP_CODE);
            return node.methods.stream().anyMatch(method -> method.name.equals("<clinit>"));
        }
    }
}
