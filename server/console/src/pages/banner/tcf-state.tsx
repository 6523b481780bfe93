import type { Schemas } from '../../app/data';
import { Alert, Card, FieldList, Table, Time } from '../../ui';

type State = Schemas['TcfState'];

/** What the operator has to do first. */
export function Missing({ state: { cmp, list, problem } }: { state: State }) {
  return (
    <>
      {cmp === null && (
        <Alert tone="warn">
          This server is no CMP of the framework: whoever runs it must register it with IAB Europe, and set
          TCF_CMP_ID to the number that it gets.
        </Alert>
      )}
      {cmp !== null && list === null && (
        <Alert tone="warn">
          The Global Vendor List is not here yet{problem && `: ${problem}`}. The server looks for it every
          hour.
        </Alert>
      )}
      {list !== null && problem !== null && (
        <Alert tone="warn">A newer vendor list could not be read: {problem}. This one stays in use.</Alert>
      )}
    </>
  );
}

/** Vendors of the list that are shown. */
const SHOWN = 200;

export function List({ state: { cmp, list, checked_at, vendors } }: { state: State }) {
  if (list === null) return null;
  const more = vendors.length - SHOWN;
  return (
    <Card title="Global Vendor List">
      <FieldList
        items={[
          ['CMP', cmp && `${cmp.id}, version ${cmp.version}`],
          ['Version', `${list.vendor_list_version}, policies ${list.policy_version}`],
          ['Made by IAB Europe', <Time key="made" at={list.updated_at} />],
          ['Stored here', <Time key="stored" at={list.stored_at} />],
          ['Last looked for a newer one', checked_at && <Time key="checked" at={checked_at} />],
          ['Texts', ['en', ...list.languages].join(', ')],
        ]}
      />
      <Table
        label="Vendors of the list"
        rows={vendors.slice(0, SHOWN)}
        rowKey={({ id }) => `${id}`}
        columns={[
          { title: 'Number', cell: ({ id }) => id },
          { title: 'Vendor', cell: ({ name }) => name },
          { title: 'By consent', cell: ({ purposes }) => purposes.join(', ') || '–' },
          { title: 'By legitimate interest', cell: ({ leg_int_purposes: ids }) => ids.join(', ') || '–' },
        ]}
      />
      {more > 0 && <p className="muted">And {more} more.</p>}
    </Card>
  );
}
