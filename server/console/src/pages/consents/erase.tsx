import type { Avow } from '@avow/sdk';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { keys, useAction, useAnswer } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Button, ConfirmDialog, count, Loading } from '../../ui';

/** The maximum number of records that are counted for the question. */
const MAX_COUNTED = 200;

/** Erases all data of one visitor, after a question that names the number of records. */
export function EraseSession({ session }: { session: string }) {
  const { token, path } = useSite();
  const [asking, ask] = useState(false);
  const navigate = useNavigate();
  const erase = useAction((api) => eraseAll(api, { token, session_id: session }), {
    success: (consents) => `Erased: ${records(consents)}.`,
    changes: [keys.site(token, 'consents', 'list'), keys.site(token, 'events'), keys.site(token, 'erasures')],
    onDone: () => navigate(path('consents')),
  });
  return (
    <Allowed to="operator">
      <Button variant="danger" onPress={() => ask(true)}>
        Erase this visitor
      </Button>
      <ConfirmDialog
        isOpen={asking}
        title="Erase all data of this visitor?"
        confirm="Erase for good"
        action={erase}
        onConfirm={() => erase.run(undefined)}
        onCancel={() => ask(false)}
      >
        <Count session={session} />
        <p>
          The records and their events are deleted (GDPR Art. 17), and so is the proof of this visitor’s
          consent. Counts in reports are kept, because they hold no personal data. This cannot be undone.
        </p>
      </ConfirmDialog>
    </Allowed>
  );
}

/** One call erases a share; how many consent records all of them erased. */
async function eraseAll(api: Avow, named: { token: string; session_id: string }): Promise<number> {
  let erased = 0;
  for (let complete = false; !complete; ) {
    const answer = await api.eraseSession(named);
    erased += answer.consents;
    complete = answer.complete;
  }
  return erased;
}

const records = (number: number): string => `${count(number)} consent ${number === 1 ? 'record' : 'records'}`;

function Count({ session }: { session: string }) {
  const { token } = useSite();
  const found = useAnswer(keys.site(token, 'consents', 'count', session), (api, signal) =>
    api.listConsents({ token, session_id: session, limit: MAX_COUNTED }, { signal }),
  );
  if (found.data === undefined) return found.error === null ? <Loading lines={1} /> : null;
  const { items, next_cursor } = found.data;
  return (
    <p>
      The session <code>{session}</code> has{' '}
      <strong>
        {next_cursor === null ? '' : 'more than '}
        {records(items.length)}
      </strong>
      .
    </p>
  );
}
