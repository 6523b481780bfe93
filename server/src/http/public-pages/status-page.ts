import type { Request, Response } from 'express';
import { shownOf } from '../../bundles/page-sources';
import { escapeHtml } from '../../domain/html';
import { dayIn } from '../../domain/mail/texts';
import { type Linked, linkedRequest } from '../../services/mail/requester-links';
import { admitLink } from '../admit';
import { limitMailPages } from '../limits';
import { isOfOtherPage } from '../other-pages';
import { renderPage, renderProblem, type SpokenOfSite, send, speak, speakToStranger } from './page';
import { facts, paragraph } from './parts';
import type { PageTools } from './tools';

/**
 * What has become of a request, behind the mailed link; whoever has the mail has the link. A pause of the site does not
 * hide it, and no other page shows it in a frame.
 */
export async function statusPage(tools: PageTools, request: Request, response: Response): Promise<void> {
  const { context, limiter, addressOf } = tools;
  const address = addressOf(request);
  limitMailPages(limiter, { address, isOther: isOfOtherPage(request, context) });
  const { token = '', request: request_id = '', signature = '' } = request.params as Record<string, string>;
  const place = await admitLink(context, limiter, token, address);
  const look = () => linkedRequest(context, 'status', { token, request_id, signature });
  const linked = await context.turns.take(place, address, look);
  if (linked === undefined) {
    const spoken = speakToStranger(request);
    return send(response, renderProblem(spoken.texts.invalid, spoken), 404);
  }
  const { site, row } = linked;
  const shown = { token: site.token, name: site.name, settings: shownOf(site.settings), frames: [] };
  const spoken = speak(row.language, shown, context.program);
  const page = { title: spoken.texts.pages.status_title, body: bodyOf(linked, spoken) };
  send(response, renderPage(page, spoken, shown));
}

function bodyOf({ site, row }: Linked, { texts, say, language }: SpokenOfSite): string {
  const { pages } = texts;
  const day = (at: Date): string => dayIn(language, site.settings.time_zone, at);
  const states = { created: pages.received, in_progress: pages.in_progress, resolved: pages.completed };
  const isOpen = row.status !== 'resolved';
  return [
    facts([
      [pages.status, states[row.status]],
      [texts.fact_type, texts.types[row.request_type]],
      [
        texts.fact_received,
        row.received_on === null ? day(row.created_at) : dayIn(language, 'UTC', new Date(row.received_on)),
      ],
      [texts.fact_due, isOpen ? day(row.extended_until ?? row.due_at) : undefined],
      [pages.completed, row.resolved_at === null ? undefined : day(row.resolved_at)],
      [texts.fact_reference, row.request_id],
    ]),
    isOpen && row.channel === 'online' && row.email_verified_at === null
      ? paragraph(say(pages.confirm_text))
      : '',
    isOpen && row.extended_until !== null
      ? `${paragraph(say(texts.extended_text, { date: day(row.extended_until) }))}<blockquote dir="auto">${escapeHtml(row.extension_reason ?? '')}</blockquote>`
      : '',
    row.resolution === null || isOpen ? '' : paragraph(say(texts[row.resolution])),
  ].join('');
}
