import type { Knex } from 'knex';
import { storedSecret } from './stored-secrets';
import type { Vault } from './vault';

/**
 * What each is for; they outlive a rotation of SECRETS_KEY. `api_keys` keys the hashes of API keys and recovery codes,
 * and the fingerprints of sessions; `mail` keys the hashes of addresses, and signs the links in mails; `links` keys the
 * hashes of whose browser takes a choice along.
 */
export type SecretName = 'api_keys' | 'links' | 'mail';

/**
 * Secrets of all servers of a database, made when they are first needed and kept in memory. The pool is none of those
 * whose transactions ask for them: whoever holds a connection must not wait for another of the same pool, and a secret
 * must not be undone with a transaction once it is in memory.
 */
export class ServerSecrets {
  private readonly known = new Map<SecretName, Promise<Buffer>>();

  constructor(
    private readonly db: Knex,
    private readonly vault: Vault,
  ) {}

  read(name: SecretName): Promise<Buffer> {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const read = storedSecret(this.db, this.vault, name);
    this.known.set(name, read);
    read.catch(() => this.known.delete(name));
    return read;
  }
}
