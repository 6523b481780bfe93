import { randomUUID } from 'node:crypto';
import type { Operation, OperationId } from '../../../server/src/contract/operations';
import { createLink } from '../../../server/src/services/accounts';
import { contract, exampleBody, exampleRequest, idsOf, makeId, ownedSite } from '../http/contract-requests';
import type { RawRequest } from '../http/raw';
import { PASSWORD, type TestServer } from '../server';
import type { TestProvider } from '../sign-on/provider';
import { comeBack, linkTo, signOn } from '../sign-on/walk';
import { attach, begin, PDF, someRequest } from '../site/attachments';
import { codeOf } from '../site/people';
import { clientOf } from './client';
import { SIGN_IN } from './sign-in';

/** Every operation that the contract says leaves an audit event. */
export const audited = contract.operations.filter(({ audit }) => audit !== undefined);

/** A request that will succeed, and whose trail its event belongs to. */
export interface Prepared {
  request: RawRequest & { path: string };
  /** The site that it is about, if there is one. */
  token: string | undefined;
  /** The account that sends it, or that it is about. */
  userId: number | undefined;
  /** Whether the event is in the trail of the site that was prepared. */
  ofSite: boolean;
}

type Site = Awaited<ReturnType<typeof ownedSite>>;
/** What differs from the example of the contract. */
interface Different {
  body?: object;
  query?: string;
  path?: Record<string, string>;
  ofSite?: boolean;
  anonymous?: boolean;
  bearer?: string;
  userId?: number;
}
type Prepare = (server: TestServer, site: Site, path: Record<string, string>) => Promise<Different>;

const patch = (server: TestServer, site: Site, body: object) =>
  clientOf(server, site).updateEnvironment({ token: site.token, body });

/** A one-time link to a site, for an address. */
async function invited(server: TestServer, site: Site, email: string): Promise<string> {
  const body = { email, role: 'operator' as const };
  const { invitation_url } = await clientOf(server, site).addMember({ token: site.token, body });
  return codeOf(invitation_url);
}

let provider: TestProvider | undefined;
/** The provider `acme` of the server, which is registered there. */
export async function prepareProvider(running: TestProvider, server: TestServer): Promise<void> {
  provider = running;
  // Browsers make passkeys for names, not for addresses.
  const url = server.url.replace('127.0.0.1', 'localhost');
  server.service.context.config.publicUrl = url;
  await running.register('acme', { url });
}

/** Links somebody of the provider to the account of a site's owner, and returns their name there. */
async function linked(server: TestServer, site: Site): Promise<string> {
  const login = randomUUID();
  const client = clientOf(server, site);
  await linkTo(client, login);
  return login;
}

/** A request that takes files, and one of them of two bytes. */
async function answerFile(server: TestServer, site: Site): Promise<{ request_id: string; file_id: string }> {
  const { request_id } = await server.visitor.submitDsar({
    ...{ token: site.token },
    body: { request_type: 'access', email: `${randomUUID()}@example.com` },
  });
  const body = { name: 'a.txt', content_type: 'text/plain' as const, bytes: 2 };
  const { file_id } = await clientOf(server, site).createAnswerFile({ token: site.token, request_id, body });
  return { request_id, file_id };
}

/** An attachment of a request, with its bytes or without. */
async function attachment(
  server: TestServer,
  site: Site,
  isComplete: boolean,
): Promise<{ request_id: string; attachment_id: string }> {
  const { token } = site;
  const request_id = await someRequest(server.visitor, token);
  const client = clientOf(server, site);
  const { attachment_id } = isComplete
    ? await attach(client, { token, request_id })
    : await begin(client, { token, request_id }, PDF.length);
  return { request_id, attachment_id };
}

/** The example of a step on many requests, with one that exists. */
const withRequest =
  (id: OperationId): Prepare =>
  async (server, site) => {
    const operation = contract.operations.find((one) => one.id === id) as Operation;
    const request_id = (await makeId(server, site, 'request_id')) as string;
    return { body: { ...exampleBody(operation), request_ids: [request_id] } };
  };

/** The states that operations need before they can succeed. */
const PREPARE: { [Id in OperationId]?: Prepare } = {
  ...SIGN_IN,
  createEnvironment: async () => ({ ofSite: true }),
  deleteEnvironment: async (server, site) => {
    await patch(server, site, { status: 'archived' });
    const { name } = await clientOf(server, site).getEnvironment({ token: site.token });
    return { query: `name=${encodeURIComponent(name)}`, ofSite: false };
  },
  updateEnvironment: async () => ({
    body: { name: 'Another name', settings: { time_zone: 'Europe/Berlin' } },
  }),
  login: async (_, { email, userId }) => ({
    ...{ body: { email, password: PASSWORD }, anonymous: true, userId, ofSite: false },
  }),
  acceptInvitation: async (server, site) => ({
    body: { code: await invited(server, site, `${randomUUID()}@example.com`), password: PASSWORD },
    ...{ anonymous: true, ofSite: true },
  }),
  joinEnvironment: async (server, site) => {
    const person = await server.person();
    const { token: bearer } = await server.service.context.tokens.issue(person.userId, undefined, {
      how: 'password',
    });
    return {
      ...{ body: { code: await invited(server, site, person.email) }, bearer },
      ...{ userId: person.userId, ofSite: true },
    };
  },
  changePassword: async () => ({
    body: { current_password: PASSWORD, new_password: 'another correct horse' },
  }),
  finishSignOn: async (server, site) => {
    const login = await linked(server, site);
    return {
      ...{ body: await comeBack(server.visitor.beginSignOn, login), anonymous: true },
      ...{ userId: site.userId, ofSite: false },
    };
  },
  finishLink: async (server, site) => {
    const client = clientOf(server, site);
    const body = await comeBack(client.beginLink, randomUUID());
    return { body: { link: (await client.proveLink({ body })).link } };
  },
  unlinkIdentity: async (server, site) => {
    await linked(server, site);
    const { identities } = await clientOf(server, site).listIdentities();
    return { path: { identity_id: identities[0]?.identity_id ?? '' } };
  },
  logoutByProvider: async (server, site) => {
    const login = await linked(server, site);
    await signOn(server.visitor, login);
    return {
      ...{ body: { logout_token: await provider?.logoutToken({ sub: login }) }, path: { provider: 'acme' } },
      ...{ anonymous: true, userId: site.userId, ofSite: false },
    };
  },
  checkDomain: async () => ({ body: { domain: 'shop.example.com' } }),
  createKey: async () => ({ body: { name: 'nightly', set: 'export' }, ofSite: false }),
  updateMember: async (server, site) => ({ path: { user_id: await invitedId(server, site) } }),
  removeMember: async (server, site) => ({ path: { user_id: await invitedId(server, site) } }),
  renewInvitation: async (server, site) => ({ path: { user_id: await invitedId(server, site) } }),
  // The example's key is bound to the site.
  rotateKey: async () => ({ ofSite: true }),
  revokeKey: async () => ({ ofSite: true }),
  replaceVendors: async () => ({ body: { vendors: [] } }),
  redeliver: async (server, site, path) => {
    const { webhook_id = '' } = path;
    const { delivery_id } = await clientOf(server, site).testWebhook({ token: site.token, webhook_id });
    return { path: { delivery_id } };
  },
  reactivateWebhook: async (server, _, { webhook_id }) => {
    await server.service.context.db('webhooks').where({ webhook_id }).update({ status: 'disabled' });
    return {};
  },
  resumeWebhook: async (server, site, { webhook_id = '' }) => {
    await clientOf(server, site).pauseWebhook({ token: site.token, webhook_id });
    return {};
  },
  redeliverFailed: async () => ({ body: { since: new Date(Date.now() - 60_000).toISOString() } }),
  reopenBreach: async (server, site, { breach_id = '' }) => {
    const body = { reason: 'The data were encrypted.' };
    await clientOf(server, site).markBreachNotReportable({ token: site.token, breach_id, body });
    return {};
  },
  ...Object.fromEntries(
    (['assignDsars', 'startDsars', 'extendDsars', 'resolveDsars'] as const).map((id) => [
      id,
      withRequest(id),
    ]),
  ),
  reopenDsar: async (server, site, { request_id = '' }) => {
    const body = { resolution: 'fulfilled' as const };
    await clientOf(server, site).resolveDsar({ token: site.token, request_id, body });
    return {};
  },
  updateSearchLine: async (server, site, { request_id = '' }) => {
    const { token } = site;
    const names = ['Shop database'];
    const { lines } = await clientOf(server, site).fillSearchList({ token, request_id, body: { names } });
    return { path: { line_id: lines[0]?.line_id ?? '' } };
  },
  deleteDsarComment: async (server, site, { request_id = '' }) => {
    const body = { text: 'The backup is to be searched.' };
    const comment = { token: site.token, request_id, body };
    const { comment_id } = await clientOf(server, site).addDsarComment(comment);
    return { path: { comment_id } };
  },
  createAnswerFile: async (server, site) => {
    const { request_id } = await answerFile(server, site);
    return { path: { request_id } };
  },
  putAnswerFilePart: async (server, site) => ({
    path: { ...(await answerFile(server, site)), part: '0' },
    body: { content: 'aGk=' },
  }),
  deleteAnswerFile: async (server, site) => ({ path: await answerFile(server, site) }),
  putAttachmentPart: async (server, site) => ({
    path: { ...(await attachment(server, site, false)), part: '0' },
  }),
  downloadAttachment: async (server, site) => ({ path: await attachment(server, site, true) }),
  deleteAttachment: async (server, site) => ({ path: await attachment(server, site, true) }),
  eraseSession: async (server, site, { session_id = '' }) => {
    await tracesOf(server, site, session_id, `${randomUUID()}@example.com`);
    return {};
  },
  eraseSubject: async (server, site) => {
    const email = `${randomUUID()}@example.com`;
    await tracesOf(server, site, randomUUID(), email);
    return { body: { subject: { email } } };
  },
  startCookieScan: async (_, { token }) => ({
    body: { url: 'https://shop.example.com/', token },
    ofSite: true,
  }),
};

async function invitedId(server: TestServer, site: Site): Promise<string> {
  const body = { email: `${randomUUID()}@example.com`, role: 'operator' as const };
  return String((await clientOf(server, site).addMember({ token: site.token, body })).user_id);
}

/** Where what `tracesOf` records is: all that an erasure removes, the first batch first. */
export const TRACES = ['events', 'deliveries', 'consents', 'form_consents', 'session_choices'];

/** What somebody's session leaves: decisions, a choice and a form consent that leads to them, with their events. */
async function tracesOf(server: TestServer, site: Site, session_id: string, email: string): Promise<void> {
  const { token } = site;
  const owner = clientOf(server, site);
  await owner.createWebhook({ token, body: { url: 'http://127.0.0.1:9', events: '*' } });
  for (const decision of ['accept_all', 'reject_all'] as const)
    await server.visitor.logConsent({ token, body: { session_id, decision } });
  await owner.recordFormConsentForVisitor({
    token,
    body: {
      ...{ form_id: 'news', form_url: 'https://shop.example.com/', session_id, subject: { email } },
      statements: [{ key: 'a', text: 'Yes.', accepted: true }],
      visitor: { address: '203.0.113.9' },
    },
  });
}

/** A request of an operation, on a site made for it, that will succeed. */
export async function prepared(server: TestServer, operation: Operation): Promise<Prepared> {
  const site = await ownedSite(server);
  const path: Record<string, string> = { token: site.token };
  const known = ['user_id', 'delivery_id', 'session_id', 'login_session_id', 'passkey_id'];
  for (const name of idsOf(operation))
    path[name] = (known.includes(name) ? undefined : await makeId(server, site, name)) ?? randomUUID();
  const different = (await PREPARE[operation.id]?.(server, site, path)) ?? {};
  Object.assign(path, different.path);
  const { anonymous = false, ofSite = operation.hasToken, userId = site.userId } = different;
  const bearer = anonymous ? undefined : (different.bearer ?? site.bearer);
  const request = exampleRequest(operation, path, bearer);
  if (different.body !== undefined) request.body = JSON.stringify(different.body);
  if (different.query !== undefined) request.path = `${request.path.split('?')[0]}?${different.query}`;
  return { request, token: site.token, userId, ofSite };
}

/** A link by which the account of a site's owner chooses a new password. */
export const resetCode = async (server: TestServer, userId: number): Promise<string> =>
  codeOf(await createLink(server.service.context, server.service.context.db, userId));
