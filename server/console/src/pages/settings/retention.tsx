import type { Site } from '../../app/data';
import { useSite } from '../../app/site';
import { NumberField, useDraft } from '../../ui';
import { Section } from './section';

const fromSite = ({ settings: { retention_days } }: Site) => ({
  consents: retention_days.consents as number | undefined,
  events: retention_days.events as number | undefined,
  requests: (retention_days.requests ?? 1095) as number | undefined,
});

/** How long records are kept before they are erased. */
export function RetentionSection() {
  const draft = useDraft(fromSite(useSite()), 'settings.retention_days.');
  return (
    <Section
      title="Retention"
      lead="What is older is erased every day. Counts for reports stay: they hold nothing of a person."
      draft={draft}
      fromSite={fromSite}
      toPatch={({ consents, events, requests }) => ({
        settings: {
          retention_days: { consents: consents ?? 0, events: events ?? 0, requests: requests ?? 0 },
        },
      })}
    >
      <NumberField
        label="Consent records"
        {...draft.bind('consents')}
        description="Days, from 30 to 3650. You must be able to prove a consent for as long as a claim can be made (GDPR Art. 7(1))."
        isRequired
      />
      <NumberField
        label="Events"
        {...draft.bind('events')}
        description="Days, from 30 to 3650. Webhook receivers can read again what they missed."
        isRequired
      />
      <NumberField
        label="Answered data-subject requests"
        {...draft.bind('requests')}
        description="Days from the answer, from 30 to 3650. Open requests and the register of breaches are kept."
        isRequired
      />
    </Section>
  );
}
