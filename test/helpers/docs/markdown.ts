import MarkdownIt from 'markdown-it';

/** A fenced block of code. */
export interface Sample {
  /** Where it begins in its file, from 1. */
  line: number;
  language: string;
  /** Whether it is made to be run as it stands. */
  run: boolean;
  code: string;
}

/** What tests want to know of a page. */
export interface Page {
  samples: Sample[];
  /** Targets of links. */
  links: string[];
  /** Texts of inline code. */
  names: string[];
  /** Anchors of headings, as GitHub makes them. */
  anchors: string[];
}

const markdown = new MarkdownIt();

/** Takes a page of Markdown apart; `firstLine` is what stands ahead of it in its file, in lines. */
export function readMarkdown(text: string, firstLine = 0): Page {
  const page: Page = { samples: [], links: [], names: [], anchors: [] };
  const tokens = markdown.parse(text, {});
  tokens.forEach((token, index) => {
    if (token.type === 'fence') {
      const [language = '', ...flags] = token.info.trim().split(/\s+/);
      const line = firstLine + (token.map?.[0] ?? 0) + 1;
      page.samples.push({ line, language, run: flags.includes('run'), code: token.content });
    }
    if (token.type === 'heading_open') page.anchors.push(anchorOf(tokens[index + 1]?.content ?? ''));
    for (const child of token.children ?? []) {
      if (child.type === 'code_inline') page.names.push(child.content);
      if (child.type === 'link_open') page.links.push(String(child.attrGet('href')));
    }
  });
  return page;
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
