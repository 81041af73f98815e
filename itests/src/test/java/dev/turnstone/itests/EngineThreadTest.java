package dev.turnstone.itests;

import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.core.domain.JavaModifier.VOLATILE;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One thread owns the engine's state, so the engine has no locks; and time, randomness and threads are given to it, so
 * that a simulation can be repeated. The mailbox and the wiring at the engine's edge are where the outside comes in.
 */
@AnalyzeClasses(packages = "dev.turnstone.broker", importOptions = ImportOption.DoNotIncludeTests.class)
final class EngineThreadTest {
    private static final String MAILBOX = "dev.turnstone.broker.mailbox..";
    /** The one package that knows real clocks, real randomness and real threads. */
    private static final String WIRING = "dev.turnstone.broker.embedded..";

    @ArchTest
    static final ArchRule noMethodIsSynchronizedButTheMailboxes = noMethods()
            .that()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackages(MAILBOX, WIRING)
            .should()
            .haveModifier(SYNCHRONIZED);

    @ArchTest
    static final ArchRule noFieldIsVolatileButTheMailboxes = noFields()
            .that()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackages(MAILBOX, WIRING)
            .should()
            .haveModifier(VOLATILE);

    @ArchTest
    static final ArchRule onlyTheMailboxUsesAtomicsAndLocks = noClasses()
            .that()
            .resideOutsideOfPackages(MAILBOX, WIRING)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.concurrent.atomic..", "java.util.concurrent.locks..", "java.lang.invoke");

    @ArchTest
    static final ArchRule timeAndRandomnessAreInjected = noClasses()
            .that()
            .resideOutsideOfPackage(WIRING)
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Random.class, ThreadLocalRandom.class, SecureRandom.class, Thread.class);
}
