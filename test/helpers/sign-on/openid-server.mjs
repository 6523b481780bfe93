// @ts-check
// A real OpenID provider in a process of its own, whose answers a test can falsify on their way out.
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import Provider from 'oidc-provider';

/** @type {Record<string, Record<string, unknown>>} Claims of each person, by subject. */
const people = {};
/** Whoever a test has said nothing about. */
const anybody = (/** @type {string} */ id) => ({
  email: `${id}@example.com`,
  email_verified: true,
  groups: ['staff'],
});
/** @type {object[]} */
let clients = [];
/** @type {{ claims?: Record<string, unknown>, otherKey?: boolean, silent?: boolean, huge?: boolean, failing?: boolean, iss?: string }} */
let faults = {};
/** @type {Record<string, number>} Requests by path. */
let asked = {};
/** @type {import('jose').JWK} */
let key;
/** @type {Provider} */
let provider;
let issuer = '';

const newKey = async (/** @type {string} */ kid) => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
};

/** @param {string} token @param {Record<string, unknown>} claims */
async function signAgain(token, claims) {
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const own = faults.otherKey ? await newKey(String(key.kid)) : key;
  // Null takes a claim away.
  const kept = Object.entries({ ...payload, ...claims }).filter(([, value]) => value !== null);
  const signing = new SignJWT(Object.fromEntries(kept)).setProtectedHeader({
    alg: 'RS256',
    kid: String(key.kid),
  });
  return signing.sign(await importJWK(own, 'RS256'));
}

function make() {
  provider = new Provider(issuer, {
    clients,
    jwks: { keys: [key] },
    cookies: { keys: ['a key of a test'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { backchannelLogout: { enabled: true } },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...(people[id] ?? anybody(id)) }),
    }),
    ttl: { Session: 3600, Grant: 3600, Interaction: 3600, AccessToken: 3600, IdToken: 3600 },
    renderError: async (context, out) => {
      context.body = JSON.stringify(out);
    },
  });
  provider.use(async (context, next) => {
    await next();
    // Its own pages take a font from elsewhere, and tests ask nobody else.
    if (typeof context.body === 'string')
      context.body = context.body.replace(/@import url\(https:[^)]*\);?/g, '');
    const body = /** @type {any} */ (context.body);
    if (context.path === '/token' && body?.id_token && (faults.claims || faults.otherKey))
      body.id_token = await signAgain(body.id_token, faults.claims ?? {});
  });
}

/** A logout token, as the provider sends one when somebody logs out there. */
async function logoutToken(/** @type {Record<string, unknown>} */ claims) {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const iat = Math.floor(Date.now() / 1000);
  const all = {
    iss: issuer,
    aud: 'avow',
    iat,
    exp: iat + 120,
    jti: String(Math.random()),
    events,
    ...claims,
  };
  const kept = Object.entries(all).filter(([, value]) => value !== null);
  const header = { alg: 'RS256', typ: 'logout+jwt', kid: String(key.kid) };
  return new SignJWT(Object.fromEntries(kept)).setProtectedHeader(header).sign(await importJWK(key, 'RS256'));
}

const server = createServer((request, response) => {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  asked[path] = (asked[path] ?? 0) + 1;
  if (faults.silent) return;
  if (faults.failing) {
    response.writeHead(500).end('{}');
  } else if (faults.huge) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"issuer":"${'x'.repeat(4 * 1024 * 1024)}"}`);
  } else provider.callback()(request, response);
});

/** What a test tells it to do. */
const commands = {
  people: (/** @type {typeof people} */ next) => void Object.assign(people, next),
  faults: (/** @type {typeof faults} */ next) => {
    faults = next;
  },
  clients: (/** @type {typeof clients} */ next) => {
    clients = next;
    make();
  },
  rotate: async () => {
    key = await newKey(`key ${Date.now()}`);
    make();
  },
  logoutToken,
  asked: () => {
    const before = asked;
    asked = {};
    return before;
  },
};

process.on(
  'message',
  async (/** @type {{ id: number, command: keyof typeof commands, value: any }} */ message) => {
    process.send?.({ id: message.id, answer: await commands[message.command](message.value) });
  },
);
process.on('disconnect', () => process.exit());

key = await newKey('first');
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  issuer = `http://127.0.0.1:${port}`;
  make();
  process.send?.({ id: 0, answer: issuer });
});
