/** The content of an element: text, further elements, or (an array) the same element several times. */
type XmlContent = string | number | boolean | undefined | XmlElements | readonly XmlContent[];
export interface XmlElements {
  readonly [name: string]: XmlContent;
}

/** An XML document with one root element, its namespace (none if empty) and its content. `undefined` members are left out. */
export function xmlDocument(root: string, namespace: string, content: XmlElements): string {
  const declared = namespace === '' ? '' : ` xmlns="${namespace}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${declared}>${elements(content)}</${root}>`;
}

function elements(content: XmlElements): string {
  return Object.entries(content)
    .map(([name, value]) => element(name, value))
    .join('');
}

function element(name: string, value: XmlContent): string {
  if (value === undefined) return '';
  if (isList(value)) return value.map((item) => element(name, item)).join('');
  return `<${name}>${typeof value === 'object' ? elements(value) : escapeText(String(value))}</${name}>`;
}

function isList(value: XmlContent): value is readonly XmlContent[] {
  return Array.isArray(value);
}

function escapeText(text: string): string {
  // Control characters as references, as S3 writes them. A plain carriage return would be read as a line feed.

  return text.replace(/[&<>"\u0000-\u001f]/g, (character) => `&#${character.charCodeAt(0)};`);
}
