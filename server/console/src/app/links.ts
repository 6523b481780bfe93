import type { Schemas } from './data';

type Code = Schemas['WarningCode'];

/** Where to act on a warning: the page, and the button's text. */
const PAGES: Record<Code, readonly [string, string]> = {
  webhook_failing: ['webhooks', 'Look at the webhook'],
  webhook_paused: ['webhooks', 'Look at the webhook'],
  webhook_disabled: ['webhooks', 'Repair and reactivate'],
  webhook_unsendable: ['webhooks', 'Look at the webhook'],
  webhook_without_owner: ['webhooks', 'Look at the webhooks'],
  dsar_due: ['dsar', 'Answer the request'],
  dsar_overdue: ['dsar', 'Answer the request'],
  breach_clock: ['breaches', 'Report the breach'],
  breach_overdue: ['breaches', 'Report the breach'],
  scan_finding: ['scans', 'Look at the scan'],
  scheduled_scans_failing: ['scans', 'Look at the scan'],
  scheduled_scans_stopped: ['scans', 'Look at the schedule'],
  bundle_outdated: ['banner', 'Publish the banner'],
  ask_again: ['banner/published', 'Ask everybody again'],
  tcf_list_old: ['banner/tcf', 'Look at the framework'],
  unusual_volume: ['consents', 'Look at the records'],
  domain_unproven: ['settings/site', 'Prove the domain'],
  evidence_not_vouched: ['evidence', 'Look at the evidence log'],
  evidence_log_rolled_back: ['evidence', 'Look at the evidence log'],
  evidence_log_damaged: ['evidence', 'Look at the evidence log'],
  mail_failing: ['mail', 'Look at the mails'],
  answer_not_delivered: ['dsar', 'Answer in another way'],
  confirmation_not_delivered: ['dsar', 'Identify in another way'],
  mail_refused: ['dsar', 'Answer in another way'],
  retention_held: ['settings/retention', 'Look at the retention'],
};

/** The path, below the site, of the page for a warning, and the button's text. */
export function remedyOf({ code, subject_id }: Schemas['Warning']): { path: string; action: string } {
  const [list, action] = PAGES[code];
  return { path: subject_id === null || list === 'banner' ? list : `${list}/${subject_id}`, action };
}
