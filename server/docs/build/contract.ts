import { contractDocument, type Json, resolve } from '../../src/contract/document';
import { type Operation as Declared, loadContract } from '../../src/contract/operations';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Json;
}

export interface Answer {
  status: string;
  description: string;
  headers: { name: string; description: string }[];
  /** Media type → schema and example. */
  content: Record<string, { schema: Json; example?: unknown }>;
}

/** An operation of the contract, as a page shows it. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  description: string;
  bearer: boolean;
  /** The lowest role in the environment that may call it. */
  role: string | undefined;
  /** What an API key needs; undefined: no key may call it. */
  scope: string | undefined;
  /** Whether pages of any origin may call it. */
  anyOrigin: boolean;
  /** Requests per minute from one address, if it has a separate limit. */
  limit: number | undefined;
  parameters: Parameter[];
  body: { required: boolean; schema: Json; example: unknown; types: string[] } | undefined;
  answers: Answer[];
  paged: boolean;
  /** Whether it returns a file instead of the envelope. */
  download: boolean;
}

export interface Tag {
  name: string;
  slug: string;
  description: string;
  operations: Operation[];
}

/** The tags in the order in which integrators need them; a new tag goes to the end. */
const ORDER = [
  'Visitor',
  'Banner',
  'Public',
  'Consents',
  'DSAR',
  'Breaches',
  'Webhooks',
  'Reports',
  'Vendors',
];

/** Every operation of the contract, by tag. */
export function readTags(): Tag[] {
  const { tags } = contractDocument();
  const operations = loadContract().operations.map(toOperation);
  const place = ({ name }: Json) => (ORDER.indexOf(name) + ORDER.length + 1) % (ORDER.length + 1);
  return [...tags]
    .sort((a, b) => place(a) - place(b))
    .map(({ name, description }) => ({
      name,
      slug: name.toLowerCase(),
      description,
      operations: operations.filter(({ tag }) => tag === name),
    }))
    .filter(({ operations }) => operations.length > 0);
}

function toOperation({ declared: item, ...operation }: Declared): Operation {
  const { id, method, path, bearer, role, scope, anyOrigin, limit } = operation;
  const parameters = operation.parameters.map(toParameter);
  const content = item.requestBody?.content;
  const json = content?.['application/json'];
  const answers = Object.entries<Json>(item.responses).map(([status, answer]) =>
    toAnswer(status, resolve(answer)),
  );
  const success = answers.find(({ status }) => status.startsWith('2'));
  return {
    id,
    method,
    path,
    tag: item.tags[0],
    description: item.description,
    bearer,
    role,
    scope,
    anyOrigin,
    limit,
    parameters,
    body: json && {
      required: item.requestBody.required === true,
      schema: json.schema,
      // The compact operations of the banner's script show the beacon that it sends.
      example: Object.values<Json>(content).find(({ example }) => example !== undefined)?.example,
      types: Object.keys(content),
    },
    answers,
    paged: parameters.some(({ name }) => name === 'cursor'),
    download:
      success !== undefined &&
      (success.headers.some(({ name }) => name === 'Content-Disposition') ||
        success.content['application/json'] === undefined),
  };
}

export const toParameter = ({ name, in: place, required, description, schema }: Json): Parameter => ({
  name,
  in: place,
  required: required === true,
  description: description ?? resolve(schema).description ?? '',
  schema,
});

const toAnswer = (status: string, { description, headers, content }: Json): Answer => ({
  status,
  description,
  headers: Object.entries<Json>(headers ?? {}).map(([name, header]) => ({
    name,
    description: header.description ?? '',
  })),
  content: content ?? {},
});
