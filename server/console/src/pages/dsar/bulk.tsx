import type { Item } from '@avow/sdk';
import { useState } from 'react';
import type { Schemas } from '../../app/data';
import { Button, Checkbox, Dialog } from '../../ui';
import { BulkAssign, BulkExtend, BulkResolve, BulkStart } from './bulk-forms';
import { BulkOutcomes } from './bulk-outcomes';
import style from './dsar.module.css';

type Dsar = Item<'listDsar'>;
export type Outcomes = Schemas['DsarOutcomes'];
type Step = keyof typeof FORMS;

/** Requests of one call, at most. */
export const MOST = 100;

const FORMS = { assign: BulkAssign, start: BulkStart, extend: BulkExtend, resolve: BulkResolve };
const STEPS = Object.keys(FORMS) as Step[];

const VERBS: Record<Step, string> = {
  assign: 'Assign',
  start: 'Start',
  extend: 'Extend',
  resolve: 'Resolve',
};

export const countOf = (n: number): string => (n === 1 ? '1 request' : `${n} requests`);

/** Which rows are chosen. Those that the list shows no more are not. */
export function useChosen(rows: readonly Dsar[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = rows.filter(({ request_id }) => ids.has(request_id)).slice(0, MOST);
  const offered = rows.slice(0, MOST);
  const isAll = offered.length > 0 && chosen.length === offered.length;
  return {
    chosen,
    isAll,
    isFull: chosen.length === MOST,
    has: (id: string) => ids.has(id),
    choose: (id: string, isChosen: boolean) => {
      const next = new Set(chosen.map(({ request_id }) => request_id));
      if (isChosen) next.add(id);
      else next.delete(id);
      setIds(next);
    },
    chooseAll: (isChosen: boolean) =>
      setIds(new Set(isChosen ? offered.map(({ request_id }) => request_id) : [])),
  };
}

type Chosen = ReturnType<typeof useChosen>;

/** What can be done with the chosen requests at once. */
export function BulkBar({ chosen: { chosen, isAll, isFull, chooseAll } }: { chosen: Chosen }) {
  const [step, open] = useState<Step>();
  // Those for which the dialog was opened, whatever the list shows meanwhile.
  const [taken, take] = useState<readonly Dsar[]>([]);
  const [outcomes, tell] = useState<Outcomes>();
  const close = () => {
    open(undefined);
    tell(undefined);
  };
  const done = (found: Outcomes) => {
    chooseAll(false);
    if (found.items.every((one) => one.done)) close();
    else tell(found);
  };
  const Shown = step && FORMS[step];
  return (
    <fieldset className={`row ${style.chosen}`} aria-label="Chosen requests">
      <Checkbox
        label="Select all shown"
        value={isAll}
        isIndeterminate={chosen.length > 0 && !isAll}
        onChange={chooseAll}
      />
      <span className="hint" role="status">
        {chosen.length} chosen{isFull && ', which is the most'}
      </span>
      {STEPS.map((one) => (
        <Button
          key={one}
          small
          isDisabled={chosen.length === 0}
          onPress={() => {
            take(chosen);
            open(one);
          }}
        >
          {VERBS[one]} chosen
        </Button>
      ))}
      <Dialog
        isOpen={step !== undefined}
        title={step === undefined ? '' : `${VERBS[step]} ${countOf(taken.length)}`}
        onClose={close}
      >
        {outcomes !== undefined && <BulkOutcomes outcomes={outcomes} requests={taken} close={close} />}
        {outcomes === undefined && Shown && <Shown requests={taken} close={close} done={done} />}
      </Dialog>
    </fieldset>
  );
}

/** The check box of one row. */
export function ChooseRow({ chosen, dsar, name }: { chosen: Chosen; dsar: Dsar; name: string }) {
  const { request_id } = dsar;
  const isChosen = chosen.has(request_id);
  return (
    <Checkbox
      label={<span className="visually-hidden">{name}</span>}
      value={isChosen}
      isDisabled={chosen.isFull && !isChosen}
      onChange={(next) => chosen.choose(request_id, next)}
    />
  );
}
