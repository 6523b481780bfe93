import { escapeHtml } from '../domain/html';
import type { MailContent } from './content';

/** A mail as its parts; every text is plain, and escaped here. */
export interface MailParts {
  /** BCP 47, and the direction in which it is written. */
  language: string;
  rtl?: boolean;
  subject: string;
  heading: string;
  /** Before the facts. A text may hold line breaks. */
  paragraphs: readonly string[];
  facts?: readonly (readonly [name: string, value: string])[];
  /** Something somebody else wrote, set off from what the service says. */
  quote?: string | undefined;
  /** A code that is typed somewhere. */
  code?: string | undefined;
  action?: { label: string; url: string } | undefined;
  /** Behind the action. */
  notes?: readonly string[];
  /** Small print, each with or without a link. */
  footer?: readonly { text: string; url?: string }[];
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";
const TEXT = `margin:0 0 16px;font-size:16px;line-height:24px;color:#1c2330`;
const SMALL = `margin:0 0 8px;font-size:13px;line-height:20px;color:#586174`;

/** The mail as text and as HTML: inline styles only, nothing loaded from anywhere (no images, fonts or tracking). */
export function layOut(parts: MailParts): Pick<MailContent, 'subject' | 'text' | 'html'> {
  return { subject: parts.subject, text: asText(parts), html: asHtml(parts) };
}

function asText(parts: MailParts): string {
  const { heading, paragraphs, facts = [], quote, code, action, notes = [], footer = [] } = parts;
  const blocks = [
    heading,
    ...paragraphs,
    quote === undefined ? '' : quote.replace(/^/gm, '> '),
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    code ?? '',
    action === undefined ? '' : `${action.label}:\n${action.url}`,
    ...notes,
    footer.length === 0 ? '' : '-- ',
    footer.map(({ text, url }) => (url === undefined ? text : `${text}: ${url}`)).join('\n'),
  ];
  return `${blocks
    .filter((block) => block !== '')
    .join('\n\n')
    .replace('-- \n\n', '-- \n')}\n`;
}

const lines = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>');
const paragraph = (text: string, style = TEXT): string => `<p style="${style}">${lines(text)}</p>`;

function asHtml(parts: MailParts): string {
  const { language, rtl = false, subject, heading, paragraphs, facts = [], quote, code, action } = parts;
  const { notes = [], footer = [] } = parts;
  const side = rtl ? 'right' : 'left';
  const body = [
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;color:#1c2330">${lines(heading)}</h1>`,
    ...paragraphs.map((text) => paragraph(text)),
    quote === undefined
      ? ''
      : `<blockquote dir="auto" style="margin:0 0 16px;padding:8px 16px;border-${side}:3px solid #c5ccd8;font-size:16px;line-height:24px;color:#1c2330">${lines(quote)}</blockquote>`,
    facts.length === 0 ? '' : factsTable(facts, side),
    code === undefined
      ? ''
      : `<p style="margin:0 0 16px;font-size:28px;line-height:36px;letter-spacing:4px;font-family:ui-monospace,Menlo,Consolas,monospace;color:#1c2330">${lines(code)}</p>`,
    action === undefined ? '' : button(action),
    ...notes.map((text) => paragraph(text)),
    footer.length === 0
      ? ''
      : `<hr style="margin:24px 0 16px;border:0;border-top:1px solid #dde2ea">${footer.map(footerLine).join('')}`,
  ];
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${rtl ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${lines(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f3f5f8;${FONT}">
<div style="max-width:560px;margin:0 auto;padding:28px 24px;background:#ffffff;border:1px solid #dde2ea;border-radius:8px;text-align:${side}">
${body.filter((part) => part !== '').join('\n')}
</div>
</body>
</html>
`;
}

const CELL = 'padding:4px 0;font-size:15px;line-height:22px;vertical-align:top';

function factsTable(facts: readonly (readonly [string, string])[], side: string): string {
  const gap = side === 'left' ? 'right' : 'left';
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="${CELL};padding-${gap}:16px;color:#586174">${lines(name)}</td><td dir="auto" style="${CELL};color:#1c2330;word-break:break-word">${lines(value)}</td></tr>`,
  );
  return `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse">${rows.join('')}</table>`;
}

/** The address stands beneath, too, for whoever does not trust a button. */
const button = ({ label, url }: { label: string; url: string }): string =>
  `<p style="margin:0 0 12px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;background:#1f4fbf;color:#ffffff;font-size:16px;line-height:20px;font-weight:600;text-decoration:none;border-radius:6px">${lines(label)}</a></p>
<p dir="ltr" style="${SMALL};margin-bottom:16px;word-break:break-all">${escapeHtml(url)}</p>`;

const footerLine = ({ text, url }: { text: string; url?: string }): string =>
  url === undefined
    ? paragraph(text, SMALL)
    : `<p style="${SMALL}"><a href="${escapeHtml(url)}" style="color:#586174">${lines(text)}</a></p>`;
