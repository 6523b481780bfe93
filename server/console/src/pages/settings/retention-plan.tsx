import { useState } from 'react';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, Card, ConfirmDialog, count, date, dateTime, QueryState } from '../../ui';

type Plan = Schemas['RetentionPlan'];

const NAMES: Record<Schemas['RetainedKind'], string> = {
  consents: 'consent records',
  form_consents: 'form consents',
  events: 'events',
  requests: 'answered data-subject requests',
  erasures: 'records of erasures',
};

/** The contract's highest count, which stands for any higher number. */
const ANY_NUMBER = 2_000_000;
/** Some room for records that become too old before the run. */
const withSome = (records: number): number => Math.min(ANY_NUMBER, Math.ceil(records * 1.05) + 20);

/** What the next retention run deletes, and the permission that a large deletion needs. */
export function RetentionPlan() {
  const { token } = useSite();
  const plan = useAnswer(keys.site(token, 'retention'), (api) => api.getRetentionPlan({ token }));
  return (
    <Card title="The next run">
      <QueryState query={plan}>{(data) => <Deletions plan={data} />}</QueryState>
    </Card>
  );
}

function Deletions({ plan }: { plan: Plan }) {
  const site = useSite();
  const zone = site.settings.time_zone;
  const planned = plan.deletions.filter(({ records }) => records > 0);
  if (planned.length === 0) return <p className="muted">No record is too old: it deletes nothing.</p>;
  return (
    <div className="stack">
      <ul>
        {planned.map(({ kind, records, before }) => (
          <li key={kind}>
            {count(records)} {NAMES[kind]} from before {date(before, zone)}
          </li>
        ))}
      </ul>
      {plan.allowed !== null && (
        <Alert tone="good">
          An owner allows it to delete up to {count(plan.allowed.records)} records, until{' '}
          {dateTime(plan.allowed.until, zone)}.
        </Alert>
      )}
      {plan.held && <Held plan={plan} />}
    </div>
  );
}

/** Explains why nothing is deleted, and lets an owner allow it. */
function Held({ plan }: { plan: Plan }) {
  const { token, may } = useSite();
  const [asking, setAsking] = useState(false);
  const allow = useAction((api) => api.allowRetention({ token, body: { records: withSome(plan.records) } }), {
    success: 'Allowed: the next run deletes them, within an hour.',
    changes: [keys.site(token, 'retention'), keys.site(token, 'warnings'), keys.site(token), keys.sites],
    onDone: () => setAsking(false),
  });
  return (
    <Alert tone="warn" title="Nothing is deleted until an owner allows it.">
      <div className="stack">
        <p>
          That is more than a quarter of all records of their kind. After the retention was shortened this is
          right; otherwise a clock may be wrong, and your evidence would be lost.
        </p>
        {may('owner') && (
          <div>
            <Button variant="danger" onPress={() => setAsking(true)}>
              Allow the deletion
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        isOpen={asking}
        title={`Delete ${count(plan.records)} records?`}
        confirm="Allow the deletion"
        action={allow}
        onConfirm={() => allow.run(undefined)}
        onCancel={() => setAsking(false)}
      >
        <p>The next run deletes them for good, within an hour. Consent records are your evidence.</p>
      </ConfirmDialog>
    </Alert>
  );
}
