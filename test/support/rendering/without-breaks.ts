/** A page without the elements that keep programs from making links of texts from outside. */
export function withoutBreaks(html: string): string {
  return html.replaceAll('<span style="display:none"><br></span>', '').replaceAll(/<a>([^<]*)<\/a>/g, '$1');
}
