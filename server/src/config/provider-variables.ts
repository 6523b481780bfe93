import {
  type AccessRule,
  accessRules,
  claimPath,
  emailDomains,
  issuer,
  type Provider,
  scopes,
} from './providers';
import { oneOf, onOff, text } from './readers';
import { type Variable, variable } from './variable';

/** The variables of one provider, each behind `OIDC_` and its name in upper case. */
export const PROVIDER_VARIABLES = {
  issuer: variable<string | undefined>('ISSUER', issuer, undefined, 'its issuer, an https URL', {
    shown: 'required',
  }),
  clientId: variable<string | undefined>('CLIENT_ID', text, undefined, 'the id that it gave to this server', {
    shown: 'required',
  }),
  clientSecret: variable<string | undefined>('CLIENT_SECRET', text, undefined, 'the secret of that id', {
    shown: 'required',
  }),
  emailDomains: variable<string[] | undefined>(
    'EMAIL_DOMAINS',
    emailDomains,
    undefined,
    'the domains whose e-mail addresses it may speak for, separated by commas; `*` for any',
    { shown: 'required' },
  ),
  name: variable<string | undefined>('NAME', text, undefined, 'what people read on its button', {
    shown: '`<NAME>`',
  }),
  access: variable<AccessRule[]>(
    'ACCESS',
    accessRules,
    () => [],
    'who gets in by which group: `role site group` or `account group`, separated by semicolons',
  ),
  groupsClaim: variable<string[]>(
    'GROUPS_CLAIM',
    claimPath,
    () => ['groups'],
    'the claim that holds the groups of a person, with dots between its parts',
    { shown: 'groups' },
  ),
  scopes: variable('SCOPES', scopes, 'openid email profile', 'what is asked of it'),
  clientAuth: variable<'basic' | 'post' | undefined>(
    'CLIENT_AUTH',
    oneOf(['basic', 'post'] as const),
    undefined,
    'how the secret is sent: `basic` or `post`',
    { shown: 'by its metadata' },
  ),
  trustsEmails: variable<boolean>(
    'EMAIL_VERIFIED',
    oneOfWords({ claim: false, always: true }),
    false,
    '`claim`: an address counts as verified when it says so; `always`: every address does',
    { shown: 'claim' },
  ),
  logsOut: variable<boolean>('LOGOUT', onOff, true, 'a log-out here is also one at the provider'),
};

type Name = keyof typeof PROVIDER_VARIABLES;

function oneOfWords<Value>(values: Record<string, Value>): (text: string) => Value & {} {
  const word = oneOf(Object.keys(values));
  return (given) => values[word(given)] as Value & {};
}

/** The name of a provider's variable; without an id, as documents show it. */
export const variableOf = (id: string, name: Name): string =>
  `OIDC_${id.toUpperCase().replaceAll('-', '_')}_${PROVIDER_VARIABLES[name].name}`;

const NAMES = Object.keys(PROVIDER_VARIABLES) as Name[];

/** The names of all variables of these providers. */
export const variablesOf = (ids: readonly string[]): string[] =>
  ids.flatMap((id) => NAMES.map((name) => variableOf(id, name)));

/** Reads a variable by its name; throws an error that names it when its value is bad. */
type Read = <Value>(name: string, read: (text: string) => Value) => Value | undefined;

/** Every provider as configured. `fail` throws for what is missing. */
export function readProviders(
  ids: readonly string[],
  read: Read,
  fail: (message: string) => never,
): Provider[] {
  const providers = ids.map((id) => {
    const values: Record<string, unknown> = {};
    for (const name of NAMES) {
      const { read: reader, otherwise, shown } = PROVIDER_VARIABLES[name] as Variable<unknown>;
      const value = read(variableOf(id, name), reader);
      if (value === undefined && shown === 'required')
        fail(`${variableOf(id, name)} is not set: OIDC_PROVIDERS names ${id}, which needs it.`);
      values[name] = value ?? (typeof otherwise === 'function' ? otherwise({}) : otherwise);
    }
    return { ...(values as Omit<Provider, 'id' | 'name'>), id, name: (values.name as string) ?? capital(id) };
  });
  const issuers = providers.map((provider) => provider.issuer);
  const twice = providers.find((provider, index) => issuers.indexOf(provider.issuer) < index);
  if (twice !== undefined)
    fail(
      `${variableOf(twice.id, 'issuer')} is that of another provider: an account is known by issuer and subject, so name each issuer once.`,
    );
  return providers;
}

const capital = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);
