import type { Guide } from '../guides';
import { html } from '../html';
import { renderMarkdown } from '../markdown';
import { hrefOf, type Page, placeOf, type Site } from '../site';
import { errorCodes } from './errors';

export function guidePage(guide: Guide, site: Site): Page {
  const explain = (word: string) => placeOf(site, errorCodes(), word);
  const { body, headings, sections } = renderMarkdown(guide.markdown, { guides: site.guides, explain });
  const path = `guides/${guide.name}`;
  return {
    path,
    title: guide.title,
    description: guide.description,
    headings,
    markdown: `# ${guide.title}\n\n${guide.description}\n\n${guide.markdown}\n`,
    body: html`<p class="kicker">Guide</p>
<h1>${guide.title}</h1>
<p class="lead">${guide.description}</p>
${body}`,
    findings: sections.map(({ heading, text }) => ({
      kind: 'guide',
      title: heading?.title ?? guide.title,
      place: heading === undefined ? guide.description : guide.title,
      href: heading === undefined ? hrefOf(path) : `${hrefOf(path)}#${heading.id}`,
      text,
      ...(heading === undefined && { also: guide.also }),
    })),
  };
}
