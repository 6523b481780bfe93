import { lazy, Suspense, useEffect } from 'react';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { question } from './question';

const load = () => import('./question-fields');
const Fields = lazy(() => load().catch(() => ({ default: Unavailable })));

/** When it is loaded: after the page, and before an update of the server could take it away. */
const SOON_MS = 3_000;

/** Asks who is there, over any page; then the call that waits is repeated. The page keeps what was typed. */
export function QuestionDialog() {
  const asked = question.useAsked();
  useEffect(() => {
    const soon = setTimeout(() => void load().catch(() => undefined), SOON_MS);
    return () => clearTimeout(soon);
  }, []);
  return (
    <Dialog
      isOpen={asked !== undefined}
      title={asked?.kind === 'login' ? 'Log in again' : 'Confirm that it is you'}
      onClose={question.cancel}
    >
      {asked !== undefined && (
        <Suspense>
          <Fields key={`${asked.kind} ${asked.id}`} kind={asked.kind} id={asked.id} />
        </Suspense>
      )}
    </Dialog>
  );
}

const Unavailable = () => (
  <>
    <Alert tone="bad" live title="This could not be loaded">
      The server cannot be reached, or has been updated. Copy what you entered, then load the page again.
    </Alert>
    <Button onPress={question.cancel}>Not now</Button>
  </>
);
