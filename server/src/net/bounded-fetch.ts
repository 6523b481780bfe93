/** What a server that somebody else runs may answer with, in bytes, unless more is expected. */
const MOST_BYTES = 512 * 1024;

/** A server gave no usable answer: it could not be reached, was too slow, failed, or said too much. */
export class Unanswered extends Error {
  override name = 'Unanswered';
}

/** What is asked; libraries name what they leave out. */
interface Asked {
  method?: string;
  headers?: HeadersInit;
  body?: unknown;
}

type Fetch = (url: string, asked: Asked) => Promise<Response>;

/**
 * `fetch` that ends at the deadline, follows no redirect and reads no more than `most` bytes, 512 KiB if nothing is said.
 * Throws `Unanswered`, also for answers from 500 on. For servers that the operator named: it goes wherever they are.
 */
export const boundedFetch =
  (deadline: AbortSignal, most = MOST_BYTES): Fetch =>
  async (url, { method = 'GET', headers = {}, body }) => {
    try {
      const sent = { method, headers, body: (body ?? null) as BodyInit | null };
      const response = await fetch(url, { ...sent, redirect: 'manual', signal: deadline });
      const bytes = await read(response, most);
      if (response.status >= 500) throw new Unanswered(`it answered ${response.status}`);
      const { status, statusText, headers: told } = response;
      return new Response(bytes.length === 0 ? null : bytes, { status, statusText, headers: told });
    } catch (error) {
      if (error instanceof Unanswered) throw error;
      throw new Unanswered(deadline.aborted ? 'it was too slow' : reasonOf(error as Error), { cause: error });
    }
  };

async function read(response: Response, most: number): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Throwing out of the loop ends the connection.
  for await (const part of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > most) throw new Unanswered('its answer was too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Such as ECONNREFUSED or CERT_HAS_EXPIRED. */
export function reasonOf(error: Error): string {
  const { code } = (error.cause ?? error) as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
