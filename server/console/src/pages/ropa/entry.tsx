import type { ReactNode } from 'react';
import type { Schemas } from '../../app/data';
import { useSite } from '../../app/site';
import { Badge, Card, FieldList, Link, Time, words } from '../../ui';

type Entry = Schemas['RopaEntry'];

/** As in the files: never "none", which nobody has established. */
const list = (items: readonly string[]): string => (items.length === 0 ? 'not recorded' : items.join('\n'));

/** One processing activity, with references to the letters of GDPR Art. 30(1). */
export function EntryCard({ entry }: { entry: Entry }) {
  const { path } = useSite();
  const items: [string, ReactNode][] = [
    ['Purposes (b)', list(entry.purposes)],
    ['Lawful basis', words(entry.lawful_basis)],
    ['Categories of people (c)', list(entry.subject_categories)],
    ['Categories of data (c)', list(entry.data_categories)],
    ['Recipients (d)', list(entry.recipients)],
    ['Transfers to third countries (e)', entry.transfers],
    ['Erasure (f)', entry.retention],
    ['Security measures (g)', list(entry.security_measures)],
    ['Evidence', evidence(entry, path)],
    ['Last review', entry.last_review === null ? undefined : <Time key="at" at={entry.last_review} />],
  ];
  return (
    <Card
      title={entry.name}
      actions={
        <Badge tone={entry.source === 'owner' ? 'info' : 'neutral'}>
          {entry.source === 'owner' ? 'Your entry' : 'Derived'}
        </Badge>
      }
    >
      <FieldList items={items} />
    </Card>
  );
}

/** The console's page with the evidence for an entry. */
function evidence({ consent_records, breach_register }: Entry, path: (rest: string) => string): ReactNode {
  const form = consent_records === null ? null : new URL(consent_records).searchParams.get('form_id');
  if (form !== null)
    return <Link to={path(`consents/forms?form_id=${encodeURIComponent(form)}`)}>Form consents</Link>;
  if (consent_records !== null) return <Link to={path('consents')}>Consent records</Link>;
  if (breach_register !== null) return <Link to={path('breaches')}>Breach register</Link>;
  return undefined;
}
