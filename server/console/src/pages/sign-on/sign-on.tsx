import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, EmptyState, GuideLink, PageHeader, QueryState } from '../../ui';
import { Hints } from './hints';
import { Provider } from './provider';
import { SignedOn } from './signed-on';

/** Which providers are set up, what their groups give on this site, and who has logged in by them. */
export default function SignOn() {
  const { may } = useSite();
  return (
    <>
      <PageHeader
        title="Single sign-on"
        actions={<GuideLink to="guides/single-sign-on">How to set it up</GuideLink>}
      >
        Which providers people can log in with, and the roles that their groups there have on this site. The
        operator of the server sets it up.
      </PageHeader>
      {may('owner') ? <Providers /> : <Alert>Only owners see how single sign-on is set up.</Alert>}
    </>
  );
}

function Providers() {
  const { token } = useSite();
  const query = useAnswer(keys.site(token, 'sign-on'), (api, signal) => api.getSignOn({ token }, { signal }));
  return (
    <QueryState query={query}>
      {({ providers, password }) =>
        providers.length === 0 ? (
          <EmptyState
            title="No provider is set up"
            action={<GuideLink to="guides/single-sign-on">How to set one up</GuideLink>}
          >
            <p>People log in with an e-mail address and a password.</p>
          </EmptyState>
        ) : (
          <>
            {!password && (
              <Alert>Passwords are turned off on this server: everybody logs in with a provider.</Alert>
            )}
            {providers.map((provider) => (
              <Provider key={provider.provider} provider={provider} />
            ))}
            <SignedOn providers={providers} />
            <Hints providers={providers} />
          </>
        )
      }
    </QueryState>
  );
}
