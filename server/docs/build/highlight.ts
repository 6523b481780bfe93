import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import django from 'highlight.js/lib/languages/django';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from './html';

const LANGUAGES = {
  ...{ bash, css, django, go, ini, json, kotlin, nginx, python, sql, swift, typescript, xml, yaml },
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
// JavaScript uses the grammar of TypeScript, so that both look the same.
hljs.registerAliases(['js', 'mjs', 'javascript', 'jsx'], { languageName: 'typescript' });
// Of which templates of Shopify are a kind.
hljs.registerAliases(['liquid'], { languageName: 'django' });
hljs.registerAliases(['env'], { languageName: 'ini' });

/** Highlights code with classes `hljs-…`; the text itself is unchanged. */
export function highlight(code: string, language: string): string {
  if (hljs.getLanguage(language) === undefined) return escapeHtml(code);
  // Apostrophes need an escape only in attributes.
  return hljs.highlight(code, { language, ignoreIllegals: true }).value.replaceAll('&#x27;', "'");
}
