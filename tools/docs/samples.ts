import { contractDocument, type Json } from '../../server/src/contract-document';
import { ORIGIN } from './code';
import type { Operation, Parameter } from './contract';

/** A value that the contract's examples have under a name, wherever. */
const values = new Map<string, unknown>();
const collect = (node: Json): void => {
  if (node === null || typeof node !== 'object') return;
  for (const [name, value] of Object.entries<Json>(node)) {
    if (['string', 'number'].includes(typeof value) && !values.has(name)) values.set(name, value);
    collect(value);
  }
};
const visit = (node: Json): void => {
  if (node === null || typeof node !== 'object') return;
  for (const [key, value] of Object.entries<Json>(node)) {
    if (key === 'example') collect(value);
    else visit(value);
  }
};
visit(contractDocument().paths);

/** What a sample or a form starts with for a parameter. */
export const exampleFor = ({ name, schema }: Parameter): string | number =>
  (values.get(name) as string | number | undefined) ?? (schema.type === 'integer' ? 1 : name);

const pathParameters = ({ parameters }: Operation) => parameters.filter((one) => one.in === 'path');
/** Only what a request must have: the rest is in the table. */
const queryOf = ({ parameters }: Operation) => parameters.filter((one) => one.in === 'query' && one.required);

/** The request as a line for the shell. `$SITE` and `$TOKEN` are the site's token and the bearer token. */
export function curlSample(operation: Operation): string {
  let path = operation.path;
  for (const parameter of pathParameters(operation))
    path = path.replace(
      `{${parameter.name}}`,
      parameter.name === 'token' ? '$SITE' : String(exampleFor(parameter)),
    );
  const query = queryOf(operation).map((parameter) => `${parameter.name}=${exampleFor(parameter)}`);
  const address = `${ORIGIN}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const body = operation.body?.example;
  return [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}"${address}"`,
    ...(operation.bearer ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
        ]),
    ...(operation.download ? ['--remote-header-name --remote-name'] : []),
  ].join(' \\\n  ');
}

/** The same call through the SDK. */
export function sdkSample(operation: Operation): string {
  const input: Record<string, unknown> = {};
  for (const parameter of [...pathParameters(operation), ...queryOf(operation)])
    input[parameter.name] = exampleFor(parameter);
  if (operation.body?.example !== undefined) input.body = operation.body.example;
  const given = Object.keys(input).length > 0 ? literal(input) : '';
  const login = operation.bearer ? `, token` : '';
  const lines = [
    "import { createAvow } from '@avow/sdk';",
    '',
    ...(operation.bearer ? ["const token = '…'; // as login answered it"] : []),
    `const avow = createAvow({ baseUrl: '${ORIGIN}'${login} });`,
  ];
  if (operation.paged)
    return [
      ...lines,
      `for await (const item of avow.${operation.id}.each(${given})) {`,
      '  console.log(item);',
      '}',
    ].join('\n');
  return [
    ...lines,
    `const ${operation.download ? 'file' : 'answer'} = await avow.${operation.id}(${given});`,
    ...(operation.download ? ['console.log(await file.text());'] : []),
  ].join('\n');
}

/** A value as somebody would write it in TypeScript. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (value === null || typeof value !== 'object') return String(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, deeper))
    : Object.entries(value).map(
        ([key, item]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`}: ${literal(item, deeper)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const flat = isList ? `[${parts.join(', ')}]` : parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
  if (flat.length + indent.length <= 64 && !flat.includes('\n')) return flat;
  return `${open}\n${parts.map((part) => `${deeper}${part},`).join('\n')}\n${indent}${close}`;
}
