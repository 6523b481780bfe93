import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { keys, type Schemas, useAction } from '../../app/data';
import { endToken } from '../../app/end-token';
import { useProviderName } from '../../app/provider-buttons';
import { firstStep, type SecondStep, SecondStepForm } from '../../app/second-step';
import { type Session, session } from '../../app/session';
import { type Begun, takeBegun } from '../../app/sign-on';
import { Alert, Loading } from '../../ui';
import { ConfirmLink } from './confirm-link';
import { Entry } from './entry';
import { Again, Failed } from './sign-on-failed';
import { WhoGoesOn } from './who-goes-on';

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

/** Where the exchange has come to, when something is left to be done or said. */
type State =
  | { step: SecondStep }
  | { asks: Session }
  | { link: Schemas['ProvedLink'] }
  | { refused: string }
  | { isDone: true };

function Exchange({ begun, answer }: { begun: Begun; answer: Answer }) {
  const [state, setState] = useState<State>();
  const navigate = useNavigate();
  const name = useProviderName(begun.provider);
  const goOn = (next: Session) => {
    begin(next, begun);
    if (begun.answers !== undefined) setState({ isDone: true });
    else void navigate(begun.next, { replace: true });
  };
  const enter = (next: Session) => {
    const reading = read(next, begun);
    if (reading === 'same') return goOn(next);
    if (reading === 'ask') return setState({ asks: next });
    endToken(next.token);
    setState({ refused: otherWords(name, next) });
  };
  const finish = useExchange(begun, answer, (next) => {
    if ('session' in next) enter(next.session);
    else setState(next);
  });
  if (finish.error !== null) return <Failed begun={begun} error={finish.error} />;
  if (state === undefined)
    return (
      <Entry title="Log in">
        <Loading label="Logging in" lines={2} />
      </Entry>
    );
  if ('link' in state) return <ConfirmLink proved={state.link} next={begun.next} />;
  if ('asks' in state) return <WhoGoesOn name={name} next={state.asks} goOn={goOn} />;
  if ('refused' in state) return <Failed begun={begun} error={new Error(state.refused)} />;
  if ('isDone' in state)
    return (
      <Entry title="You are logged in">
        <p>Close this tab: the page that waited goes on.</p>
      </Entry>
    );
  return (
    <Entry title="Second step">
      <SecondStepForm
        step={state.step}
        onDone={enter}
        onCancel={() => void navigate('/login', { replace: true })}
      />
    </Entry>
  );
}

type Exchanged = { session: Session } | { step: SecondStep } | { link: Schemas['ProvedLink'] };

/** Once: the code is used up then. */
function useExchange(begun: Begun, answer: Answer, onDone: (next: Exchanged) => void) {
  const ran = useRef(false);
  const finish = useAction(
    async (api, _: undefined): Promise<Exchanged> => {
      const { code, state, iss } = answer as Answer & { code: string; state: string };
      const { provider, secret } = begun;
      const body = { provider, code, state, secret, ...(iss !== null && { iss }) };
      if (begun.links) return { link: await api.proveLink({ body }) };
      return firstStep(api.finishSignOn({ body }));
    },
    { changes: [keys.me], onDone },
  );
  const { run } = finish;
  useEffect(() => {
    if (ran.current) return;
    ran.current = true;
    run(undefined);
  }, [run]);
  return finish;
}

/**
 * What becomes of a session that a provider's log-in gave. It takes the place of none of somebody else, and begins none
 * that an address of any page may have asked for, before the person has seen whose it is.
 */
function read(next: Session, { reauthenticate, answers, isByAddress }: Begun): 'same' | 'ask' | 'refuse' {
  const before = session.get();
  if (before?.user.id === next.user.id) return 'same';
  if (before === undefined) return isByAddress === true ? 'ask' : 'same';
  // A page that waits is of whoever was there.
  return reauthenticate || answers !== undefined ? 'refuse' : 'ask';
}

const otherWords = (name: string, { user }: Session): string =>
  `You are logged in as ${session.get()?.user.email}, and ${name} says that you are ${user.email}: prove it with the account that you are logged in with.`;

/** Begins the session in every tab. */
function begin(next: Session, { answers }: Begun): void {
  const before = session.get();
  session.set({ ...next, answers });
  // Only on the server: a tab that waits would lose its page.
  if (before?.user.id === next.user.id) endToken(before.token);
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
