import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { type Schemas, useAction, useAnswer } from './data';
import { describe } from './errors';
import { beginning, goToProvider } from './sign-on';

/** How people log in to this server. */
export const useLoginMethods = () =>
  useAnswer(['methods'], (api, signal) => api.getLoginMethods(undefined, { signal }));

/** What people call a provider; its id, until that is known. */
export const useProviderName = (provider: string): string =>
  useLoginMethods().data?.providers.find((one) => one.provider === provider)?.name ?? provider;

/** A button for each provider, which leads to its page. */
export function ProviderButtons({
  methods,
  next,
  links = false,
}: {
  methods: Schemas['LoginMethods'];
  next: string;
  links?: boolean;
}) {
  const go = useAction((_, provider: string) =>
    goToProvider({ provider, next, links, reauthenticate: false }, methods),
  );
  return (
    <div className="stack">
      {methods.providers.map(({ provider, name }) => (
        <Button key={provider} isPending={go.pending} onPress={() => go.run(provider)}>
          {links ? `Link ${name}` : `Log in with ${name}`}
        </Button>
      ))}
      {go.error !== null && (
        <Alert tone="bad" live title={describe(go.error).title}>
          {describe(go.error).text}
        </Alert>
      )}
    </div>
  );
}

/**
 * In a tab of its own, so that the page below keeps what was typed; the session that begins there is the answer to
 * the question of this one.
 */
export function ProvidersBeside({
  providers,
  answers,
  reauthenticate = false,
}: {
  providers: readonly { provider: string; name: string }[];
  answers: string;
  reauthenticate?: boolean;
}) {
  if (providers.length === 0) return null;
  return (
    <div className="row">
      {providers.map(({ provider, name }) => (
        <a
          key={provider}
          className="button secondary"
          href={beginning({ provider, next: '/', answers, reauthenticate })}
          target="_blank"
          rel="noopener"
        >
          {reauthenticate ? `Prove it with ${name} in a new tab` : `Log in with ${name} in a new tab`}
        </a>
      ))}
    </div>
  );
}
