import { lazy, Suspense, useState } from 'react';
import type { Schemas } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, Dialog, Loading } from '../../ui';
import { ExtendForm, StartForm } from './forms';
import { StatusBadge } from './names';

// Loaded when somebody answers, or takes it back.
const ResolveForm = lazy(() => import('./resolve'));
const ReopenForm = lazy(() => import('./reopen'));

type Dsar = Schemas['Dsar'];
type Step = 'start' | 'extend' | 'resolve' | 'reopen';

const TITLES: Record<Step, string> = {
  start: 'Start work on this request',
  extend: 'Extend the deadline',
  resolve: 'Resolve this request',
  reopen: 'Reopen this request',
};

const FORMS = { start: StartForm, extend: ExtendForm, resolve: ResolveForm, reopen: ReopenForm };

/**
 * What the user can do with the request now. An open dialog stays open, whatever others do to the request.
 */
export function Actions({ dsar }: { dsar: Dsar }) {
  const site = useSite();
  const [step, open] = useState<Step>();
  const [seen, see] = useState<Dsar['status']>();
  if (!site.may('operator'))
    return <span className="hint">Only operators and owners can answer requests.</span>;
  const begin = (next: Step) => {
    see(dsar.status);
    open(next);
  };
  const Shown = step && FORMS[step];
  return (
    <>
      {dsar.status === 'created' && <Button onPress={() => begin('start')}>Start</Button>}
      {dsar.status === 'resolved' && <Button onPress={() => begin('reopen')}>Reopen</Button>}
      {dsar.status !== 'resolved' && (
        <>
          {dsar.extended_until === null && <Button onPress={() => begin('extend')}>Extend</Button>}
          <Button variant="primary" onPress={() => begin('resolve')}>
            Resolve
          </Button>
        </>
      )}
      <Dialog isOpen={step !== undefined} title={step ? TITLES[step] : ''} onClose={() => open(undefined)}>
        {dsar.status !== seen && (
          <p className="row">
            Meanwhile the request is: <StatusBadge status={dsar.status} />
          </p>
        )}
        {Shown && (
          <Suspense fallback={<Loading lines={6} />}>
            <Shown dsar={dsar} close={() => open(undefined)} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}
