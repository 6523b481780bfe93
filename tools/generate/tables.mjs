// @ts-check
// Tables of operations and models, as TypeScript modules.
import { operationsOf, resolve } from './document.mjs';

export const NOTICE = 'Generated from spec/*.tsp by `npm run generate`. Do not edit.';

/**
 * @param {any} api
 * @param {any} operation
 * @param {string} name
 */
const takes = (api, operation, name) =>
  (operation.parameters ?? []).some((/** @type {any} */ one) => resolve(api, one).name === name);

/**
 * For clients: method and path of each operation, and its description for editors.
 * @param {any} api
 */
export function clientTable(api) {
  const rows = operationsOf(api).map(({ path, method, operation }) => {
    const ok = operation.responses['200'];
    const download =
      ok?.headers?.['Content-Disposition'] !== undefined || (ok?.content && !ok.content['application/json']);
    const flags = [
      takes(api, operation, 'Idempotency-Key') && 'i',
      takes(api, operation, 'cursor') && 'p',
      download && 'd',
      operation.security.length > 0 && 'b',
    ].filter(Boolean);
    const doc = operation.description.replaceAll('*/', '* /').split('\n').join('\n   * ');
    const row = `  ${operation.operationId}: ['${method.toUpperCase()}', '${path}', '${flags.join('')}'],`;
    return { id: operation.operationId, text: `  /** ${doc} */\n${row}` };
  });
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  return `// ${NOTICE}
/**
 * Method, path and flags of every operation: i takes an idempotency key, p is paged, d returns a file, b
 * needs the bearer token.
 */
export const OPERATIONS = {
${rows.map(({ text }) => text).join('\n')}
} as const;
`;
}

/**
 * For clients: a type for every model of the document, except envelopes, which the SDK unwraps.
 * @param {any} api
 */
export function modelTable(api) {
  const names = Object.keys(api.components.schemas).filter((name) => !name.endsWith('Envelope'));
  const lines = names.sort().map((name) => `export type ${name} = Schemas['${name}'];`);
  return `// ${NOTICE}
import type { components } from './api.js';

type Schemas = components['schemas'];
${lines.join('\n')}
`;
}

/**
 * For the server: defines the types of handlers, and is read at run time.
 * @param {any} api
 */
export function serverTable(api) {
  const rows = operationsOf(api).map(({ path, method, operation }) => {
    const role = operation['x-role'];
    const bearer = operation.security.length > 0 && !operation['x-optional-login'];
    const open = operation['x-visitor'] || operation['x-public'];
    const ofSite = open && path.includes('{token}') ? 'visitor' : 'public';
    const ofCaller = role === undefined ? 'account' : 'member';
    const changes = method !== 'get' && (bearer || takes(api, operation, 'Idempotency-Key'));
    const fields = {
      access: bearer ? ofCaller : ofSite,
      role,
      scope: operation['x-scope'],
      transaction: changes && !operation['x-own-transaction'],
      download: operation['x-download'],
      audit: auditOf(method, operation, bearer),
      message: operation['x-message'],
    };
    return `  ${operation.operationId}: ${literal(fields)},`;
  });
  return `// ${NOTICE}
/**
 * The rules of every operation. \`access\`: a \`visitor\` operation has the site of the path; \`account\` has a
 * caller; \`member\` has a caller, the site of the path, and the caller's role in it (\`role\` or a higher one);
 * \`public\` has none of these, except a caller if the login is optional and given. \`transaction\`: the whole
 * operation runs in one transaction. \`scope\`: what an API key must be allowed to do. \`download\`: its answer is streamed. \`audit\`: what its entry
 * in the audit trail says that it did. \`message\`: the envelope's message in a
 * successful answer.
 */
export const OPERATION_RULES = {
${rows.sort().join('\n')}
} as const;
`;
}

/**
 * Everything that people and programs of the owner's side send, unless it only reads.
 * @param {string} method
 * @param {any} operation
 * @param {boolean} bearer
 */
function auditOf(method, operation, bearer) {
  // What a visitor saves of the own decision is no export of an owner.
  if ((operation['x-download'] || operation['x-exports']) && bearer) return 'export';
  if (method === 'get' || operation['x-changes-nothing']) return undefined;
  return bearer || operation['x-no-login'] || operation['x-optional-login'] ? 'change' : undefined;
}

/** @param {Record<string, string | boolean | undefined>} fields */
const literal = (fields) =>
  `{ ${Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')} }`;

/** @param {Map<string, string>} patterns */
export function patternTable(patterns) {
  const lines = [...patterns].map(
    ([pattern, message]) => `  ${JSON.stringify(pattern)}:\n    ${JSON.stringify(message)},`,
  );
  return `// ${NOTICE}
/** The message of each pattern of the contract. */
export const PATTERN_MESSAGES: Readonly<Record<string, string>> = {
${lines.sort().join('\n')}
};
`;
}
