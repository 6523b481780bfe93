import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Card, Form, PageHeader, QueryState, Table, TextField, useDraft } from '../../ui';
import { Rows } from '../settings/rows';

type Systems = Schemas['SiteSystems'];
type System = Systems['systems'][number];

/** The systems in which the site keeps data of people. */
export default function SystemsPage() {
  const { token, path } = useSite();
  const systems = useAnswer(keys.site(token, 'systems'), (api, signal) =>
    api.getSiteSystems({ token }, { signal }),
  );
  return (
    <>
      <PageHeader title="Systems" back={[path('dsar'), 'Requests']}>
        Where you keep data of people, such as a shop, a mailing tool or an archive. The list of systems to
        search for a request is made of these, and of the activities and recipients in your processing
        records.
      </PageHeader>
      <QueryState query={systems}>
        {(found) => (
          <Allowed to="owner" otherwise={<Shown systems={found.systems} />}>
            <Change key={found.version} found={found} />
          </Allowed>
        )}
      </QueryState>
    </>
  );
}

function Shown({ systems }: { systems: readonly System[] }) {
  return (
    <Card title="Systems of this site">
      {systems.length === 0 ? (
        <p>No systems yet. Owners can list them.</p>
      ) : (
        <Table
          label="Systems"
          columns={[
            { title: 'Name', cell: ({ name }) => name },
            { title: 'Where it is, and whom to ask', cell: ({ description }) => description ?? '–' },
          ]}
          rows={systems}
          rowKey={({ name }) => name}
        />
      )}
    </Card>
  );
}

function Change({ found }: { found: Systems }) {
  const { token } = useSite();
  const draft = useDraft({
    systems: found.systems.map(({ name, description }) => ({ name, description: description ?? '' })),
  });
  const save = useAction(
    (api, systems: System[]) =>
      api.setSiteSystems({ token, body: { systems, expected_version: found.version } }),
    { success: 'Systems saved', changes: [keys.site(token, 'systems'), keys.site(token, 'dsar')] },
  );
  return (
    <Form
      action={save}
      submit="Save"
      dirty={draft.dirty}
      onSubmit={() =>
        save.run(
          draft.value.systems.map(({ name, description }) => ({ name, ...(description && { description }) })),
        )
      }
    >
      <Rows
        rows={draft.value.systems}
        onChange={(systems) => draft.set({ systems })}
        titleOf={({ name }, index) => name || `system ${index + 1}`}
        add="Add a system"
        make={() => ({ name: '', description: '' })}
      >
        {(row, index, change) => (
          <div className="two">
            <TextField
              label="Name"
              name={`systems.${index}.name`}
              value={row.name}
              onChange={(name) => change({ name })}
              maxLength={300}
              isRequired
            />
            <TextField
              label="Where it is, and whom to ask"
              name={`systems.${index}.description`}
              value={row.description}
              onChange={(description) => change({ description })}
              maxLength={500}
            />
          </div>
        )}
      </Rows>
    </Form>
  );
}
