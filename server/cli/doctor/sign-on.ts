import type { Provider } from '../../src/config';
import { variableOf } from '../../src/config/provider-variables';
import { Unanswered } from '../../src/net/bounded-fetch';
import { ProviderClient, patience } from '../../src/services/sign-on/provider-client';
import { broken, type Check, type Finding, fine, warning } from './finding';

/** Whether people can log in by each provider, as far as its metadata say so. */
export const checkSignOn: Check = async (config) => {
  const { providers, passwordLogin, publicUrl } = config;
  if (providers.length === 0) return [];
  const found = (await Promise.all(providers.map(checkProvider))).flat();
  return [
    ...found,
    ...(publicUrl === undefined
      ? [
          warning(
            'PUBLIC_URL is not set',
            'providers lead back to localhost; set it to the address that people see',
          ),
        ]
      : []),
    ...(passwordLogin
      ? []
      : [
          fine(
            'Passwords are refused (PASSWORD_LOGIN=off); npm run owner -- reset EMAIL lets in all the same',
          ),
        ]),
  ];
};

async function checkProvider(provider: Provider): Promise<Finding[]> {
  const { id, name, access, logsOut } = provider;
  try {
    const metadata = (await new ProviderClient(provider).configuration(patience())).serverMetadata();
    const isOpen = access.some(({ group }) => group === '*');
    return [
      fine(`Provider ${name}: ${metadata.issuer} answers, and has ${access.length} rules`),
      ...(isOpen
        ? [
            warning(
              `Provider ${name} lets everybody in whom it knows`,
              `a rule of ${variableOf(id, 'access')} is for *`,
            ),
          ]
        : []),
      ...(logsOut && metadata.end_session_endpoint === undefined
        ? [fine(`Provider ${name} takes no log-outs: they end the session here alone`)]
        : []),
      ...(metadata.jwks_uri === undefined
        ? [broken(`Provider ${name} names no keys`, 'its answers cannot be checked')]
        : []),
    ];
  } catch (error) {
    const { message, cause } = error as Error;
    const why = [error, cause].find((one) => one instanceof Unanswered);
    return [
      broken(
        `Provider ${name} cannot be used (${why?.message ?? message})`,
        `check ${variableOf(id, 'issuer')}`,
      ),
    ];
  }
}
