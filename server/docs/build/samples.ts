import { ORIGIN } from './code';
import type { Operation, Parameter } from './contract';
import { BEARER, exampleFor, madeValue, sourceOf, Variable } from './sample-values';

const pathParameters = ({ parameters }: Operation) => parameters.filter((one) => one.in === 'path');
/** Only required parameters; the table has all of them. */
const queryOf = ({ parameters }: Operation) => parameters.filter((one) => one.in === 'query' && one.required);

const valueFor = (parameter: Parameter): unknown =>
  (parameter.in === 'path' && madeValue(parameter.name)) || exampleFor(parameter);

/** The example of the body, with variables for what the reader's server made. */
function bodyOf({ body }: Operation): unknown {
  const example = body?.example;
  if (example === null || typeof example !== 'object' || Array.isArray(example)) return example;
  const fields = Object.entries(example as Record<string, unknown>).map(([name, value]) => {
    const isPlain = ['string', 'number'].includes(typeof value);
    return [name, (isPlain && madeValue(name)) || value];
  });
  return Object.fromEntries(fields);
}

/** The variables that the samples of an operation take. */
function variablesOf(operation: Operation): Variable[] {
  const values = [...pathParameters(operation).map(valueFor), ...Object.values(bodyOf(operation) ?? {})];
  const given = values.filter((value) => value instanceof Variable);
  return [...new Set([...given, ...(operation.bearer ? [BEARER] : [])])];
}

/** Which variables the samples take, and where their values come from; empty without any. */
export function variablesNote(operation: Operation): string {
  const sources = variablesOf(operation).map(sourceOf);
  return sources.length === 0 ? '' : `Environment variables: ${sources.join('; ')}.`;
}

/** The request as a shell command. */
export function curlSample(operation: Operation): string {
  let path = operation.path;
  for (const parameter of pathParameters(operation))
    path = path.replace(`{${parameter.name}}`, inShell(valueFor(parameter)));
  const query = queryOf(operation).map((parameter) => `${parameter.name}=${inAddress(valueFor(parameter))}`);
  const address = `${ORIGIN}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const body = bodyOf(operation);
  const text = JSON.stringify(body, (_, value) => (value instanceof Variable ? inShell(value) : value), 2);
  const isFilled = Object.values(body ?? {}).some((value) => value instanceof Variable);
  return [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}"${address}"`,
    ...(operation.bearer ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(operation.download ? ['--remote-header-name --remote-name'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    // The shell expands variables only outside single quotes.
    ...(isFilled ? [`-d @- <<BODY\n${text}\nBODY`] : []),
    ...(body === undefined || isFilled ? [] : [`-d '${text.replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
}

const inShell = (value: unknown): string => (value instanceof Variable ? `$${value.name}` : String(value));

/** A variable holds only letters and digits; other values may hold anything. */
const inAddress = (value: unknown): string =>
  value instanceof Variable ? inShell(value) : encodeURIComponent(String(value));

/** The same call through the SDK. */
export function sdkSample(operation: Operation): string {
  const input: Record<string, unknown> = {};
  for (const parameter of [...pathParameters(operation), ...queryOf(operation)])
    input[parameter.name] = valueFor(parameter);
  if (operation.body?.example !== undefined) input.body = bodyOf(operation);
  const given = Object.keys(input).length > 0 ? literal(input) : '';
  const names = variablesOf(operation).map(({ name }) => name);
  const lines = [
    "import { createAvow } from '@avow/sdk';",
    '',
    ...(names.length > 0
      ? [`const { ${names.map((name) => `${name} = ''`).join(', ')} } = process.env;`]
      : []),
    `const avow = createAvow({ baseUrl: '${ORIGIN}'${operation.bearer ? ', token: TOKEN' : ''} });`,
  ];
  if (operation.paged)
    return [
      ...lines,
      `for await (const item of avow.${operation.id}.each(${given})) {`,
      '  console.log(item);',
      '}',
    ].join('\n');
  const [name, shown] = operation.download ? ['file', 'await file.text()'] : ['answer', 'answer'];
  return [...lines, `const ${name} = await avow.${operation.id}(${given});`, `console.log(${shown});`].join(
    '\n',
  );
}

/** A value as TypeScript code. */
export function literal(value: unknown, indent = ''): string {
  if (value instanceof Variable) return value.code;
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
