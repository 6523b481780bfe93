import { useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, Form, Switch, TextField, useDraft } from '../../ui';
import { type DeskFilters, viewFilters } from './desk-filters';
import { isNamed, saveList, type Views, viewsKey } from './saved-views';

/** Saves the filters in force under a name; a view of that name is replaced. */
export function SaveView({
  views,
  applied,
  close,
}: {
  views: Views;
  applied: DeskFilters;
  close: () => void;
}) {
  const { token, may } = useSite();
  const draft = useDraft({ name: '', shared: false });
  const { name, shared } = draft.value;
  const list = shared ? views.shared : views.own;
  const replaced = list.views.findIndex((view) => isNamed(view.name, name));
  const save = useAction(
    (api) => {
      const view = { name: name.trim(), filters: viewFilters(applied) };
      const next = replaced < 0 ? [...list.views, view] : list.views.with(replaced, view);
      return saveList(api, token, shared, list, next);
    },
    { success: 'The view is saved.', changes: [viewsKey(token)], onDone: close },
  );
  return (
    <Form
      action={save}
      submit={replaced < 0 ? 'Save' : 'Replace'}
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => save.run(undefined)}
    >
      <p>
        The view keeps the filters of the list{applied.email !== '' && ', except for the e-mail address'}.
      </p>
      <TextField
        label="Name"
        {...draft.bind('name')}
        name={`views.${replaced < 0 ? list.views.length : replaced}.name`}
        maxLength={80}
        isRequired
        autoFocus
      />
      {may('owner') && (
        <Switch {...draft.bind('shared')} label="For all members" hint="Only owners change shared views." />
      )}
      {replaced >= 0 && <Alert tone="warn">There is a view of this name: it is replaced.</Alert>}
    </Form>
  );
}
