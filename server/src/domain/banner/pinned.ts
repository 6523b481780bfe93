/** What would take a button out of its row, of its place in it, or of view. */
const PLACE = [
  ...['position:static', 'display:block', 'visibility:visible', 'opacity:1', 'order:0', 'z-index:auto'],
  ...['place-self:stretch', 'margin:0', 'width:auto', 'min-width:0', 'max-width:none', 'height:auto'],
  ...['max-height:none', 'transform:none', 'translate:none', 'rotate:none', 'scale:none', 'zoom:1'],
  ...['offset-path:none', 'clip-path:none', 'clip:auto', '-webkit-mask:none', 'mask:none', 'filter:none'],
  ...['mix-blend-mode:normal', 'content-visibility:visible', 'pointer-events:auto', 'grid-row:auto'],
  // Fixed to the window, one background gives two buttons two colours.
  'background-attachment:scroll',
];

/**
 * Rules of banners whose parts style sheets of the page reach. Of important rules those inside a shadow win over those of
 * the page (CSS Cascade 5 § 6.1), so that no part can make the answers unlike in size, place or visibility.
 */
export const PINNED = [
  `.actions>button{${PLACE.map((one) => `${one}!important`).join(';')}}`,
  '.actions>.answer{grid-column:auto!important}',
  // The one that is below two others, in the smallest windows.
  '@media(max-width:30em) and (max-height:30em){.second .actions>:last-child{grid-column:1/-1!important}}',
].join('');
