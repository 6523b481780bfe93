import type { DsarRow, EnvironmentRow } from '../../db/models';
import type { DsarMailing } from '../../domain/types';
import type { Mailing } from '../../mail/mailing';

type Site = Pick<EnvironmentRow, 'settings'>;

/** Whether the site mails whoever made the request. */
export const isMailed = ({ settings }: Site, { email }: Pick<DsarRow, 'email'>): boolean =>
  email !== '' && settings.mail_requesters !== false;

/** Whether the person gets the answer and an extension by mail, or why not. */
export function mailingOf(
  { isConfigured }: Pick<Mailing, 'isConfigured'>,
  site: Site,
  row: Pick<DsarRow, 'email' | 'disowned_at'>,
): DsarMailing {
  if (row.email === '') return 'no_address';
  if (row.disowned_at !== null) return 'disowned';
  if (!isMailed(site, row)) return 'switched_off';
  return isConfigured ? 'mailed' : 'no_mail_server';
}
