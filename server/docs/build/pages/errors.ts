import { contractDocument, resolve } from '../../../src/contract/document';
import { codeBlock } from '../code';
import { type Html, html, prose } from '../html';
import { fieldTree } from '../schema-view';
import { hrefOf, type Page, type Site, tagPath } from '../site';

interface ErrorKind {
  code: string;
  status: string;
  meaning: string;
  remedy: string;
}

/** What to do about each code; other codes are shown only with their meaning. */
const REMEDIES: Record<string, string> = {
  validation_failed:
    'Read `errors`: each entry has the field (`path`), what it must be (`message`) and the broken rule (`code`). Do not send the same request again.',
  invalid_json: 'The body is not JSON: check quotes, commas and the encoding, which must be UTF-8.',
  unauthorized:
    'Log in again with `login` and send `Authorization: Bearer <token>`. Tokens are valid for 12 hours and end when the password is changed. An API key that is refused was revoked, has expired, or is used from a network that it does not name.',
  forbidden:
    'Your role in this environment is too low, your API key lacks the scope, the environment is paused, or `enforce_origin` refuses the origin of the page.',
  second_factor_required:
    'The password is right, and the account has a second factor: send `second_step.challenge` of the answer to `completeLogin`, with a code or a passkey. The SDK does this when `credentials` has `code`.',
  reauthentication_required:
    'Call `reauthenticate`, and send the request again with the new token. The SDK does this by itself when it has `credentials`; API keys are not asked.',
  not_found: 'Check the ids in the path. Records of somebody else are answered as if they did not exist.',
  method_not_allowed: 'The header `Allow` lists the methods of this path.',
  conflict:
    'Read the record again: somebody else has changed it, or it is already in another state. With an `Idempotency-Key`: use a new key for a new request.',
  payload_too_large: 'Send less: split the batch, or shorten texts.',
  unsupported_media_type:
    'Send `Content-Type: application/json`. Visitor endpoints also accept JSON as `text/plain`, for beacons.',
  rate_limited: 'Wait for the number of seconds in `Retry-After`. The SDK does this automatically.',
  internal_error:
    'Nothing was written. Try again; if the error remains, tell the operator the `X-Request-Id`.',
  unavailable:
    'The server is starting or stopping, is overloaded or cannot reach its database: try again after `Retry-After` seconds. The SDK does this automatically.',
};

/**
 * The statuses of the codes as the server answers them (contract, ErrorCode); both of 400 share one answer.
 */
const STATUS: Record<string, string> = {
  invalid_json: '400',
  validation_failed: '400',
  unauthorized: '401',
  forbidden: '403',
  second_factor_required: '403',
  reauthentication_required: '403',
  not_found: '404',
  method_not_allowed: '405',
  conflict: '409',
  payload_too_large: '413',
  unsupported_media_type: '415',
  rate_limited: '429',
  internal_error: '500',
  unavailable: '503',
};

/** Of the codes whose status has another meaning as well. */
const MEANINGS: Record<string, string> = {
  invalid_json: 'The body is not JSON.',
  second_factor_required: 'The first step of a log-in was right, and a second one is needed.',
  reauthentication_required: 'What was asked for needs a log-in of the last 15 minutes.',
};

export const errorCodes = (): string[] => contractDocument().components.schemas.ErrorCode.enum;

/** The codes of a status, for the tables of operations. */
export const codesOf = (status: string): string[] => errorCodes().filter((code) => STATUS[code] === status);

function errorKinds({ tags }: Site): ErrorKind[] {
  const answers = tags.flatMap(({ operations }) => operations.flatMap((operation) => operation.answers));
  return errorCodes().map((code) => ({
    code,
    status: STATUS[code] ?? '',
    meaning:
      MEANINGS[code] ??
      answers.find(({ status }) => status === STATUS[code])?.description ??
      'The path exists, but not with this method.',
    remedy: REMEDIES[code] ?? '',
  }));
}

const EXAMPLE = {
  status: 'error',
  data: {
    code: 'validation_failed',
    errors: [
      {
        path: 'body.decision',
        message: 'must be one of: accept_all, reject_all, save_preferences',
        code: 'enum',
      },
    ],
  },
  message: 'The request breaks the contract: correct the fields named in errors.',
};

export function errorsPage(site: Site): Page {
  const kinds = errorKinds(site);
  const href = hrefOf('errors');
  const description = 'One envelope for every failure, stable codes for programs, and what to do about each.';
  return {
    path: 'errors',
    title: 'Errors',
    description,
    headings: [
      { level: 2, id: 'envelope', title: 'The envelope' },
      { level: 2, id: 'codes', title: 'Codes' },
      ...kinds.map(({ code }) => ({ level: 3, id: code, title: code })),
    ],
    findings: kinds.map(({ code, status, meaning, remedy }) => ({
      kind: 'error',
      title: code,
      place: `Errors · ${status}`,
      href: `${href}#${code}`,
      text: `${status} ${meaning} ${remedy}`,
    })),
    markdown: [
      '# Errors',
      description,
      `\`\`\`json\n${JSON.stringify(EXAMPLE, null, 2)}\n\`\`\``,
      ...kinds.map(({ code, status, meaning, remedy }) => `## ${code} (${status})\n\n${meaning} ${remedy}`),
    ].join('\n\n'),
    body: html`<p class="kicker">Reference</p>
<h1>Errors</h1>
<p class="lead">${description}</p>
<h2 id="envelope">The envelope <a class="anchor" href="#envelope" aria-label="Link to this section">#</a></h2>
<p>Every answer below <code>/api</code> is <code>{status, data, message}</code>. A failure has <code>status: "error"</code>, a <code>code</code> that never changes its meaning, every wrong field in <code>errors</code>, and a <code>message</code> that says what to do. Quote the header <code>X-Request-Id</code> when you ask for help: the server's log has it.</p>
${codeBlock(JSON.stringify(EXAMPLE, null, 2), 'json', '400 Bad Request')}
${fieldTree(resolve({ $ref: '#/components/schemas/BadRequest' }), { anchor: 'error', example: EXAMPLE, written: false, shown: new Map(), onField: () => undefined })}
<h2 id="codes">Codes <a class="anchor" href="#codes" aria-label="Link to this section">#</a></h2>
${kinds.map((kind) => errorSection(kind, site))}`,
  };
}

function errorSection({ code, status, meaning, remedy }: ErrorKind, { tags }: Site): Html {
  const all = tags.flatMap((tag) => tag.operations.map((operation) => ({ tag, operation })));
  const having = all.filter(({ operation }) => operation.answers.some((answer) => answer.status === status));
  return html`<section class="error-code"><h3 id="${code}"><code>${code}</code> <span class="status s${status[0]}">${status}</span> <a class="anchor" href="#${code}" aria-label="Link to ${code}">#</a></h3>
<p>${prose(meaning)}</p>
<p>${prose(remedy)}</p>
${
  having.length > 0 && having.length < all.length
    ? html`<details class="children"><summary>${having.length} operations answer ${status}<span class="visually-hidden"> for ${code}</span></summary><p class="word-list">${having.map(({ tag, operation }) => html`<a href="${hrefOf(tagPath(tag))}#${operation.id}">${operation.id}</a> `)}</p></details>`
    : having.length > 0 && html`<p class="muted">Any operation can answer this.</p>`
}
</section>`;
}
