import { createHash } from 'node:crypto';
import { pack, StoredFile } from '../bundles/packed';

/** A text of this server's own that anybody may read. */
interface Text {
  contentType: string;
  text: string;
  cacheControl: string;
}

/** Compressed when it is first asked for, and then kept. @param name whose turn at compressing it takes */
export function packedOnce(
  name: string,
  { contentType, text, cacheControl }: Text,
): () => Promise<StoredFile> {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  let stored: Promise<StoredFile> | undefined;
  const store = async (): Promise<StoredFile> => {
    try {
      const packed = await pack({ text, tag, contentType, sender: [name, contentType] }, () => undefined);
      return new StoredFile(packed, cacheControl);
    } catch (error) {
      // Too much waited to be compressed: the next request tries again.
      stored = undefined;
      throw error;
    }
  };
  return () => {
    stored ??= store();
    return stored;
  };
}
