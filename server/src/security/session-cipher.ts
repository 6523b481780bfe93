import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/** One block, which is just what a UUID has: equal ids give equal blocks, as fingerprints must. */
const ALGORITHM = 'aes-256-ecb';

/**
 * Turns the ids of a site's sessions into fingerprints and back: a permutation of all ids, so that two sessions never
 * share one and an index of ids finds by either. Without the secret it is as good as random.
 */
export class SessionCipher {
  private readonly key: Buffer;

  constructor(secret: Buffer, environmentId: string) {
    this.key = createHmac('sha256', secret).update(`session fingerprints of ${environmentId}`).digest();
  }

  /** @param session a UUID */
  hide(session: string): Buffer {
    return createCipheriv(ALGORITHM, this.key, null)
      .setAutoPadding(false)
      .update(Buffer.from(session.replaceAll('-', ''), 'hex'));
  }

  /** A UUID; one that no session has for a block that was never made here. */
  open(block: Buffer): string {
    const bytes = createDecipheriv(ALGORITHM, this.key, null).setAutoPadding(false).update(block);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}
