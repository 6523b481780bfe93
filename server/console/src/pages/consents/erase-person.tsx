import type { Input } from '@avow/sdk';
import { useState } from 'react';
import { keys, type Schemas, useAction } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Alert, Button, CheckboxGroup, count, Dialog, Form, GuideLink, TextField, useDraft } from '../../ui';

type Subject = Input<'eraseSubject'>['body']['subject'];
type Report = Schemas['ErasureReport'];

export const KINDS: Record<Schemas['TraceKind'], string> = {
  consents: 'Consent records',
  choices: 'Choices in force',
  form_consents: 'Form consents',
  requests: 'Requests',
  events: 'Events',
  deliveries: 'Deliveries to webhooks',
  repeated_answers: 'Answers kept for repeated requests',
  counts: 'Counts for reports',
  searches: 'Systems searched for requests',
  mails: 'Mails about requests',
  answer_files: 'Files of answers',
};

/** Erases all data of a person in three steps: shows what there is, asks, and reports what was erased. */
export function ErasePerson({ email = '', session = '' }: { email?: string; session?: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Allowed to="owner">
      <Button variant="danger" onPress={() => setOpen(true)}>
        Erase a person
      </Button>
      <Dialog isOpen={open} title="Erase all data of a person" onClose={() => setOpen(false)}>
        <Steps email={email} session={session} close={() => setOpen(false)} />
      </Dialog>
    </Allowed>
  );
}

function Steps({ email, session, close }: { email: string; session: string; close: () => void }) {
  const { token } = useSite();
  const draft = useDraft({ email, session_id: session, external_id: '' }, 'subject.');
  const [report, show] = useState<Report>();
  const [sessions, pick] = useState<string[]>([]);
  const subject = Object.fromEntries(Object.entries(draft.value).filter(([, value]) => value.trim() !== ''));
  const look = useAction(
    (api, preview: boolean) => api.eraseSubject({ token, body: { subject: subject as Subject, preview } }),
    { onDone: show },
  );
  const erase = useAction(
    (api) => eraseAll(() => api.eraseSubject({ token, body: { subject: subject as Subject, sessions } })),
    { onDone: show, changes: [keys.site(token)] },
  );
  const back = (): void => {
    pick([]);
    show(undefined);
  };
  if (report !== undefined && !report.preview) return <Erased report={report} close={close} />;
  if (report !== undefined) {
    const nothing = sessions.length === 0 && report.erased.every((one) => one.count === 0);
    return (
      <Form
        action={erase}
        onSubmit={() => erase.run(undefined)}
        submit="Erase for good"
        isDisabled={nothing}
        extra={<Button onPress={() => back()}>Back</Button>}
      >
        <Counts title={nothing ? 'There is nothing to erase.' : 'To be erased:'} report={report} />
        <Claimed report={report} value={sessions} onChange={pick} />
        {!nothing && (
          <Alert tone="warn">
            The proof that this person consented is erased too. This cannot be undone.
          </Alert>
        )}
      </Form>
    );
  }
  return (
    <Form
      action={look}
      onSubmit={() => look.run(true)}
      submit="See what there is"
      extra={<Button onPress={close}>Cancel</Button>}
    >
      <p>
        Every record that matches one of these is erased. Verify first who is asking.{' '}
        <GuideLink to="guides/erasing-a-person">What is erased and what is kept</GuideLink>
      </p>
      <TextField label="E-mail address" {...draft.bind('email')} type="email" autoFocus />
      <TextField
        label="Id from the banner"
        {...draft.bind('session_id')}
        description="The visitor’s session id, in full."
      />
      <TextField label="Your own id of the person" {...draft.bind('external_id')} maxLength={200} />
    </Form>
  );
}

/** Sessions that only requests from pages name, to be ticked. */
function Claimed({
  report: { claimed_sessions },
  ...rest
}: {
  report: Report;
  value: string[];
  onChange: (value: string[]) => void;
}) {
  if (claimed_sessions.length === 0) return null;
  return (
    <CheckboxGroup
      {...rest}
      label="Erase these sessions, too"
      description="Requests from pages name them, and anybody can name somebody else’s. Tick only those that you verified to be this person’s."
      options={claimed_sessions.map(
        ({ session_id, consents }) =>
          [session_id, session_id, `Consent records: ${count(consents)}`] as const,
      )}
    />
  );
}

/**
 * Calls until everything is erased, because one call erases a limited number. Adds up the counts of all
 * calls.
 */
async function eraseAll(once: () => Promise<Report>): Promise<Report> {
  let total = await once();
  while (!total.complete) {
    const next = await once();
    const erased = next.erased.map((one, at) => ({
      ...one,
      count: one.count + (total.erased[at]?.count ?? 0),
    }));
    // Later answers know no claims: the records that made them are erased.
    const { claimed_sessions } = total;
    total = { ...next, erased, claimed_sessions };
  }
  return total;
}

function Erased({ report, close }: { report: Report; close: () => void }) {
  return (
    <div className="stack">
      <Alert tone="good" title="Erased" live>
        Keep this for your answer to the person.
      </Alert>
      <Counts title="What was erased:" report={report} />
      {report.claimed_sessions.length > 0 && (
        <Alert tone="warn" title="Not erased: sessions that were only claimed">
          {report.claimed_sessions.map(({ session_id }) => session_id).join(', ')}
        </Alert>
      )}
      <div className="row end">
        <Button variant="primary" onPress={close}>
          Close
        </Button>
      </div>
    </div>
  );
}

function Counts({ title, report: { erased, kept } }: { title: string; report: Report }) {
  return (
    <>
      <p>{title}</p>
      <ul>
        {erased
          .filter((one) => one.count > 0)
          .map((one) => (
            <li key={one.kind}>
              {KINDS[one.kind]}: <strong>{count(one.count)}</strong>
            </li>
          ))}
      </ul>
      <p>What is kept:</p>
      <ul>
        {kept.map((one) => (
          <li key={`${one.kind} ${one.reason}`}>
            {KINDS[one.kind]}
            {one.count !== null && ` (${count(one.count)})`}: {one.reason}
          </li>
        ))}
      </ul>
    </>
  );
}
