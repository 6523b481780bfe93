import { readConfig } from '../../server/src/config';
import { ProviderClient, patience } from '../../server/src/services/sign-on/provider-client';

const ISSUER = 'https://id.example.com';
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  userinfo_endpoint: `${ISSUER}/me`,
  jwks_uri: `${ISSUER}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
};

/** What a server with this provider makes of these metadata. */
async function configured(metadata: object): Promise<unknown> {
  const [provider] = readConfig({
    ...{ OIDC_PROVIDERS: 'acme', OIDC_ACME_ISSUER: ISSUER, OIDC_ACME_CLIENT_ID: 'avow' },
    ...{ OIDC_ACME_CLIENT_SECRET: 'secret', OIDC_ACME_EMAIL_DOMAINS: '*' },
  }).providers;
  if (provider === undefined) throw new Error('there is no provider');
  const asked = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(metadata));
  try {
    return await new ProviderClient(provider).configuration(patience());
  } finally {
    asked.mockRestore();
  }
}

test('metadata whose addresses are all https are taken', async () => {
  await expect(configured(METADATA)).resolves.toBeDefined();
});

test.each([
  ['jwks_uri', 'http://169.254.169.254/latest/meta-data'],
  ['token_endpoint', 'http://127.0.0.1:9200/_shutdown'],
  ['userinfo_endpoint', 'http://intranet/'],
])(
  'a provider cannot name a %s by http, which would be any machine of the network',
  async (name, address) => {
    await expect(configured({ ...METADATA, [name]: address })).rejects.toThrow(
      `the metadata name a ${name} that is no https URL`,
    );
  },
);
