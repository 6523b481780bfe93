import MarkdownIt from 'markdown-it';
import { codeBlock } from './code';
import type { Guide } from './guides';
import { escapeHtml, type Html, raw, slug } from './html';
import type { Heading } from './site';

export interface Rendered {
  body: Html;
  headings: Heading[];
  /** The text under each heading, for the search; the first one is the text before any heading. */
  sections: { heading: Heading | undefined; text: string }[];
}

interface Links {
  guides: readonly Guide[];
  /** The address that explains a word in code. */
  explain(word: string): string | undefined;
}

/** A guide as a page's body. */
export function renderMarkdown(source: string, links: Links): Rendered {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const headings: Heading[] = [];
  const sections: Rendered['sections'] = [{ heading: undefined, text: '' }];
  const tokens = markdown.parse(source, {});
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    if (token.type === 'heading_open' && next !== undefined) {
      const heading = {
        level: Number(token.tag.slice(1)),
        id: freeId(slug(plain(next)), headings),
        title: plain(next),
      };
      headings.push(heading);
      token.attrSet('id', heading.id);
      sections.push({ heading, text: '' });
      return;
    }
    const section = sections.at(-1);
    if (section !== undefined && token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open')
      section.text += `${plain(token)} `;
  });
  Object.assign(markdown.renderer.rules, rules(links));
  return { body: raw(markdown.renderer.render(tokens, markdown.options, {})), headings, sections };
}

type Token = MarkdownIt.Token;

const plain = (token: Token): string =>
  (token.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

function freeId(id: string, taken: readonly Heading[]): string {
  const uses = taken.filter((heading) => heading.id === id || heading.id.replace(/-\d+$/, '') === id).length;
  return uses === 0 ? id : `${id}-${uses + 1}`;
}

function rules({ guides, explain }: Links): Record<string, MarkdownIt.RendererRule> {
  // Code inside a link must not become a link itself.
  let linked = 0;
  return {
    fence: (tokens, index) => {
      const { content, info } = tokens[index] as Token;
      return codeBlock(content, info.trim().split(/\s+/)[0] || 'text').text;
    },
    code_block: (tokens, index) => codeBlock((tokens[index] as Token).content, 'text').text,
    heading_close: (tokens, index) => {
      const id = tokens[index - 2]?.attrGet('id');
      const { tag } = tokens[index] as Token;
      return ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></${tag}>\n`;
    },
    link_open: (tokens, index, options, _env, self) => {
      linked += 1;
      const token = tokens[index] as Token;
      token.attrSet('href', addressOf(String(token.attrGet('href') ?? ''), guides));
      if (/^https?:/.test(String(token.attrGet('href')))) token.attrSet('rel', 'noreferrer');
      return self.renderToken(tokens, index, options);
    },
    link_close: () => {
      linked -= 1;
      return '</a>';
    },
    code_inline: (tokens, index) => {
      const { content } = tokens[index] as Token;
      const href = linked > 0 ? undefined : explain(content.replace(/^avow\./, ''));
      const code = `<code>${escapeHtml(content)}</code>`;
      return href === undefined ? code : `<a href="${href}">${code}</a>`;
    },
    table_open: () => '<div class="table-scroll" tabindex="0"><table>\n',
    table_close: () => '</table></div>\n',
  };
}

/** Changes a link to a guide's file into one to its page. */
function addressOf(href: string, guides: readonly Guide[]): string {
  const [, name, anchor = ''] = /^(?:\.\/)?(?:\d+-)?([a-z0-9-]+)\.md(#.*)?$/.exec(href) ?? [];
  const guide = guides.find((one) => one.name === name);
  return guide === undefined ? href : `/docs/guides/${guide.name}${anchor}`;
}
