import type { ReactNode } from 'react';
import type { Schemas } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Badge, Card, count, FieldList, Link, Time } from '../../ui';
import { ExportPack, type Subject } from './export-pack';

type Evidence = Schemas['RecordEvidence'] | Schemas['StepsEvidence'];

/** Whether it still waits to be sealed, so that it is worth being read again. */
export const isWaiting = ({ evidence }: { evidence: Evidence }): boolean => evidence.status === 'waiting';

/** Whether a record is sealed, in which checkpoint, and who vouches for it; hands out the proof. */
export function Sealed({
  evidence,
  subject,
  children,
}: {
  evidence: Evidence;
  subject: Subject;
  /** More buttons. */
  children?: ReactNode;
}) {
  const { path } = useSite();
  const { leaf, size, sealed_at, imported_on } = evidence;
  return (
    <Card title="Evidence" actions={<Link to={path('evidence')}>The evidence log</Link>}>
      <FieldList
        items={[
          ['State', <State key="state" evidence={evidence} />],
          ['Place in the log', leaf === null ? null : `${count(leaf)}, counted from 0`],
          [
            'Checkpoint',
            sealed_at && size && (
              <>
                {count(size)} records, signed <Time at={sealed_at} />
              </>
            ),
          ],
          ['Vouched for by', size && <Vouchers evidence={evidence} />],
          [
            'Recorded before the log',
            imported_on && (
              <>
                Sealed afterwards, on <Time at={imported_on} />: the proof reaches back to that day
              </>
            ),
          ],
        ]}
      />
      <div className="row">
        <Allowed
          to="operator"
          otherwise={<span className="hint">Only operators and owners can export the evidence pack.</span>}
        >
          <ExportPack subject={subject} />
          {children}
        </Allowed>
      </div>
    </Card>
  );
}

function State({ evidence }: { evidence: Evidence }) {
  if (evidence.status === 'sealed')
    return (
      <>
        <Badge tone="good">Sealed</Badge>{' '}
        {'steps' in evidence && evidence.steps > 1
          ? `${evidence.steps} steps: changing one would be found out`
          : 'Changing it would be found out'}
      </>
    );
  if (evidence.status === 'unproven')
    return (
      <>
        <Badge tone="bad">Not proven</Badge> It is not what was sealed, or nothing sealed it: ask the operator
        to run <code>npm run doctor -- --ledger</code>
      </>
    );
  return (
    <>
      <Badge>Not sealed yet</Badge>{' '}
      {'steps' in evidence && evidence.steps > 1
        ? `${evidence.waiting} of ${evidence.steps} steps wait, usually for less than a minute`
        : 'It waits, usually for less than a minute'}
    </>
  );
}

function Vouchers({ evidence: { witnesses, timestamped_at } }: { evidence: Evidence }) {
  if (witnesses.length === 0 && timestamped_at === null) return 'Nobody but this server yet';
  return (
    <>
      {witnesses.length > 0 && (
        <span className="block">
          {witnesses.length === 1 ? 'Witness' : 'Witnesses'}: {witnesses.join(', ')}
        </span>
      )}
      {timestamped_at !== null && (
        <span className="block">
          Time-stamped <Time at={timestamped_at} />
        </span>
      )}
    </>
  );
}
