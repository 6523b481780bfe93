import { encode } from 'uqr';

/** Modules of white around the code, as ISO/IEC 18004 wants them. */
const QUIET = 4;

/** A text as a QR code, drawn in black on white in both themes, because cameras expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  const side = size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      width="220"
      height="220"
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
