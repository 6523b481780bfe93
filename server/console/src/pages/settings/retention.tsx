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
  erasures: (retention_days.erasures ?? 1095) as number | undefined,
});

const NAMES = {
  consents: 'Consent records',
  events: 'Events',
  requests: 'Answered data-subject requests',
  erasures: 'Records of erasures',
};

/** The warning before a retention is shortened, which erases older records for good. */
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
        Older records are erased within the hour, including proofs of consent, and cannot be restored. First
        export what you must keep.
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
        lead="Older records are erased every hour. Counts for reports are kept: they hold no personal data."
        draft={draft}
        fromSite={fromSite}
        doubt={shortened}
        toPatch={({ consents = 0, events = 0, requests = 0, erasures = 0 }) => ({
          settings: { retention_days: { consents, events, requests, erasures } },
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
          description="Days, from 30 to 3650. Webhook receivers can read events that they missed."
          isRequired
        />
        <NumberField
          label="Answered data-subject requests"
          {...draft.bind('requests')}
          description="Days from the answer, from 30 to 3650. Open requests and the register of breaches are kept."
          isRequired
        />
        <NumberField
          label="Records of erasures"
          {...draft.bind('erasures')}
          description="Days, from 30 to 3650. They say what was erased, when and by whom, and hold no personal data of visitors."
          isRequired
        />
      </Section>
      <RetentionPlan />
    </>
  );
}
