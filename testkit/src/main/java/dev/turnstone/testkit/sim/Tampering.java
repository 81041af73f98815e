package dev.turnstone.testkit.sim;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import dev.turnstone.port.Session;

/** A fault put between the engine and what is around it, to prove that the simulation notices. */
public interface Tampering {
    /** No fault. */
    Tampering NONE = new Tampering() {};

    /** The journal that the engine gets in place of this one. */
    default Journal journal(Journal journal, JournalListener listener) {
        return journal;
    }

    /** Who hears of the page store in place of this one. */
    default PageListener pageListener(PageListener listener) {
        return listener;
    }

    /** The page store that the engine gets in place of this one. */
    default PageStore pages(PageStore pages, PageListener listener) {
        return pages;
    }

    /** The settings of addresses that the engine gets in place of these. */
    default AddressRules addresses(AddressRules rules) {
        return rules;
    }

    /** The bindings that the engine gets in place of these. */
    default Bindings bindings(Bindings bindings) {
        return bindings;
    }

    /** The session that the simulation gets in place of this one. */
    default Session session(Session session) {
        return session;
    }
}
