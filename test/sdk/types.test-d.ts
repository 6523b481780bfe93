// Type expectations: compiled by types.test.ts, never run.
import {
  type Analytics,
  type Avow,
  AvowApiError,
  type AvowFile,
  type Breach,
  type ConsentRecord,
  type ConsentRecordPage,
  createAvow,
  type Input,
  type Item,
  type OperationId,
  type Output,
  type Schemas,
  signTestEvent,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
  type webhookId,
} from '../../sdk/src/index.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function expectType<_Yes extends true>() {}

const avow = createAvow({ baseUrl: 'https://consent.example.com' });
const token = 'env_0123456789abcdefghijAB';
const session_id = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';

// The contract's models have names of their own.
expectType<Equal<ConsentRecord, Schemas['ConsentRecord']>>();
expectType<Equal<Output<'listConsents'>, ConsentRecordPage>>();
expectType<Equal<Output<'updateBreach'>, Breach>>();
expectType<Equal<Output<'getAnalytics'>, Analytics>>();
export async function metadata() {
  const { data, status, requestId } = await avow.getMe.withResponse();
  expectType<Equal<typeof data, Schemas['Me']>>();
  expectType<Equal<[typeof status, typeof requestId], [number, string | undefined]>>();
}

// The envelope is unwrapped.
expectType<Equal<Output<'logConsent'>, Schemas['ConsentRecord']>>();
expectType<Equal<Output<'login'>, Schemas['Session']>>();
expectType<Equal<Output<'recordVisitorEvents'>, Schemas['AcceptedEvents']>>();
expectType<Equal<Awaited<ReturnType<Avow['getMe']>>, Schemas['Me']>>();
expectType<
  Equal<Output<'listConsents'>, { items: Schemas['ConsentRecord'][]; next_cursor: string | null }>
>();
// A file is the response, whose body is there.
expectType<Equal<Output<'exportConsents'>, AvowFile>>();
export const asResponse: (file: AvowFile) => Response = (file) => file;
// Every operation has an output and a method.
expectType<Equal<{ [Id in OperationId]: [Output<Id>] extends [never] ? Id : never }[OperationId], never>>();
expectType<Equal<keyof Avow, OperationId>>();

// Parameters of path and query are beside the body, by the contract's names.
expectType<Equal<keyof Input<'logConsent'>, 'token' | 'body'>>();
expectType<Equal<Input<'logConsent'>['body'], Schemas['ConsentInput']>>();
expectType<Equal<Input<'getConsent'>, { token: string; consent_id: string }>>();
avow.listConsents({ token, decision: 'accept_all', limit: 10 });
avow.logConsent({ token, body: { session_id, decision: 'reject_all' } }, { idempotencyKey: 'k', timeout: 5 });
// @ts-expect-error a parameter is missing
avow.logConsent({ body: { session_id, decision: 'accept_all' } });
// @ts-expect-error the body is missing
avow.logConsent({ token });
// @ts-expect-error no such decision
avow.logConsent({ token, body: { session_id, decision: 'maybe' } });
// @ts-expect-error no such field
avow.logConsent({ token, body: { session_id, decision: 'accept_all', when: 'now' } });
// @ts-expect-error no such filter
avow.listConsents({ token, colour: 'red' });
// @ts-expect-error parameters are needed
avow.listConsents();
// @ts-expect-error no such operation
avow.logConsents({ token });

// Where nothing is needed, nothing has to be given.
avow.getMe();
avow.listEnvironments();
avow.listEnvironments({ limit: 10 }, { signal: new AbortController().signal });
avow.getMe({}, { timeout: 1000 });
// @ts-expect-error options are the second argument
avow.getMe({ timeout: 1000 });
// @ts-expect-error a read takes no idempotency key
avow.getMe({}, { idempotencyKey: 'k' });

// Lists can be looped over, and only lists.
expectType<Equal<Item<'listConsents'>, Schemas['ConsentRecord']>>();
export async function loop() {
  for await (const consent of avow.listConsents.each({ token, decision: 'accept_all' })) {
    expectType<Equal<typeof consent, Schemas['ConsentRecord']>>();
  }
  for await (const environment of avow.listEnvironments.each()) environment.token.toLowerCase();
}
// The name of an event tells which payload it has.
export async function read() {
  for await (const one of avow.listEvents.each({ token })) {
    expectType<Equal<typeof one.event, Schemas['EventName']>>();
    if (one.event === 'dsar.created') {
      expectType<Equal<typeof one.payload, Schemas['DsarCreatedEvent']>>();
      // @ts-expect-error only of one that was resolved
      one.payload.resolution;
    }
    if (one.event === 'breach.reported') expectType<Equal<typeof one.payload.late, boolean>>();
    // @ts-expect-error not before it is known which event it is
    one.payload.due_at;
  }
}
// @ts-expect-error parameters are needed here too
avow.listConsents.each();
// @ts-expect-error not a list
avow.getConsent.each;

// Errors narrow.
export function code(error: unknown) {
  if (error instanceof AvowApiError && error.code === 'rate_limited') return error.retryAfter;
  // @ts-expect-error no such code
  if (error instanceof AvowApiError && error.code === 'rate_limit') return undefined;
  return AvowApiError.isApiError(error) ? error.errors[0]?.path : undefined;
}

// A webhook's event is one of seven, told apart by its name.
expectType<Equal<Awaited<ReturnType<typeof verifyWebhook>>, Schemas['EventPayload']>>();
expectType<Equal<WebhookEvent['event'], Schemas['EventName']>>();
expectType<Equal<WebhookEvent<'dsar.created'>, Schemas['DsarCreatedEvent']>>();
export async function receive(request: Request) {
  const event = await verifyWebhook(await request.arrayBuffer(), request.headers, ['whsec_a', 'whsec_b']);
  expectType<Equal<ReturnType<typeof webhookId>, string>>();
  switch (event.event) {
    case 'consent.accept_all':
    case 'consent.reject_all':
    case 'consent.save_preferences':
      expectType<Equal<typeof event.data, Schemas['ConsentEventData']>>();
      if (event.data.rule === 'opt_out' || event.data.rule === 'notice') return 'left on';
      expectType<Equal<typeof event.data.rule, 'opt_in' | undefined>>();
      // @ts-expect-error an event of requests
      return event.due_at;
    case 'dsar.created':
      return event.due_at;
    case 'dsar.resolved':
      return event.resolution;
    case 'breach.created':
      return event.notify_by;
    case 'breach.reported':
      return event.late;
    default:
      expectType<Equal<typeof event, never>>();
      // @ts-expect-error no such event
      return (event as WebhookEvent).event === 'dsar.deleted';
  }
}
declare const incoming: { headers: { [name: string]: string | string[] | undefined }; body: Uint8Array };
verifyWebhook(incoming.body, incoming.headers, 'whsec_', { toleranceSeconds: 60, now: new Date() });
// @ts-expect-error a parsed body
verifyWebhook({ event: 'dsar.created' }, incoming.headers, 'whsec_');
// @ts-expect-error the secret is needed
verifyWebhook(incoming.body, incoming.headers);
// @ts-expect-error fields are missing
signTestEvent({ event: 'dsar.created' }, 'whsec_');
export function refused(error: unknown) {
  // @ts-expect-error no such code
  if (error instanceof WebhookVerificationError && error.code === 'too_late') return undefined;
  return error instanceof WebhookVerificationError && error.code === 'expired';
}

// @ts-expect-error the URL is needed
createAvow({});
// @ts-expect-error methods cannot be replaced
avow.getMe = avow.listEnvironments;
