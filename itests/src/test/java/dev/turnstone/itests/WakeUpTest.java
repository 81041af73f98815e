package dev.turnstone.itests;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.HashSet;
import java.util.Set;

/**
 * A thread that parks looks once more before it does, and takes no lock while it looks: a lock parks by the same
 * permit, so it can take the wake-up that came since. What is to be seen then must be volatile.
 */
@AnalyzeClasses(packages = "dev.turnstone", importOptions = ImportOption.DoNotIncludeTests.class)
final class WakeUpTest {
    @ArchTest
    static final ArchRule theJournalsThreadTakesNoLockBeforeItParks = methods()
            .that()
            .areDeclaredIn("dev.turnstone.journal.artemis.JournalThread")
            .and()
            .haveName("await")
            .should(takeNoLock());

    @ArchTest
    static final ArchRule nobodyTakesALockToSeeWhetherTheEngineSleeps = methods()
            .that()
            .areDeclaredIn("dev.turnstone.broker.mailbox.Mailbox")
            .and()
            .haveNameMatching("asleep|rouse")
            .should(takeNoLock());

    private static ArchCondition<JavaMethod> takeNoLock() {
        return new ArchCondition<>("take no lock, nor call what does") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                look(method, new HashSet<>(), events);
            }
        };
    }

    private static void look(JavaMethod method, Set<JavaMethod> seen, ConditionEvents events) {
        if (!seen.add(method)) {
            return;
        }
        for (JavaCall<?> call : method.getCallsFromSelf()) {
            if (call.getTargetOwner().isAssignableTo("java.util.concurrent.locks.Lock")) {
                events.add(SimpleConditionEvent.violated(method, call.getDescription()));
            }
            call.getTarget()
                    .resolveMember()
                    .filter(JavaMethod.class::isInstance)
                    .map(JavaMethod.class::cast)
                    .ifPresent(called -> look(called, seen, events));
        }
    }
}
