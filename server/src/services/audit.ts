import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { systemUser } from '../config/system-user';
import { type AuditInsert, insertAudit, NO_ACCOUNT, NO_SITE } from '../db/audit-events';
import { type Changes, NO_CHANGES } from '../domain/audit';
import type { Resource } from '../domain/audit-resource';
import { newId, timeOfId } from '../domain/ids';
import type { AuditKind, AuditVia, LoginWay } from '../domain/types';

/** What is known of an action before it is carried out. */
export interface Action {
  operation: string;
  kind: AuditKind;
  via: AuditVia;
  /** How the login session began that was used. */
  begunBy?: LoginWay | undefined;
  userId?: number | undefined;
  keyId?: string | undefined;
  systemUser?: string;
  ipMasked?: string;
  requestId?: string;
}

/** What the work itself adds. */
export interface AuditNote {
  /** The site whose trail it belongs to; null: the trail of an account. */
  environmentId?: string | null | undefined;
  /** That account, if it is another one than the actor's. */
  accountId?: number | undefined;
  /** The actor, where a request has no login yet. */
  userId?: number | undefined;
  about?: Resource | undefined;
  changes?: Changes | undefined;
}

/** An answer whose audit event is written. */
class Recorded<Data> {
  /** Never set: no other object passes for one. */
  declare private readonly brand: never;

  constructor(readonly data: Data) {}
}

/** Proves that an action wrote its audit event, or changed nothing: only `Audit` makes one. */
class Receipt {
  /** Never set: no other object passes for one. */
  declare private readonly brand: never;

  /** The answer of an operation that opens its own transactions. */
  with<Data>(data: Data): Recorded<Data> {
    return new Recorded(data);
  }
}

export type { Receipt, Recorded };

/** The data of an answer, whether or not its operation wrote its audit event itself. */
export const unrecorded = (answer: unknown): unknown => (answer instanceof Recorded ? answer.data : answer);

/** The audit event of one action, from the request until it is written with the change. */
export class Audit {
  private noted: AuditNote = {};
  private isChange = true;
  private isStored = false;

  constructor(private readonly action: Action) {}

  /** Adds what only the work knows; the event itself is written where its transaction ends. */
  note(note: AuditNote): void {
    Object.assign(this.noted, note);
  }

  /** Writes the event in the transaction of the change. */
  async write(trx: Knex, note: AuditNote = {}): Promise<Receipt> {
    this.note(note);
    await insertAudit(trx, this.row());
    this.isStored = true;
    return new Receipt();
  }

  /** The event of a part of the action that has one of its own. */
  another(): Audit {
    const other = new Audit(this.action);
    other.note(this.noted);
    return other;
  }

  /** Whether the event is written; an operation may have written others, about parts of it. */
  get written(): boolean {
    return this.isStored;
  }

  /** What was asked for was so already: there is no event. */
  nothingChanged(): void {
    this.isChange = false;
  }

  /** The same for the binding, which knows what a request was about unless the work has said so. */
  async finish(trx: Knex, about: Resource | undefined): Promise<void> {
    if (!this.isChange) return;
    await this.write(trx, { about: this.noted.about ?? about });
  }

  /** Gives the event to whoever stores it in one transaction with the change. */
  handOver(store: (row: AuditInsert) => void, note: AuditNote = {}): Receipt {
    this.note(note);
    store(this.row());
    return new Receipt();
  }

  /** Writes that a log-in to an account was refused. Whoever tried is nobody that is known. */
  async refuse(db: Knex, accountId: number): Promise<void> {
    const refused = new Audit({ ...this.action, kind: 'refused' });
    await insertAudit(db, {
      ...refused.row(),
      account_id: accountId,
      resource: 'account',
      resource_id: String(accountId),
    });
  }

  /** The request was carried out and changed nothing. */
  unchanged(): Receipt {
    return new Receipt();
  }

  private row(): AuditInsert {
    const { operation, kind, via, keyId = null, ipMasked = null, requestId = null } = this.action;
    const { systemUser = null, begunBy = null } = this.action;
    const { userId = this.action.userId ?? null, environmentId = null } = this.noted;
    // Nothing that a stranger wrote is kept for an owner to read.
    const ownRequestId = requestId !== null && userId === null && keyId === null ? randomUUID() : requestId;
    const { accountId = userId ?? NO_ACCOUNT, changes = NO_CHANGES } = this.noted;
    const audit_id = newId();
    return {
      environment_id: environmentId ?? NO_SITE,
      account_id: environmentId === null ? accountId : NO_ACCOUNT,
      audit_id,
      occurred_at: timeOfId(audit_id).toISOString(),
      ...{ operation, kind, via, begun_by: begunBy, user_id: userId, key_id: keyId, os_user: systemUser },
      ...{ ip_masked: ipMasked, request_id: ownRequestId },
      ...this.about(environmentId, accountId),
      ...changes,
    };
  }

  private about(environmentId: string | null, accountId: number): Resource | NoResource {
    if (this.noted.about !== undefined) return this.noted.about;
    if (environmentId !== null || accountId === NO_ACCOUNT) return { resource: null, resource_id: null };
    return { resource: 'account', resource_id: String(accountId) };
  }
}

interface NoResource {
  resource: null;
  resource_id: null;
}

/** The operator's commands that change or export something. */
export type AuditedCommand =
  | `owner ${'add' | 'reset' | 'reset-second-factor' | 'disable' | 'enable' | 'end-sessions'}`
  | 'audit'
  | 'distribute'
  | 'import-gvl'
  | 'ledger rotate-key'
  | 'migrate'
  | 'reseal'
  | 'seed'
  | 'start'
  | 'vendor-list';

/** Writes the event of an operator's command, in the transaction of what it changes. */
export async function auditCommand(
  trx: Knex,
  operation: AuditedCommand,
  note: AuditNote = {},
  kind: AuditKind = 'change',
): Promise<void> {
  await new Audit({ operation, kind, via: 'command', systemUser: systemUser() }).write(trx, note);
}
