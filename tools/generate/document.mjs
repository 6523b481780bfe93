// @ts-check
// Changes the emitter's document into the published one: the same meaning, in a form that validators and
// generators handle best.

export const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/**
 * Follows a `$ref` inside the document.
 * @param {any} api
 * @param {any} node
 */
export function resolve(api, node) {
  if (node?.$ref === undefined) return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((/** @type {any} */ at, /** @type {string} */ key) => at[key], api);
}

/**
 * Every operation with its path and method.
 * @param {any} api
 * @returns {{ path: string, method: string, operation: any }[]}
 */
export function operationsOf(api) {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
  );
}

/** @param {any} api */
export function shape(api) {
  for (const part of [api.paths, api.components]) {
    visit(part, seal);
    visit(part, unwrap);
    visit(part, mergeNull);
    visit(part, allowReserved);
  }
  liftWebhooks(api);
  liftOperations(api);
  declareKeys(api);
  dropUnused(api);
}

/**
 * Inner schemas first, so that the outer ones see the result.
 * @param {any} node
 * @param {(node: any) => void} change
 */
function visit(node, change) {
  if (node === null || typeof node !== 'object') return;
  for (const value of Object.values(node)) visit(value, change);
  change(node);
}

/**
 * Replaces `unevaluatedProperties` by `additionalProperties`, which means the same in a flat schema and is
 * several times faster to validate.
 * @param {any} node
 */
function seal(node) {
  const unevaluated = node.unevaluatedProperties;
  if (unevaluated === undefined || node.allOf || node.anyOf || node.oneOf || node.$ref) return;
  delete node.unevaluatedProperties;
  node.additionalProperties = unevaluated?.not ? false : unevaluated;
}

/**
 * Replaces an `allOf` of one schema by that schema; JSON Schema 2020-12 allows keywords beside a `$ref`.
 * @param {any} node
 */
function unwrap(node) {
  if (!Array.isArray(node.allOf) || node.allOf.length !== 1) return;
  const [only] = node.allOf;
  // Not when both have the same keyword.
  if (Object.keys(only).some((key) => key !== 'description' && key in node)) return;
  const { allOf, ...own } = node;
  for (const key of Object.keys(node)) delete node[key];
  Object.assign(node, only, own);
}

/**
 * Writes "a type or null" as one schema with two types.
 * @param {any} node
 */
function mergeNull(node) {
  if (!Array.isArray(node.anyOf) || node.anyOf.length !== 2 || node.anyOf[1].type !== 'null') return;
  const [other] = node.anyOf;
  if (typeof other.type !== 'string' || other.enum !== undefined) return;
  const { anyOf, ...own } = node;
  delete node.anyOf;
  Object.assign(node, other, own, { type: [other.type, 'null'] });
}

/**
 * A colon in a query (`from=2026-11-21T09:30:00Z`) is valid in a URL (RFC 3986 §3.4) and must be accepted.
 * @param {any} node
 */
function allowReserved(node) {
  if (node.in === 'query' && node.schema) node.allowReserved = true;
}

/**
 * Moves operations with `@webhook` to OpenAPI's `webhooks` section, for which TypeSpec has no decorator.
 * @param {any} api
 */
function liftWebhooks(api) {
  for (const [path, { post }] of Object.entries(api.paths)) {
    const event = post?.['x-webhook'];
    if (event === undefined) continue;
    delete api.paths[path];
    delete post['x-webhook'];
    post.parameters = post.parameters.map((/** @type {any} */ one) => resolve(api, one));
    nameOperation(post);
    api.webhooks = { ...api.webhooks, [event]: { post } };
  }
}

/** @param {any} api */
function liftOperations(api) {
  for (const { operation } of operationsOf(api)) nameOperation(operation);
}

/**
 * Makes the operation's id the name of its method in TypeSpec, which is also the name of the handler and of
 * the SDK's method.
 * @param {any} operation
 */
function nameOperation(operation) {
  operation.operationId = operation.operationId.replace(/^.*_/, '');
  // Always explicit, because a missing `security` would mean the document's default.
  operation.security ??= operation['x-optional-login'] ? [{}, { BearerAuth: [] }] : [];
  // OpenAPI 3.1 lets the list of such a scheme name what the caller needs; TypeSpec leaves it empty.
  const scope = operation['x-scope'];
  if (scope !== undefined) operation.security.push({ ApiKey: [scope] });
}

/**
 * The second security scheme: API keys, which are bearer tokens as well.
 * @param {any} api
 */
function declareKeys(api) {
  const { BearerAuth } = api.components.securitySchemes;
  BearerAuth.description = 'The token that `login` returns, for 12 hours.';
  api.components.securitySchemes.ApiKey = {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'avow_…',
    description: 'An API key that `createKey` returns; each operation names the scope that the key needs.',
  };
}

/**
 * Removes models that are only used to define other models.
 * @param {any} api
 */
function dropUnused(api) {
  for (const kind of ['parameters', 'schemas']) {
    for (;;) {
      const text = JSON.stringify(api);
      const names = Object.keys(api.components[kind]);
      const unused = names.filter((name) => !text.includes(`"#/components/${kind}/${name}"`));
      if (unused.length === 0) break;
      for (const name of unused) delete api.components[kind][name];
    }
  }
}
