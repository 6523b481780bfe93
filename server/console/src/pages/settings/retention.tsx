import type { ReactNode } from 'react';
import type { Site } from '../../app/data';
import { useSite } from '../../app/site';
import { NumberField, useDraft } from '../../ui';
import { RetentionPlan } from './retention-plan';
import { Section } from './section';

const fromSite = ({ settings: { retention_days } }: Site) => ({
  consents: retention_days.consents as number | undefined,
  events: retention_days.events as number | undefined,
  requests: (retention_days.requests ?? 1095) as number | undefined,
});

const NAMES = { consents: 'Consent records', events: 'Events', requests: 'Answered data-subject requests' };

/** Shorter times erase what is older, which nobody can bring back. */
function shortened(draft: Days, saved: Days): ReactNode {
  const shorter = (Object.keys(NAMES) as (keyof Days)[]).filter(
    (kind) => (draft[kind] ?? 0) < (saved[kind] ?? 0),
  );
  if (shorter.length === 0) return undefined;
  return (
    <>
      <ul>
        {shorter.map((kind) => (
          <li key={kind}>
            {NAMES[kind]}: {saved[kind]} → <strong>{draft[kind] ?? 0} days</strong>
          </li>
        ))}
      </ul>
      <p>
        What is older will be erased within the hour, proofs of consent included, and cannot be brought back.
        Export first what must be kept.
      </p>
    </>
  );
}

type Days = ReturnType<typeof fromSite>;

/** How long records are kept before they are erased. */
export function RetentionSection() {
  const draft = useDraft(fromSite(useSite()), 'settings.retention_days.');
  return (
    <>
      <Section
        title="Retention"
        lead="What is older is erased every hour. Counts for reports stay: they hold nothing of a person."
        draft={draft}
        fromSite={fromSite}
        doubt={shortened}
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
      <RetentionPlan />
    </>
  );
}
