import { contractDocument, type Json } from '../../server/src/contract-document';

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
  /** The least role in the environment. */
  role: string | undefined;
  /** Any origin may call it. */
  anyOrigin: boolean;
  /** Requests a minute from one address, where it has a limit of its own. */
  limit: number | undefined;
  parameters: Parameter[];
  body: { required: boolean; schema: Json; example: unknown; types: string[] } | undefined;
  answers: Answer[];
  paged: boolean;
  /** It answers a file, not the envelope. */
  download: boolean;
}

export interface Tag {
  name: string;
  slug: string;
  description: string;
  operations: Operation[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** The order in which somebody who integrates a site meets them; a new tag comes behind them. */
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

/** Follows a `$ref` inside the document. */
export function resolve(node: Json): Json {
  if (node?.$ref === undefined) return node;
  const keys: string[] = node.$ref.slice(2).split('/');
  return keys.reduce((at, key) => at[key], contractDocument());
}

/** Every operation of the contract, by tag. */
export function readTags(): Tag[] {
  const { paths, tags } = contractDocument();
  const operations = Object.entries<Json>(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => toOperation(path, method, item[method])),
  );
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

function toOperation(path: string, method: string, item: Json): Operation {
  const parameters: Parameter[] = (item.parameters ?? []).map(resolve).map(toParameter);
  const content = item.requestBody?.content;
  const json = content?.['application/json'];
  const answers = Object.entries<Json>(item.responses).map(([status, answer]) =>
    toAnswer(status, resolve(answer)),
  );
  const success = answers.find(({ status }) => status.startsWith('2'));
  return {
    id: item.operationId,
    method: method.toUpperCase(),
    path,
    tag: item.tags[0],
    description: item.description,
    bearer: item.security.length > 0,
    role: item['x-role'],
    anyOrigin: ['x-visitor', 'x-public', 'x-any-origin'].some((mark) => item[mark] === true),
    limit: item['x-limit'],
    parameters,
    body: json && {
      required: item.requestBody.required === true,
      schema: json.schema,
      // The script's compact operations show theirs as the beacon that it sends.
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
