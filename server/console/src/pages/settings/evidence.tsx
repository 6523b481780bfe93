import type { Site } from '../../app/data';
import { useSite } from '../../app/site';
import { Switch, useDraft } from '../../ui';
import { Section } from './section';

const fromSite = ({ settings }: Site) => ({
  publish_evidence_log: settings.publish_evidence_log !== false,
});

/** Whether anybody may read the evidence log. */
export function EvidenceSection() {
  const draft = useDraft(fromSite(useSite()), 'settings.');
  return (
    <Section
      title="Evidence log"
      lead="Records are sealed in a log of hashes, which says nothing of a person. Published, anybody can keep a copy, so that nobody can rewrite it unseen."
      draft={draft}
      fromSite={fromSite}
      toPatch={(settings) => ({ settings })}
    >
      <Switch
        {...draft.bind('publish_evidence_log')}
        label="Publish the evidence log"
        hint="It shows how many records there are and when they were made. Switched off, only members of the site can read it; packs and receipts prove the same."
      />
    </Section>
  );
}
