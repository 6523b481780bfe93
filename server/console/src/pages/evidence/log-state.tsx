import type { Output } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Badge, Card, CodeBlock, count, FieldList, Link, Time } from '../../ui';

export type Log = Output<'getEvidenceLog'>;

/** How far the log is, and what signs it. */
export const LogState = ({ log }: { log: Log }) => (
  <Card title="The log">
    <FieldList
      items={[
        ['Name', log.origin && <code>{log.origin}</code>],
        ['Sealed records', log.size === null ? 'None yet' : count(log.size)],
        ['Last sealed', log.sealed_at && <Time at={log.sealed_at} />],
        ['Waiting', <Waiting key="waiting" behind={log.behind} />],
        ['Published', <Published key="published" log={log} />],
        [
          'Records from before the log',
          log.imported_on && (
            <>
              Sealed afterwards, on <Time at={log.imported_on} />: their proof reaches back to that day
            </>
          ),
        ],
        ['Root', log.root && <code>{log.root}</code>],
      ]}
    />
    {log.checkpoint !== null && <CodeBlock label="Checkpoint" code={log.checkpoint} />}
  </Card>
);

const Waiting = ({ behind }: { behind: boolean }) =>
  behind ? (
    <>
      <Badge>Some records</Badge> They are sealed within seconds, at most a minute. If this stays, ask whoever
      runs the server to look at its log.
    </>
  ) : (
    <>
      <Badge tone="good">Nothing</Badge> The newest record is sealed
    </>
  );

function Published({ log: { published, url } }: { log: Log }) {
  const { path } = useSite();
  return (
    <>
      <Badge tone={published ? 'good' : 'neutral'}>{published ? 'Yes' : 'No'}</Badge>{' '}
      {published ? 'Anybody can read it and keep a copy' : 'Only members of the site can read it'}
      {'. '}
      <Link to={path('settings/evidence')}>
        <Allowed to="owner" otherwise="See the setting">
          Change this
        </Allowed>
      </Link>
      {url !== null && <code className="block">{url}</code>}
    </>
  );
}
