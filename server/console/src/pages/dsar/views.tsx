import { useState } from 'react';
import { useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, Dialog, Select } from '../../ui';
import { type DeskFilters, isSame, NONE, ofView } from './desk-filters';
import { ManageViews } from './manage-views';
import { SaveView } from './save-view';
import { type Views, viewsKey } from './saved-views';

/** What every desk has. */
const BUILT_IN: readonly (readonly [string, Partial<DeskFilters>])[] = [
  ['Assigned to me', { assignee: 'me' }],
  ['Due within 7 days', { state: 'due_7' }],
  ['Overdue', { state: 'overdue' }],
  ['Unassigned', { assignee: 'nobody' }],
];

const NOTHING: Views = { own: { version: 0, views: [] }, shared: { version: 0, views: [] } };

interface Choice {
  name: string;
  filters: DeskFilters;
}

const choicesOf = ({ own, shared }: Views): Choice[] => [
  ...BUILT_IN.map(([name, filters]) => ({ name, filters: { ...NONE, ...filters } })),
  ...own.views.map(({ name, filters }) => ({ name, filters: ofView(filters) })),
  ...shared.views.map(({ name, filters }) => ({ name: `${name} (shared)`, filters: ofView(filters) })),
];

/** The menu of views. The one whose filters are in force is chosen; a view is in the address as its filters. */
export function DeskViews({
  applied,
  choose,
}: {
  applied: DeskFilters;
  choose: (filters: DeskFilters) => void;
}) {
  const { token } = useSite();
  const { data = NOTHING } = useAnswer(viewsKey(token), (api, signal) =>
    api.listDsarViews({ token }, { signal }),
  );
  const [dialog, open] = useState<'save' | 'manage'>();
  const choices = choicesOf(data);
  const chosen = choices.findIndex(({ filters }) => isSame(filters, applied));
  const close = () => open(undefined);
  return (
    <div className="row">
      <Select
        label="View"
        isRequired
        value={String(chosen)}
        onChange={(next) => choose(choices[Number(next)]?.filters ?? NONE)}
        options={[['-1', 'None'], ...choices.map(({ name }, index) => [String(index), name] as const)]}
      />
      <Button onPress={() => open('save')}>Save this view</Button>
      <Button variant="quiet" onPress={() => open('manage')}>
        Manage views
      </Button>
      <Dialog isOpen={dialog === 'save'} title="Save this view" onClose={close}>
        <SaveView views={data} applied={applied} close={close} />
      </Dialog>
      <Dialog isOpen={dialog === 'manage'} title="Saved views" onClose={close}>
        <ManageViews views={data} close={close} />
      </Dialog>
    </div>
  );
}
