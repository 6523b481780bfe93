import { cut } from './cookies/summary';
import type { Warning } from './types';

/** A page whose turns fail. */
export interface FailingPage {
  url: string;
  scan_id: string | null;
  failures: number;
  failed_since: Date;
  error: string | null;
}

/** One warning for all pages whose turns fail, and one when scans are no longer started because of who set them. */
export function scheduledScanWarnings(failing: readonly FailingPage[], stopped: Date | undefined): Warning[] {
  const warnings: Warning[] = [];
  const [first] = failing;
  if (first !== undefined) {
    const more = failing.length === 1 ? '' : `, and those of ${failing.length - 1} more`;
    warnings.push({
      code: 'scheduled_scans_failing',
      severity: 'warning',
      message: cut(
        `The scheduled scans of ${cut(first.url, 150)} failed ${first.failures} times in a row${more}: ${first.error ?? 'no reason is known.'} The next turn tries again; make the page reachable, or take it out of the schedule.`,
        500,
      ),
      subject_id: first.scan_id,
      since: first.failed_since.toISOString(),
    });
  }
  if (stopped !== undefined)
    warnings.push({
      code: 'scheduled_scans_stopped',
      severity: 'warning',
      message:
        'Scheduled cookie scans are no longer started, because whoever set them is no owner of the site any more or may not log in: save the schedule again, or turn it off.',
      subject_id: null,
      since: stopped.toISOString(),
    });
  return warnings;
}
