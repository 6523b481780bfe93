import type { ValidateFunction } from 'ajv/dist/2020';
import { resolve } from '../../server/src/contract/document';
import { loadContract } from '../../server/src/contract/operations';
import { compileSchema, createAjv } from '../../server/src/contract/validation';
import { kept } from './kept';

const contract = loadContract();
// Compiled once and run a few times: optimised code costs more than it gives.
const ajv = kept('validators of answers', () => createAjv({ code: { optimize: false } }));
const compiled = kept('compiled validators of answers', () => new Map<string, ValidateFunction>());

/** Throws unless the answer is one that the contract declares for this operation. */
export function checkAnswer(
  method: string,
  url: string,
  status: number,
  contentType: string | null,
  text: string,
): void {
  const path = new URL(url).pathname;
  let found: ReturnType<typeof contract.match>;
  try {
    found = contract.match(method, path);
  } catch {
    checkEnvelope(status, text);
    return;
  }
  const where = `${found.operation.id} ${status}`;
  const item = contract.document.paths[found.operation.path][method.toLowerCase()];
  const declared = resolve(item.responses[String(status)]);
  if (declared === undefined)
    throw new Error(`${where} is not declared in the contract: ${text.slice(0, 300)}`);
  const type = contentType?.split(';', 1)[0] ?? '';
  if (declared.content === undefined && text === '') return;
  if (declared.content?.[type] === undefined) throw new Error(`${where} is not declared as ${type}`);
  if (type !== 'application/json') return;
  let validate = compiled.get(where);
  if (validate === undefined) {
    validate = compileSchema(declared.content[type].schema, ajv);
    compiled.set(where, validate);
  }
  if (!validate(JSON.parse(text))) {
    throw new Error(
      `${where} breaks the contract: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`,
    );
  }
}

/** What no operation answers still has the envelope of a failure. */
function checkEnvelope(status: number, text: string): void {
  const { status: outcome, data, message } = JSON.parse(text);
  if (status < 400 || outcome !== 'error' || typeof data.code !== 'string' || typeof message !== 'string') {
    throw new Error(`${status} is not in the envelope: ${text.slice(0, 300)}`);
  }
}

/** `fetch` that checks every answer under /api against the contract. */
export const checkedFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const response = await fetch(request);
  const isFile = response.headers.get('content-disposition') !== null;
  if (!new URL(request.url).pathname.startsWith('/api/') || request.method === 'OPTIONS' || isFile)
    return response;
  const text = await response.clone().text();
  if (request.method !== 'HEAD') {
    checkAnswer(request.method, request.url, response.status, response.headers.get('content-type'), text);
  }
  return response;
};
