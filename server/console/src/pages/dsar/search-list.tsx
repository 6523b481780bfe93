import { useState } from 'react';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import {
  Badge,
  Button,
  Card,
  type Column,
  Dialog,
  Failed,
  Form,
  Link,
  QueryState,
  RadioGroup,
  Table,
  TextArea,
  TextField,
  Time,
  type Tone,
  useDraft,
} from '../../ui';

type Dsar = Schemas['Dsar'];
type List = Schemas['SearchList'];
type Line = List['lines'][number];
type State = Line['state'];

/** Which systems were searched for a request. */
export default function SearchList({ dsar }: { dsar: Dsar }) {
  const { token } = useSite();
  const { request_id } = dsar;
  const list = useAnswer(keys.site(token, 'dsar', request_id, 'systems'), (api, signal) =>
    api.getSearchList({ token, request_id }, { signal }),
  );
  return (
    <Card title="Systems searched">
      <QueryState query={list}>{(found) => <Shown dsar={dsar} list={found} />}</QueryState>
    </Card>
  );
}

function Shown({ dsar, list: { lines, searched, total, not_listed } }: { dsar: Dsar; list: List }) {
  const { may, path } = useSite();
  const [edited, edit] = useState<Line>();
  const mayChange = may('operator') && dsar.status !== 'resolved';
  return (
    <>
      {total === 0 ? (
        <p>
          No list yet. It is made of your <Link to={path('dsar/systems')}>systems</Link>, and of the
          activities and recipients in your processing records.
        </p>
      ) : (
        <>
          <p>
            <strong>
              {searched} of {total} searched
            </strong>
          </p>
          <Table
            label="Systems searched"
            columns={columns(mayChange ? edit : undefined)}
            rows={lines}
            rowKey={({ line_id }) => line_id}
          />
        </>
      )}
      {mayChange && <Fill dsar={dsar} isNew={total === 0} notListed={not_listed} />}
      <Dialog isOpen={edited !== undefined} title={edited?.name ?? ''} onClose={() => edit(undefined)}>
        {edited && <Edit dsar={dsar} line={edited} close={() => edit(undefined)} />}
      </Dialog>
    </>
  );
}

const STATES: Record<State, readonly [Tone | 'neutral', string, string]> = {
  open: ['warn', 'Not yet', 'Nobody has looked yet.'],
  data_found: ['info', 'Data found', 'There are data of the person.'],
  nothing_found: ['good', 'Nothing found', 'There are no data of the person.'],
  searched: ['good', 'Searched', 'It was searched; what was found is said elsewhere.'],
  not_applicable: ['neutral', 'Not applicable', 'It cannot have data that the request is about.'],
};

const ORIGINS: Record<Line['origin'], string> = {
  system: 'your system',
  activity: 'processing activity',
  recipient: 'recipient',
  added: 'added for this request',
};

const columns = (edit: ((line: Line) => void) | undefined): Column<Line>[] => [
  {
    title: 'System',
    cell: ({ name, origin }) => (
      <>
        {name} <span className="hint block">{ORIGINS[origin]}</span>
      </>
    ),
  },
  {
    title: 'Result',
    cell: ({ state, note }) => (
      <>
        <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>
        {note !== null && <span className="hint block">{note}</span>}
      </>
    ),
  },
  {
    title: 'By',
    cell: ({ by, at }) =>
      at === null ? (
        '–'
      ) : (
        <>
          {by} <Time at={at} />
        </>
      ),
  },
  ...(edit === undefined
    ? []
    : [
        {
          title: 'Actions',
          cell: (line: Line) => (
            <Button small onPress={() => edit(line)} aria-label={`Say what was found: ${line.name}`}>
              Say what was found
            </Button>
          ),
        },
      ]),
];

const changesOf = (token: string, request_id: string) => [keys.site(token, 'dsar', request_id)];

function Fill({ dsar: { request_id }, isNew, notListed }: { dsar: Dsar; isNew: boolean; notListed: number }) {
  const { token } = useSite();
  const [isOpen, open] = useState(false);
  const fill = useAction((api) => api.fillSearchList({ token, request_id, body: {} }), {
    changes: changesOf(token, request_id),
  });
  return (
    <>
      <div className="row">
        {notListed > 0 && (
          <Button isPending={fill.pending} onPress={() => fill.run(undefined)}>
            {isNew ? 'Make the list' : `Add ${notListed} from your records`}
          </Button>
        )}
        <Button onPress={() => open(true)}>Add a system</Button>
      </div>
      <Failed error={fill.error} />
      <Dialog isOpen={isOpen} title="Add a system to this request" onClose={() => open(false)}>
        <AddOne request_id={request_id} close={() => open(false)} />
      </Dialog>
    </>
  );
}

function AddOne({ request_id, close }: { request_id: string; close: () => void }) {
  const { token } = useSite();
  const draft = useDraft({ name: '' });
  const add = useAction(
    (api, name: string) => api.fillSearchList({ token, request_id, body: { names: [name] } }),
    { success: 'The system is on the list.', changes: changesOf(token, request_id), onDone: close },
  );
  return (
    <Form
      action={add}
      submit="Add"
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => add.run(draft.value.name)}
    >
      <TextField label="Name" {...draft.bind('name')} maxLength={300} isRequired autoFocus />
    </Form>
  );
}

function Edit({ dsar: { request_id }, line, close }: { dsar: Dsar; line: Line; close: () => void }) {
  const { token } = useSite();
  const { line_id, version } = line;
  const draft = useDraft({ state: line.state, note: line.note ?? '' });
  const save = useAction(
    (api, { state, note }: { state: State; note: string }) =>
      api.updateSearchLine({
        ...{ token, request_id, line_id },
        body: { state, note: note.trim() === '' ? null : note, expected_version: version },
      }),
    { success: 'Saved', changes: changesOf(token, request_id), onDone: close },
  );
  return (
    <Form
      action={save}
      submit="Save"
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => save.run(draft.value)}
    >
      <RadioGroup
        label="Result"
        {...draft.bind('state')}
        options={(Object.keys(STATES) as State[]).map((state) => [state, STATES[state][1], STATES[state][2]])}
      />
      <TextArea
        label="Note"
        {...draft.bind('note')}
        description="How it was searched, or what was found. It is erased with the request."
        maxLength={500}
        rows={3}
      />
    </Form>
  );
}
