// @ts-check
// TypeSpec -> OpenAPI document -> TypeScript types. Plain JavaScript, because it must run while the server does not compile.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse, stringify } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'spec', 'generated');
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

const raw = compileTypeSpec();
const document = parse(raw);
seal(document);
allowReserved(document);
liftOperations(document);
liftWebhooks(document);
dropUnused(document);
write(
  'openapi.yaml',
  `# Generated from spec/*.tsp by \`npm run generate\`. Do not edit.\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`,
);
// JSON as well: the server reads it at each start, and parsing it takes a hundredth of the time.
write('openapi.json', `${JSON.stringify(document)}\n`);
write('api.ts', await types(document));
write('operations.ts', operations(document));
write('patterns.ts', patterns());

/**
 * Leaves a file that says the same already: written anew, it would make everything be built again.
 * @param {string} name
 * @param {string} text
 */
function write(name, text) {
  const file = join(out, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

function compileTypeSpec() {
  const temporary = mkdtempSync(join(tmpdir(), 'avow-spec-'));
  const compiler = join(root, 'node_modules/@typespec/compiler/cmd/tsp.js');
  const target = `@typespec/openapi3.emitter-output-dir=${temporary}`;
  try {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [compiler, 'compile', join(root, 'spec'), '--option', target],
      { cwd: root, encoding: 'utf8' },
    );
    if (status !== 0) {
      process.stderr.write(`${stdout}${stderr}`);
      process.exit(1);
    }
    return readFileSync(join(temporary, 'openapi.yaml'), 'utf8');
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * `unevaluatedProperties` costs a validator several times what `additionalProperties` does, and means the same in a flat schema.
 * @param {any} node
 */
function seal(node) {
  if (node === null || typeof node !== 'object') return;
  for (const value of Object.values(node)) seal(value);
  const unevaluated = node.unevaluatedProperties;
  if (unevaluated === undefined || node.allOf || node.anyOf || node.oneOf || node.$ref) return;
  delete node.unevaluatedProperties;
  node.additionalProperties = unevaluated?.not ? false : unevaluated;
}

/**
 * A colon in a query (`from=2026-11-21T09:30:00Z`) is legal in a URL (RFC 3986 §3.4) and must not be refused.
 * @param {any} node
 */
function allowReserved(node) {
  if (node === null || typeof node !== 'object') return;
  if (node.in === 'query' && node.schema) node.allowReserved = true;
  for (const value of Object.values(node)) allowReserved(value);
}

/**
 * An operation's id is the bare name of its method in TypeSpec: it is the name of the handler and of the SDK's method.
 * @param {any} api
 */
function liftOperations(api) {
  for (const path of Object.values(api.paths)) {
    for (const method of METHODS) {
      const operation = path[method];
      if (!operation) continue;
      operation.operationId = operation.operationId.replace(/^.*_/, '');
      // Said outright, because silence would mean the document's default.
      operation.security ??= [];
    }
  }
}

/**
 * TypeSpec has no decorator for OpenAPI's `webhooks` section: a model with the extension `x-webhook` is a payload of it.
 * @param {any} api
 */
function liftWebhooks(api) {
  const answer = (/** @type {string} */ description) => ({ description });
  for (const [name, schema] of Object.entries(api.components.schemas)) {
    const event = schema['x-webhook'];
    if (event === undefined) continue;
    delete schema['x-webhook'];
    api.webhooks ??= {};
    api.webhooks[event] = {
      post: {
        tags: ['Webhooks'],
        description: `${schema.description} Sent as GET, with the same body, where the webhook's method says so.`,
        security: [],
        parameters: webhookHeaders(event),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
        },
        responses: {
          '2XX': answer('Taken within 15 seconds: delivered.'),
          '4XX': answer(
            'A failure, tried again; 410 disables the webhook at once, 401 is the answer to a wrong signature.',
          ),
        },
      },
    };
  }
}

/** @param {string} event */
function webhookHeaders(event) {
  const header = (
    /** @type {string} */ name,
    /** @type {string} */ description,
    example = '',
    required = true,
  ) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
    ...(example === '' ? {} : { example }),
  });
  return [
    header(
      'X-Service-Signature',
      'sha256= and the lower-case hexadecimal HMAC-SHA256 of the body as sent; key: the secret as shown, in UTF-8.',
    ),
    header(
      'X-Service-Signature-Next',
      'The same with the new secret, while a rotation is running.',
      '',
      false,
    ),
    header('X-Service-Event', 'The name of the event.', event),
    header('X-Service-Delivery', 'The id of the delivery.'),
    header('X-Service-Attempt', 'The number of the attempt, from 1.', '1'),
    header(
      'X-Service-Test',
      '`true` on an example that `testWebhook` sent, absent from everything that happened. Not signed.',
      '',
      false,
    ),
    header(
      'webhook-id',
      'The id of the event, the same on every attempt: what is repeated can be told by it.',
    ),
    header('webhook-timestamp', 'Unix seconds of this attempt.'),
    header(
      'webhook-signature',
      'Standard Webhooks: v1, and the base64 HMAC-SHA256 of id.timestamp.body; key: the bytes behind whsec_.',
    ),
  ];
}

/**
 * Models that only lend their fields to others are no part of the contract.
 * @param {any} api
 */
function dropUnused(api) {
  for (;;) {
    const text = JSON.stringify(api);
    const unused = Object.keys(api.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );
    if (unused.length === 0) return;
    for (const name of unused) delete api.components.schemas[name];
  }
}

/** @param {any} api */
async function types(api) {
  const source = astToString(await openapiTS(api, { alphabetize: false }));
  return `// Generated from spec/*.tsp by \`npm run generate\`. Do not edit.\n${source}`;
}

/**
 * What a client must know of each operation while it runs, and its description for editors.
 * @param {any} api
 */
function operations(api) {
  const rows = [];
  for (const [path, item] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((m) => item[m])) {
      const operation = item[method];
      const parameters = (operation.parameters ?? []).map((/** @type {any} */ p) =>
        p.$ref ? api.components.parameters[p.$ref.split('/').pop()] : p,
      );
      const has = (/** @type {string} */ name) => parameters.some((/** @type {any} */ p) => p.name === name);
      const bearer = (operation.security ?? api.security)?.some((/** @type {any} */ s) => 'BearerAuth' in s);
      const ok = operation.responses['200'];
      const download =
        ok?.headers?.['Content-Disposition'] !== undefined ||
        (ok?.content && !ok.content['application/json']);
      const flags = [has('Idempotency-Key') && 'i', has('cursor') && 'p', download && 'd', bearer && 'b']
        .filter(Boolean)
        .join('');
      const doc = (operation.description ?? '').replaceAll('*/', '* /').split('\n').join('\n   * ');
      const row = `  ${operation.operationId}: ['${method.toUpperCase()}', '${path}', '${flags}'],`;
      rows.push({ id: operation.operationId, text: doc ? `  /** ${doc} */\n${row}` : row });
    }
  }
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  return [
    '// Generated from spec/*.tsp by `npm run generate`. Do not edit.',
    '/**',
    ' * Method, path and flags of every operation: i takes an idempotency key, p is paged, d answers a file, b needs the',
    ' * bearer token.',
    ' */',
    'export const OPERATIONS = {',
    ...rows.map((row) => row.text),
    '} as const;',
    '',
  ].join('\n');
}

/** OpenAPI has no place for what a pattern means in words: the second argument of TypeSpec's `@pattern`. */
function patterns() {
  const literal = /"(?:[^"\\]|\\.)*"/.source;
  const found = new RegExp(`@pattern\\(\\s*(${literal}),\\s*(${literal})`, 'g');
  const folder = join(root, 'spec');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsp'),
  );
  const lines = sources
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(found)])
    .map(([, pattern, message]) => `  ${pattern}:\n    ${message},`);
  return `// Generated from spec/*.tsp by \`npm run generate\`. Do not edit.
/** What a pattern of the contract means, in words. */
export const PATTERN_MESSAGES: Readonly<Record<string, string>> = {
${[...new Set(lines)].sort().join('\n')}
};
`;
}
