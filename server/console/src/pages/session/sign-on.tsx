import { useState } from 'react';
import { useParams } from 'react-router';
import { useAction } from '../../app/data';
import { useLoginMethods } from '../../app/provider-buttons';
import { useSession } from '../../app/session';
import { type Begun, goToProvider, inside, takeBegun } from '../../app/sign-on';
import { Alert, Button, Link, Loading } from '../../ui';
import { Entry } from './entry';
import { type Answer, Finish } from './finish-sign-on';
import { Again, Failed } from './sign-on-failed';

/** Reads the answer, and takes it out of the address and the history: a code is nobody's business afterwards. */
function takeAnswer(): Answer {
  const search = new URLSearchParams(location.search);
  const [code, state, iss, error] = ['code', 'state', 'iss', 'error'].map((name) => search.get(name));
  if (code !== null || error !== null) history.replaceState(history.state, '', location.pathname);
  return { code: code ?? null, state: state ?? null, iss: iss ?? null, error: error ?? null };
}

/** The page that a log-in by a provider begins at and comes back to. */
export default function SignOn() {
  const { provider = '' } = useParams();
  const [search] = useState(() => new URLSearchParams(location.search));
  const [answer] = useState(takeAnswer);
  if (answer.error !== null) return <Declined provider={provider} error={answer.error} />;
  if (answer.code !== null && answer.state !== null) return <Finish provider={provider} answer={answer} />;
  const answers = search.get('answers') ?? undefined;
  return (
    <Begin
      begun={{
        ...{ provider, next: inside(search.get('next')), links: false, isByAddress: true },
        ...{ answers, reauthenticate: search.has('reauthenticate') },
      }}
    />
  );
}

/**
 * Where a provider's own page of applications leads, and a tab beside. Any page can open it, so nothing begins before
 * somebody has read the provider's name and pressed: else it would log them in as whom that page likes.
 */
function Begin({ begun }: { begun: Omit<Begun, 'secret'> }) {
  const methods = useLoginMethods();
  const user = useSession()?.user;
  const go = useAction((_, data: NonNullable<typeof methods.data>) => goToProvider(begun, data));
  const error = methods.error ?? go.error;
  if (error !== null) return <Failed begun={begun} error={error} />;
  const { data } = methods;
  if (data === undefined)
    return (
      <Entry title="Log in">
        <Loading label="Looking for the provider" lines={2} />
      </Entry>
    );
  const name = data.providers.find(({ provider }) => provider === begun.provider)?.name;
  if (name === undefined) return <Failed begun={begun} error={new Error(UNKNOWN)} />;
  return (
    <Entry title={begun.reauthenticate ? 'Confirm that it is you' : 'Log in'}>
      <p>
        {name} will say who you are. {user !== undefined && `You are logged in here as ${user.email}.`}
      </p>
      <div className="row">
        <Button variant="primary" isPending={go.pending} onPress={() => go.run(data)}>
          {begun.reauthenticate ? `Prove it with ${name}` : `Log in with ${name}`}
        </Button>
        {user === undefined && <Link to="/login">Other ways to log in</Link>}
      </div>
    </Entry>
  );
}

const UNKNOWN = 'This server has no such provider.';

function Declined({ provider, error }: { provider: string; error: string }) {
  const providers = useLoginMethods().data?.providers;
  const name = providers?.find((one) => one.provider === provider)?.name ?? 'The provider';
  const [begun] = useState(() => takeBegun(provider));
  const isTheirs = ['access_denied', 'consent_required', 'login_required', 'interaction_required'].includes(
    error,
  );
  return (
    <Entry title="You are not logged in">
      <Alert tone="warn" live title={isTheirs ? `${name} did not log you in` : `${name} refuses this server`}>
        {isTheirs
          ? 'It was cancelled there, or you may not use this application. Nothing has changed here.'
          : 'Tell whoever runs this server to look at what is registered at the provider.'}
      </Alert>
      <Again begun={begun ?? { provider }} />
    </Entry>
  );
}
