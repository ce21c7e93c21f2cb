package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.spi.journal.CmJournal;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** Every class of the data path that has a static initialiser is initialised when a device opens. */
final class DataPathClassesTest {
    private static final List<String> PACKAGES = List.of("congestion", "journal", "memory", "protocol", "queue",
            "transport", "transport/connection", "transport/local", "transport/rc", "transport/uc", "transport/ud",
            "wire");

    /** The tag of a reference to a class in the constant pool of a class file (JVM specification, 4.4.1). */
    private static final int CONSTANT_CLASS = 7;

    /** Classes of other packages, which threads that poll, wait or receive would initialise. */
    private static final Set<String> OTHERS = Set.of("device.EventQueue$1", "fabric.udp.IpIdPolicy$SenderKind",
            "fabric.udp.ReceiveEngine$Burst", "fabric.udp.ReceiveThread$1", "fabric.udp.ReceiveThread$Mode",
            "fabric.udp.RegistrationState");

    @Test
    void everyClassOfTheDataPathThatHasAStaticInitialiserIsListed() throws Exception {
        Path home = home();
        Set<String> found = new TreeSet<>();
        for (Path file : classFiles(home)) {
            if (hasInitialiser(file)) {
                found.add(home.relativize(file).toString().replace('/', '.').replace(".class", ""));
            }
        }
        for (String name : OTHERS) {
            if (hasInitialiser(home.resolve(name.replace('.', '/') + ".class"))) {
                found.add(name);
            }
        }
        assertEquals(found, new TreeSet<>(DataPathClasses.NAMES));
    }

    @Test
    void everyClassThatRecordsEventsOfTheDataPathAndHasAStaticInitialiserIsListed() throws Exception {
        Set<String> used = new TreeSet<>();
        for (Path file : classFiles(home())) {
            used.addAll(recordingClasses(file));
        }
        Set<String> found = new TreeSet<>();
        for (String name : used) {
            if (hasInitialiser(CmJournal.class.getResourceAsStream("/" + name + ".class"))) {
                found.add(name.replace('/', '.'));
            }
        }
        assertEquals(found, DataPathClasses.OF_RECORDING.stream().map(Class::getName)
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static Path home() throws URISyntaxException {
        return Path.of(SoftContext.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .resolve("io/jverbs/soft");
    }

    /** The class files of the packages of the data path. */
    private static List<Path> classFiles(Path home) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String name : PACKAGES) {
            try (Stream<Path> files = Files.list(home.resolve(name))) {
                files.filter(path -> path.toString().endsWith(".class")).forEach(found::add);
            }
        }
        return found;
    }

    /** The classes of the package io.jverbs.spi.journal to which a class file refers. */
    private static Set<String> recordingClasses(Path file) throws IOException {
        ClassReader reader = new ClassReader(Files.readAllBytes(file));
        char[] buffer = new char[reader.getMaxStringLength()];
        Set<String> names = new TreeSet<>();
        for (int i = 1; i < reader.getItemCount(); i++) {
            int item = reader.getItem(i);
            if (item > 0 && reader.readByte(item - 1) == CONSTANT_CLASS) {
                String name = reader.readUTF8(item, buffer);
                if (name.startsWith("io/jverbs/spi/journal/")) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private static boolean hasInitialiser(Path file) throws IOException {
        return hasInitialiser(Files.newInputStream(file));
    }

    private static boolean hasInitialiser(InputStream classFile) throws IOException {
        try (classFile) {
            ClassNode node = new ClassNode();
            new ClassReader(classFile).accept(node, ClassReader.SKIP_CODE);
            return node.methods.stream().anyMatch(method -> method.name.equals("<clinit>"));
        }
    }
}
