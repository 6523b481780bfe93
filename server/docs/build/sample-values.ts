import { contractDocument, type Json, resolve } from '../../src/contract/document';
import { type Operation as Declared, loadContract } from '../../src/contract/operations';
import type { Parameter } from './contract';

/** The first value that the contract's examples have for a name. */
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

/** The initial value of a parameter in a sample or a form. */
export const exampleFor = ({ name, schema }: Parameter): string | number =>
  (values.get(name) as string | number | undefined) ?? (schema.type === 'integer' ? 1 : name);

/** A value that the reader's server made: samples read it from an environment variable. */
export class Variable {
  constructor(
    readonly name: string,
    /** The TypeScript expression that reads it. */
    readonly code: string,
  ) {}
}

/** The caller's bearer token. */
export const BEARER = new Variable('TOKEN', 'TOKEN');

/** Values that callers make up: any value of the right form works. */
const CHOSEN = ['session_id', 'domain', 'language'];

/** By the name of a path parameter; `code` is the secret of a one-time link, which occurs only in bodies. */
const variables = new Map<string, Variable>([
  ['token', new Variable('SITE', 'SITE')],
  ['code', new Variable('CODE', 'CODE')],
]);
for (const { name, in: place, schema } of loadContract().operations.flatMap((one) => one.parameters)) {
  if (place !== 'path' || CHOSEN.includes(name) || variables.has(name)) continue;
  const variable = name.toUpperCase();
  const isNumber = resolve(schema).type === 'integer';
  variables.set(name, new Variable(variable, isNumber ? `Number(${variable})` : variable));
}

/**
 * The variable for a value that only the reader's server can have made, by the value's name in the contract.
 */
export const madeValue = (name: string): Variable | undefined => variables.get(name);

/** A text that says where to find the value of a variable. */
export function sourceOf({ name }: Variable): string {
  if (name in SOURCES) return `\`$${name}\` ${SOURCES[name]}`;
  const [field = ''] = [...variables].find(([, variable]) => variable.name === name) ?? [];
  const answering = loadContract().operations.filter((operation) => field in answeredRecord(operation));
  const source = answering.find(({ parameters }) => parameters.some((one) => one.name === 'cursor'));
  const id = (source ?? answering[0])?.id;
  return `\`$${name}\` is the \`${field}\`${id === undefined ? '' : ` that \`${id}\` answers`}`;
}

const SOURCES: Record<string, string> = {
  SITE: 'is the token of a site',
  TOKEN: 'is the token that `login` answers',
  CODE: 'is the last part of the link that `addMember` answers',
};

/** `data` of the example of an operation's answer, or the first item of its list. */
function answeredRecord({ declared, status }: Declared): object {
  const example = declared.responses[status]?.content?.['application/json']?.example;
  return example?.data?.items?.[0] ?? example?.data ?? {};
}
