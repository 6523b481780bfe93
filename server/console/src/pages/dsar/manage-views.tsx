import { useState } from 'react';
import { useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, type Column, Failed, Form, Table, TextField, useDraft } from '../../ui';
import { saveList, type Views, viewsKey } from './saved-views';

/** A view and its place. */
interface Row {
  name: string;
  isShared: boolean;
  index: number;
}

/** Renames and deletes saved views: one's own, and as an owner those of all members. */
export function ManageViews({ views, close }: { views: Views; close: () => void }) {
  const { token, may } = useSite();
  const [renamed, rename] = useState<Row>();
  const remove = useAction(
    (api, { isShared, index }: Row) => {
      const list = isShared ? views.shared : views.own;
      return saveList(api, token, isShared, list, list.views.toSpliced(index, 1));
    },
    { success: 'The view is deleted.', changes: [viewsKey(token)] },
  );
  const rowsOf = (isShared: boolean): Row[] =>
    (isShared ? views.shared : views.own).views.map(({ name }, index) => ({ name, isShared, index }));
  const rows = [...rowsOf(false), ...rowsOf(true)];
  if (renamed !== undefined)
    return <RenameView views={views} row={renamed} close={() => rename(undefined)} />;
  const columns: Column<Row>[] = [
    { title: 'View', cell: ({ name }) => name },
    { title: 'Whose', cell: ({ isShared }) => (isShared ? 'All members' : 'Yours') },
    {
      title: 'Actions',
      cell: (row) =>
        (!row.isShared || may('owner')) && (
          <span className="row">
            <Button small onPress={() => rename(row)} aria-label={`Rename ${row.name}`}>
              Rename
            </Button>
            <Button
              small
              isDisabled={remove.pending}
              onPress={() => remove.run(row)}
              aria-label={`Delete ${row.name}`}
            >
              Delete
            </Button>
          </span>
        ),
    },
  ];
  return (
    <div className="stack">
      {rows.length === 0 ? (
        <p>No saved views yet. Set the filters of the list, then choose “Save this view”.</p>
      ) : (
        <Table
          label="Saved views"
          columns={columns}
          rows={rows}
          rowKey={({ isShared, index }) => `${isShared} ${index}`}
        />
      )}
      <Failed error={remove.error} />
      <div className="row end">
        <Button onPress={close}>Close</Button>
      </div>
    </div>
  );
}

function RenameView({ views, row, close }: { views: Views; row: Row; close: () => void }) {
  const { token } = useSite();
  const draft = useDraft({ name: row.name });
  const list = row.isShared ? views.shared : views.own;
  const save = useAction(
    (api, name: string) =>
      saveList(
        api,
        token,
        row.isShared,
        list,
        list.views.map((view, index) => (index === row.index ? { ...view, name } : view)),
      ),
    { success: 'The view is renamed.', changes: [viewsKey(token)], onDone: close },
  );
  return (
    <Form
      action={save}
      submit="Rename"
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => save.run(draft.value.name.trim())}
    >
      <TextField
        label="Name"
        {...draft.bind('name')}
        name={`views.${row.index}.name`}
        maxLength={80}
        isRequired
        autoFocus
      />
    </Form>
  );
}
