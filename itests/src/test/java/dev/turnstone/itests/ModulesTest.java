package dev.turnstone.itests;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.net.URI;

/** The module table of docs/architecture.md: what each module may use. */
@AnalyzeClasses(packages = "dev.turnstone", importOptions = ImportOption.DoNotIncludeTests.class)
final class ModulesTest {
    private static final String PORT = "dev.turnstone.port..";
    private static final String SPI = "dev.turnstone.spi..";
    private static final String NULLNESS = "org.jspecify.annotations..";
    private static final String LOG = "org.slf4j..";
    private static final String JDK = "java..";

    private static final DescribedPredicate<JavaClass> JAVA_NET_BUT_URI =
            resideInAnyPackage("java.net..").and(DescribedPredicate.not(JavaClass.Predicates.type(URI.class)));

    @ArchTest
    static final ArchRule thePortUsesTheJdkAlone = classes()
            .that()
            .resideInAnyPackage(PORT, SPI)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(PORT, SPI, JDK, NULLNESS);

    @ArchTest
    static final ArchRule theJournalSpiUsesTheJdkAlone = classes()
            .that()
            .resideInAPackage("dev.turnstone.journal")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.turnstone.journal", "dev.turnstone.journal.page", JDK, NULLNESS);

    @ArchTest
    static final ArchRule theJournalKnowsItsLibraryAlone = classes()
            .that()
            .resideInAnyPackage("dev.turnstone.journal.artemis..", "dev.turnstone.journal.page..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.turnstone.journal..",
                    "org.apache.activemq.artemis..",
                    "io.netty.buffer..",
                    JDK,
                    NULLNESS,
                    LOG);

    @ArchTest
    static final ArchRule theEngineKnowsNoProtocolAndNoApi = classes()
            .that()
            .resideInAPackage("dev.turnstone.broker..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.turnstone.broker..",
                    PORT,
                    SPI,
                    "dev.turnstone.journal",
                    "dev.turnstone.journal.page",
                    "org.apache.activemq.artemis.selector..",
                    // The one type in which the selector library names identifiers.
                    "org.apache.activemq.artemis.api.core",
                    "org.jctools..",
                    JDK,
                    NULLNESS,
                    LOG);

    @ArchTest
    static final ArchRule theEngineDoesNoNetworking = noClasses()
            .that()
            .resideInAPackage("dev.turnstone.broker..")
            .should()
            .dependOnClassesThat(JAVA_NET_BUT_URI);

    @ArchTest
    static final ArchRule listenersKnowThePortAlone = classes()
            .that()
            .resideInAPackage("dev.turnstone.transport.vertx..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.turnstone.transport.vertx..",
                    PORT,
                    SPI,
                    "io.vertx..",
                    "io.netty..",
                    JDK,
                    "javax.net.ssl..",
                    "javax.security.auth.x500",
                    NULLNESS,
                    LOG);

    @ArchTest
    static final ArchRule stompKnowsListenersAndThePortAlone = classes()
            .that()
            .resideInAPackage("dev.turnstone.transport.stomp..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.turnstone.transport.stomp..",
                    "dev.turnstone.transport.vertx..",
                    PORT,
                    SPI,
                    "io.vertx..",
                    JDK,
                    NULLNESS,
                    LOG);

    @ArchTest
    static final ArchRule mqttKnowsListenersAndThePortAlone = classes()
            .that()
            .resideInAPackage("dev.turnstone.transport.mqtt..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.turnstone.transport.mqtt..", "dev.turnstone.transport.vertx..", PORT, SPI, JDK, NULLNESS, LOG);

    @ArchTest
    static final ArchRule openWireKnowsListenersItsLibraryAndThePortAlone = classes()
            .that()
            .resideInAPackage("dev.turnstone.transport.openwire..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.turnstone.transport.openwire..",
                    "dev.turnstone.transport.vertx..",
                    PORT,
                    SPI,
                    "org.apache.activemq..",
                    "org.fusesource.hawtbuf",
                    // The exceptions that the library makes its clients throw.
                    "jakarta.jms",
                    JDK,
                    "javax.transaction.xa",
                    NULLNESS,
                    LOG);

    @ArchTest
    static final ArchRule codecsArePure = classes()
            .that()
            .resideInAPackage("dev.turnstone.transport.*.codec..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.turnstone.transport.*.codec..", "org.apache.activemq..", JDK, NULLNESS);

    @ArchTest
    static final ArchRule theJmsObjectsKnowThePortAlone = classes()
            .that()
            .resideInAPackage("dev.turnstone.jms..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.turnstone.jms..",
                    PORT,
                    SPI,
                    "jakarta.jms..",
                    "javax.naming..",
                    "javax.transaction.xa",
                    JDK,
                    NULLNESS,
                    LOG);

    @ArchTest
    static final ArchRule transactionsKnowTheJmsObjectsAndTheirManagerAlone = classes()
            .that()
            .resideInAPackage("dev.turnstone.xa..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.turnstone.xa..",
                    "dev.turnstone.jms",
                    "jakarta.jms..",
                    "jakarta.transaction..",
                    "com.arjuna.ats..",
                    "com.arjuna.common..",
                    "org.jboss.tm..",
                    "javax.transaction.xa",
                    "javax.sql",
                    JDK,
                    NULLNESS,
                    LOG);

    @ArchTest
    static final ArchRule nothingButTheServerKnowsTheServer = noClasses()
            .that()
            .resideOutsideOfPackages("dev.turnstone.server..", "dev.turnstone.itests..", "dev.turnstone.benchmarks..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.turnstone.server..");
}
