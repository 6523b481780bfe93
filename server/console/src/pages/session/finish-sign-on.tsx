import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { logOut } from '../../app/account-menu';
import { keys, useAction } from '../../app/data';
import { endToken } from '../../app/end-token';
import { type FirstStep, firstStep, type SecondStep, SecondStepForm } from '../../app/second-step';
import { type Session, session } from '../../app/session';
import { type Begun, takeBegun } from '../../app/sign-on';
import { Alert, Loading } from '../../ui';
import { Entry } from './entry';
import { Again, Failed } from './sign-on-failed';

/** What a provider sends the browser back with. */
export interface Answer {
  code: string | null;
  state: string | null;
  iss: string | null;
  error: string | null;
}

/** Goes on with what the provider has sent the browser back with. */
export function Finish({ provider, answer }: { provider: string; answer: Answer }) {
  const [begun] = useState(() => takeBegun(provider));
  if (begun === undefined) return <Foreign provider={provider} />;
  return <Exchange begun={begun} answer={answer} />;
}

const OTHER = 'You are somebody else there than here: prove it with the account that you are logged in with.';

function Exchange({ begun, answer }: { begun: Begun; answer: Answer }) {
  const [step, setStep] = useState<SecondStep>();
  const [end, setEnd] = useState<'done' | 'other'>();
  const navigate = useNavigate();
  const done = () =>
    begun.answers !== undefined ? setEnd('done') : void navigate(begun.next, { replace: true });
  const enter = (next: Session) => (takeOver(next, begun) ? done() : setEnd('other'));
  const finish = useExchange(begun, answer, (first) => {
    if (first === undefined) done();
    else if ('step' in first) setStep(first.step);
    else enter(first.session);
  });
  if (end === 'done')
    return (
      <Entry title="You are logged in">
        <p>Close this tab: the page that waited goes on.</p>
      </Entry>
    );
  if (end === 'other') return <Failed begun={begun} error={new Error(OTHER)} />;
  if (finish.error !== null) return <Failed begun={begun} error={finish.error} />;
  if (step === undefined)
    return (
      <Entry title="Log in">
        <Loading label="Logging in" lines={2} />
      </Entry>
    );
  return (
    <Entry title="Second step">
      <SecondStepForm
        step={step}
        onDone={enter}
        onCancel={() => void navigate('/login', { replace: true })}
      />
    </Entry>
  );
}

/** Once: the code is used up then. */
function useExchange(begun: Begun, answer: Answer, onDone: (first: FirstStep | undefined) => void) {
  const ran = useRef(false);
  const finish = useAction(
    async (api, _: undefined) => {
      const { code, state, iss } = answer as Answer & { code: string; state: string };
      const { provider, secret } = begun;
      const body = { provider, code, state, secret, ...(iss !== null && { iss }) };
      if (!begun.links) return firstStep(api.finishSignOn({ body }));
      await api.finishLink({ body });
      return undefined;
    },
    { changes: [keys.me, ['identities']], onDone },
  );
  const { run } = finish;
  useEffect(() => {
    if (ran.current) return;
    ran.current = true;
    run(undefined);
  }, [run]);
  return finish;
}

/** Begins the session in every tab; false: it proves somebody else, and is ended. */
function takeOver(next: Session, { reauthenticate, answers }: Begun): boolean {
  const before = session.get();
  const isSame = before?.user.id === next.user.id;
  if (before !== undefined && !isSame && reauthenticate) {
    endToken(next.token);
    return false;
  }
  if (before !== undefined && !isSame) logOut();
  session.set({ ...next, answers });
  // Only on the server: a tab that waits would lose its page.
  if (before !== undefined && isSame) endToken(before.token);
  return true;
}

/** Somebody else may have sent the address, to log a person in as themselves. */
function Foreign({ provider }: { provider: string }) {
  return (
    <Entry title="You are not logged in">
      <Alert tone="warn" live title="This log-in did not begin in this tab">
        Open no log-in link that somebody sent you. Begin it here.
      </Alert>
      <Again begun={{ provider }} />
    </Entry>
  );
}
